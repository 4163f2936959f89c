// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "egress/transfer.h"

#include <curl/curl.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <expected>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/error.h"
#include "base/ip_network.h"
#include "egress/message.h"
#include "egress/response_reader.h"
#include "egress/socket_address.h"
#include "egress/transfer_error.h"
#include "egress/url.h"

namespace atrium::egress {
namespace {

struct FreeList {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using List = std::unique_ptr<curl_slist, FreeList>;

void Append(List& list, const std::string& line) {
  curl_slist* grown = curl_slist_append(list.get(), line.c_str());
  Check(grown != nullptr, "memory for a header line");
  // The head stays where it is once there is one.
  (void)list.release();
  list.reset(grown);
}

template <typename Value>
void Set(CURL* handle, CURLoption option, Value value) {
  Check(curl_easy_setopt(handle, option, value) == CURLE_OK, "libcurl takes the option");
}

bool HasHeader(const OutgoingRequest& request, std::string_view name) {
  const auto same = [&](const Header& header) { return SameHeaderName(header.name, name); };
  return std::ranges::any_of(request.headers, same) ||
         std::ranges::any_of(request.secret_headers, same);
}

List RenderHeaders(const OutgoingRequest& request) {
  List lines;
  for (const auto* headers : {&request.headers, &request.secret_headers}) {
    for (const Header& header : *headers) {
      // libcurl's own notation: "Name:" alone would mean "do not send it".
      Append(lines, header.value.empty() ? header.name + ";" : header.name + ": " + header.value);
    }
  }
  // A body of unknown type is not a form, and waiting for "100 Continue" costs a second with
  // servers that never say it.
  Append(lines, "Expect:");
  if (!HasHeader(request, "Content-Type")) {
    Append(lines, "Content-Type:");
  }
  return lines;
}

/// "+host:port:address,address": the plus lets the entry age, so that a kept handle does not
/// collect every host it ever called.
List RenderPins(const Hop& hop) {
  std::string line = "+" + hop.url.host + ":" + std::to_string(hop.url.port) + ":";
  for (const IpAddress& address : hop.addresses) {
    line += line.ends_with(':') ? "" : ",";
    line += address.IsV4() ? Render(address) : "[" + Render(address) + "]";
  }
  List pins;
  Append(pins, line);
  return pins;
}

/// One call of libcurl, with everything that must live until it returns.
class Exchange {
 public:
  Exchange(CURL* handle, const TransferSettings& settings, const Hop& hop)
      : handle_(handle),
        settings_(settings),
        hop_(hop),
        reader_(hop.request.response_bytes_max),
        headers_(RenderHeaders(hop.request)) {}

  TransferOutcome Perform() {
    SetWhom();
    SetWhat();
    SetBounds();
    SetReading();
    const CURLcode code = curl_easy_perform(handle_);
    if (code != CURLE_OK && refused_) {
      return std::unexpected(TransferFailure{.error = std::move(*refused_), .hope = Hope::kFinal});
    }
    if (code != CURLE_OK) {
      return std::unexpected(Failure(code));
    }
    OutgoingResponse response = reader_.Take();
    response.effective_url = hop_.url.text;
    return response;
  }

 private:
  void SetWhom() {
    Set(handle_, CURLOPT_URL, hop_.url.text.c_str());
    Set(handle_, CURLOPT_PROTOCOLS_STR, "http,https");
    Set(handle_, CURLOPT_FOLLOWLOCATION, 0L);
    // Set, even to nothing, so that the environment is not asked.
    Set(handle_, CURLOPT_PROXY, settings_.proxy.c_str());
    Set(handle_, CURLOPT_NOPROXY, "");
    Set(handle_, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    Set(handle_, CURLOPT_OPENSOCKETFUNCTION, &Exchange::OnOpenSocket);
    Set(handle_, CURLOPT_OPENSOCKETDATA, this);
    if (settings_.proxy.empty() && !ParseIpAddress(hop_.url.host)) {
      pins_ = RenderPins(hop_);
      Set(handle_, CURLOPT_RESOLVE, pins_.get());
    }
    Set(handle_, CURLOPT_SSL_VERIFYPEER, 1L);
    Set(handle_, CURLOPT_SSL_VERIFYHOST, 2L);
    Set(handle_, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
    if (!settings_.ca_bundle.empty()) {
      Set(handle_, CURLOPT_CAINFO, settings_.ca_bundle.c_str());
      Set(handle_, CURLOPT_CAPATH, static_cast<const char*>(nullptr));
    }
  }

  void SetWhat() {
    const OutgoingRequest& request = hop_.request;
    Set(handle_, CURLOPT_HTTPHEADER, headers_.get());
    if (!settings_.user_agent.empty()) {
      Set(handle_, CURLOPT_USERAGENT, settings_.user_agent.c_str());
    }
    if (request.method == "HEAD") {
      Set(handle_, CURLOPT_NOBODY, 1L);
      return;
    }
    if (!request.body.empty() || request.method == "POST" || request.method == "PUT") {
      Set(handle_, CURLOPT_POST, 1L);
      Set(handle_, CURLOPT_POSTFIELDS, request.body.data());
      Set(handle_, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    }
    Set(handle_, CURLOPT_CUSTOMREQUEST, request.method.c_str());
  }

  void SetBounds() {
    Set(handle_, CURLOPT_NOSIGNAL, 1L);
    Set(handle_, CURLOPT_TIMEOUT_MS, static_cast<long>(hop_.timeout.count()));
    Set(handle_, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(ConnectTimeout().count()));
    if (hop_.request.slowest.bytes_per_second > 0) {
      const SlowestPace& slowest = hop_.request.slowest;
      Set(handle_, CURLOPT_LOW_SPEED_LIMIT, static_cast<long>(slowest.bytes_per_second));
      Set(handle_, CURLOPT_LOW_SPEED_TIME, static_cast<long>(slowest.patience.count()));
    }
    // Should libcurl ever look up a name itself (a proxy's), a late answer must not hold up the
    // call.
    Set(handle_, CURLOPT_QUICK_EXIT, 1L);
    if (hop_.request.stop.stop_possible()) {
      Set(handle_, CURLOPT_NOPROGRESS, 0L);
      Set(handle_, CURLOPT_XFERINFOFUNCTION, &Exchange::OnProgress);
      Set(handle_, CURLOPT_XFERINFODATA, this);
    }
  }

  void SetReading() {
    Set(handle_, CURLOPT_HEADERFUNCTION, &Exchange::OnHeader);
    Set(handle_, CURLOPT_HEADERDATA, this);
    Set(handle_, CURLOPT_WRITEFUNCTION, &Exchange::OnBody);
    Set(handle_, CURLOPT_WRITEDATA, this);
    Set(handle_, CURLOPT_ERRORBUFFER, explanation_.data());
  }

  std::chrono::milliseconds ConnectTimeout() const {
    return std::min(hop_.request.connect_timeout, hop_.timeout);
  }

  TransferFailure Failure(CURLcode code) {
    curl_off_t sending_since = 0;
    curl_easy_getinfo(handle_, CURLINFO_PRETRANSFER_TIME_T, &sending_since);
    return ExplainFailure(
        {.url = hop_.url,
         .code = code,
         .explanation = explanation_.data(),
         .excess = reader_.Excess(),
         .stopped = hop_.request.stop.stop_requested(),
         .only_connecting = sending_since == 0 && ConnectTimeout() < hop_.timeout});
  }

  std::optional<Error> FindRefusal(const curl_sockaddr& target) const {
    if (!settings_.proxy.empty()) {
      return std::nullopt;  // The proxy was named by the administrator.
    }
    const auto address = AddressOf(target.addr);
    if (!address || std::ranges::find(hop_.addresses, *address) == hop_.addresses.end()) {
      return RefusedAddress(hop_.url, address.value_or(IpAddress()), "an address nobody judged");
    }
    const auto objection = settings_.guard.FindObjection(*address);
    return objection ? std::optional(RefusedAddress(hop_.url, *address, *objection)) : std::nullopt;
  }

  static curl_socket_t OnOpenSocket(void* self, curlsocktype /*purpose*/, curl_sockaddr* target) {
    auto& exchange = *static_cast<Exchange*>(self);
    exchange.refused_ = exchange.FindRefusal(*target);
    if (exchange.refused_) {
      return CURL_SOCKET_BAD;
    }
    return socket(target->family, target->socktype | SOCK_CLOEXEC, target->protocol);
  }

  static std::size_t OnHeader(const char* text, std::size_t one, std::size_t length, void* self) {
    auto& exchange = *static_cast<Exchange*>(self);
    return exchange.reader_.AddHeaderLine({text, one * length}) ? one * length : 0;
  }

  static std::size_t OnBody(const char* text, std::size_t one, std::size_t length, void* self) {
    auto& exchange = *static_cast<Exchange*>(self);
    const OutgoingRequest& request = exchange.hop_.request;
    if (request.receive && exchange.reader_.IsSuccess()) {
      request.receive({text, one * length});
      return one * length;
    }
    // Zero stops the transfer; an empty piece is never handed over.
    return exchange.reader_.AddBody({text, one * length}) ? one * length : 0;
  }

  static int OnProgress(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    return static_cast<Exchange*>(self)->hop_.request.stop.stop_requested() ? 1 : 0;
  }

  CURL* handle_;
  const TransferSettings& settings_;
  const Hop& hop_;
  ResponseReader reader_;
  List headers_;
  List pins_;
  std::optional<Error> refused_;
  std::array<char, CURL_ERROR_SIZE> explanation_{};
};

}  // namespace

TransferOutcome Transfer(CURL* handle, const TransferSettings& settings, const Hop& hop) {
  return Exchange(handle, settings, hop).Perform();
}

}  // namespace atrium::egress
