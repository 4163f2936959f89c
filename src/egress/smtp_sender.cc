// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "egress/smtp_sender.h"

#include <curl/curl.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "base/error.h"
#include "base/ip_network.h"
#include "base/result.h"
#include "egress/handle_pool.h"

namespace atrium::egress {
namespace {

template <typename Value>
void Set(CURL* handle, CURLoption option, Value value) {
  Check(curl_easy_setopt(handle, option, value) == CURLE_OK, "libcurl takes the option");
}

/// Whether it can stand between angle brackets as it is. A line break would begin another command.
bool IsSafeAddress(std::string_view address) {
  return !address.empty() && std::ranges::all_of(address, [](char letter) {
    return letter > ' ' && letter < 0x7F && letter != '<' && letter != '>';
  });
}

/// A server wants a name in the greeting that looks like one on the Internet; ours may not.
std::string_view GreetingName(std::string_view from) {
  const std::string_view domain = from.substr(from.rfind('@') + 1);
  const bool plain = domain.find_first_not_of(
                         "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-") ==
                     std::string_view::npos;
  return plain ? domain : std::string_view("localhost");
}

std::uint16_t PortOf(const SmtpOptions& options) {
  if (options.port != 0) {
    return options.port;
  }
  switch (options.tls) {
    case SmtpTls::kNone:
      return 25;
    case SmtpTls::kStartTls:
      return 587;
    case SmtpTls::kImplicit:
      return 465;
  }
  return 0;
}

std::string RenderUrl(const SmtpOptions& options, std::string_view from) {
  const Result<IpAddress> address = ParseIpAddress(options.host);
  const bool brackets = address && !address->IsV4();
  return std::string(options.tls == SmtpTls::kImplicit ? "smtps://" : "smtp://") +
         (brackets ? "[" + options.host + "]" : options.host) + ":" +
         std::to_string(PortOf(options)) + "/" + std::string(GreetingName(from));
}

/// Refusals that are about us, not about the letter (RFC 4954 §6): the password may be mended.
bool IsAboutSignIn(long reply) {
  return reply == 530 || reply == 534 || reply == 535 || reply == 538;
}

/// RFC 5321 §4.5.3.1.5 allows so much.
constexpr std::size_t kReplyBytesMax = 512;

/// One call of libcurl, with everything that must live until it returns.
class SmtpExchange {
 public:
  SmtpExchange(CURL* handle, const SmtpOptions& options, const SmtpEnvelope& envelope,
               std::string_view letter)
      : handle_(handle),
        options_(options),
        stop_(envelope.stop),
        url_(RenderUrl(options, envelope.from)),
        from_("<" + envelope.from + ">"),
        recipients_(curl_slist_append(nullptr, ("<" + envelope.to + ">").c_str()),
                    curl_slist_free_all),
        rest_(letter) {
    Check(recipients_ != nullptr, "memory for a recipient");
  }

  Result<void> Perform() {
    SetWhom();
    SetWhat();
    SetBounds();
    const CURLcode code = curl_easy_perform(handle_);
    if (code == CURLE_OK) {
      return {};
    }
    return Failure(code);
  }

 private:
  void SetWhom() {
    Set(handle_, CURLOPT_URL, url_.c_str());
    Set(handle_, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
    // Set, even to nothing, so that the environment is not asked.
    Set(handle_, CURLOPT_PROXY, "");
    Set(handle_, CURLOPT_USE_SSL,
        static_cast<long>(options_.tls == SmtpTls::kNone ? CURLUSESSL_NONE : CURLUSESSL_ALL));
    Set(handle_, CURLOPT_SSL_VERIFYPEER, 1L);
    Set(handle_, CURLOPT_SSL_VERIFYHOST, 2L);
    Set(handle_, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
    if (!options_.ca_bundle.empty()) {
      Set(handle_, CURLOPT_CAINFO, options_.ca_bundle.c_str());
      Set(handle_, CURLOPT_CAPATH, static_cast<const char*>(nullptr));
    }
    if (!options_.username.empty()) {
      Set(handle_, CURLOPT_USERNAME, options_.username.c_str());
      Set(handle_, CURLOPT_PASSWORD, options_.password.c_str());
    }
  }

  void SetWhat() {
    Set(handle_, CURLOPT_MAIL_FROM, from_.c_str());
    Set(handle_, CURLOPT_MAIL_RCPT, recipients_.get());
    Set(handle_, CURLOPT_UPLOAD, 1L);
    Set(handle_, CURLOPT_INFILESIZE_LARGE, static_cast<curl_off_t>(rest_.size()));
    Set(handle_, CURLOPT_READFUNCTION, &SmtpExchange::OnRead);
    Set(handle_, CURLOPT_READDATA, this);
    // What the server says comes as a body; it would go to standard output.
    Set(handle_, CURLOPT_WRITEFUNCTION, &SmtpExchange::OnReply);
    Set(handle_, CURLOPT_HEADERFUNCTION, &SmtpExchange::OnLine);
    Set(handle_, CURLOPT_HEADERDATA, this);
    Set(handle_, CURLOPT_ERRORBUFFER, explanation_.data());
    // Letters are rare: a connection that is kept would only run into the server's own bounds.
    Set(handle_, CURLOPT_FORBID_REUSE, 1L);
  }

  void SetBounds() {
    Set(handle_, CURLOPT_NOSIGNAL, 1L);
    Set(handle_, CURLOPT_TIMEOUT_MS, static_cast<long>(options_.timeout.count()));
    Set(handle_, CURLOPT_CONNECTTIMEOUT_MS,
        static_cast<long>(std::min(options_.connect_timeout, options_.timeout).count()));
    Set(handle_, CURLOPT_QUICK_EXIT, 1L);
    if (stop_.stop_possible()) {
      Set(handle_, CURLOPT_NOPROGRESS, 0L);
      Set(handle_, CURLOPT_XFERINFOFUNCTION, &SmtpExchange::OnProgress);
      Set(handle_, CURLOPT_XFERINFODATA, this);
    }
  }

  std::unexpected<Error> Failure(CURLcode code) const {
    long reply = 0;
    curl_easy_getinfo(handle_, CURLINFO_RESPONSE_CODE, &reply);
    std::string detail = "the mail server " + options_.host + " " + Explain(code, reply) + " (" +
                         curl_easy_strerror(code);
    if (explanation_.front() != '\0') {
      detail += ": " + std::string(explanation_.data());
    }
    return FailPrivately(Judge(code, reply), detail + ")");
  }

  /// A 5xx to the greeting or to the sign-in is about us. libcurl ends in CURLE_SEND_ERROR when the
  /// sender, the recipient or the beginning of the letter was refused; later, it was the letter.
  bool RefusedForGood(CURLcode code, long reply) const {
    return reply / 100 == 5 && !IsAboutSignIn(reply) && (begun_ || code == CURLE_SEND_ERROR);
  }

  ErrorCode Judge(CURLcode code, long reply) const {
    if (RefusedForGood(code, reply)) {
      return ErrorCode::kPermissionDenied;
    }
    return code == CURLE_OPERATION_TIMEDOUT ? ErrorCode::kDeadlineExceeded
                                            : ErrorCode::kUnavailable;
  }

  std::string Explain(CURLcode code, long reply) const {
    if (stop_.stop_requested()) {
      return "was not waited for: the caller was stopped";
    }
    if (RefusedForGood(code, reply)) {
      return "refused the letter: " + InItsWords(reply);
    }
    if (reply >= 400) {
      return "did not take the letter: " + InItsWords(reply);
    }
    switch (code) {
      case CURLE_OPERATION_TIMEDOUT:
        return "did not answer in time";
      case CURLE_USE_SSL_FAILED:
        return "offers no TLS, which is demanded";
      case CURLE_LOGIN_DENIED:
        return "did not accept user and password";
      case CURLE_PEER_FAILED_VERIFICATION:
        return "has a TLS certificate that is not trusted";
      default:
        return "did not take the letter";
    }
  }

  /// The reply with what the server said beside the number, as far as people can read it.
  std::string InItsWords(long reply) const {
    std::string words = std::to_string(reply);
    const std::string_view line = std::string_view(refusal_).substr(0, kReplyBytesMax);
    if (line.starts_with(words)) {
      for (const char c : line.substr(words.size())) {
        words += c >= ' ' && c <= '~' ? c : ' ';
      }
    }
    return words.substr(0, words.find_last_not_of(' ') + 1);
  }

  static std::size_t OnLine(const char* text, std::size_t one, std::size_t length, void* self) {
    const std::string_view line(text, one * length);
    if (line.starts_with('4') || line.starts_with('5')) {
      static_cast<SmtpExchange*>(self)->refusal_ = line;
    }
    return line.size();
  }

  static std::size_t OnRead(char* buffer, std::size_t one, std::size_t length, void* self) {
    auto& exchange = *static_cast<SmtpExchange*>(self);
    exchange.begun_ = true;
    const std::size_t count = std::min(one * length, exchange.rest_.size());
    std::memcpy(buffer, exchange.rest_.data(), count);
    exchange.rest_.remove_prefix(count);
    return count;
  }

  static std::size_t OnReply(const char* /*text*/, std::size_t one, std::size_t length,
                             void* /*none*/) {
    return one * length;
  }

  static int OnProgress(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    return static_cast<SmtpExchange*>(self)->stop_.stop_requested() ? 1 : 0;
  }

  CURL* handle_;
  const SmtpOptions& options_;
  std::stop_token stop_;
  std::string url_;
  std::string from_;
  std::unique_ptr<curl_slist, void (*)(curl_slist*)> recipients_;
  std::string_view rest_;
  bool begun_ = false;
  /// What the server said when it refused something last.
  std::string refusal_{};
  std::array<char, CURL_ERROR_SIZE> explanation_{};
};

}  // namespace

SmtpSender::SmtpSender(SmtpOptions options) : options_(std::move(options)) {}

Result<void> SmtpSender::Send(const SmtpEnvelope& envelope, std::string_view letter) {
  if (!IsSafeAddress(envelope.from) || !IsSafeAddress(envelope.to)) {
    return Fail(ErrorCode::kInvalidArgument, "an address no letter can be sent to");
  }
  const HandlePool::Handle handle = pool_.Take();
  if (!handle) {
    return FailPrivately(ErrorCode::kUnavailable, "no memory for a call");
  }
  return SmtpExchange(handle.get(), options_, envelope, letter).Perform();
}

}  // namespace atrium::egress
