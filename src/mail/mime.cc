// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "mail/mime.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/base64.h"
#include "base/error.h"
#include "base/result.h"
#include "base/utf8.h"
#include "mail/mailbox.h"

namespace atrium::mail {
namespace {

constexpr std::size_t kLineMax = 76;

/// Never in quoted-printable text, where an equals sign is followed by digits or a line end (RFC
/// 2045 §6.7).
constexpr std::string_view kBoundary = "=_atrium_letter";

/// What one encoded word holds, so that it fits behind "Subject: ": 9 + 12 + 52 characters.
constexpr std::size_t kWordBytesMax = 39;

bool IsPrintableAscii(std::string_view text) {
  return std::ranges::all_of(text, [](char letter) { return letter >= ' ' && letter < 0x7F; });
}

bool HasControls(std::string_view text) {
  return std::ranges::any_of(text, [](char letter) {
    return static_cast<unsigned char>(letter) < 0x20 || letter == 0x7F;
  });
}

/// RFC 2047 §2: words with whole characters, one per line.
std::string EncodedWords(std::string_view text) {
  std::string words;
  while (!text.empty()) {
    const std::string_view piece = TruncateUtf8(text, kWordBytesMax);
    words += fmt::format("{}=?UTF-8?B?{}?=", words.empty() ? "" : "\r\n ", EncodeBase64(piece));
    text.remove_prefix(piece.size());
  }
  return words;
}

std::string RenderSubject(std::string_view subject) {
  constexpr std::string_view kName = "Subject: ";
  const bool plain = IsPrintableAscii(subject) && !subject.contains("=?") &&
                     !subject.starts_with(' ') && !subject.ends_with(' ') &&
                     kName.size() + subject.size() <= kLineMax;
  return fmt::format("{}{}\r\n", kName, plain ? std::string(subject) : EncodedWords(subject));
}

/// Whether a name can stand before an address without quotes (RFC 5322 §3.2.3, and spaces).
bool IsPlainPhrase(std::string_view name) {
  constexpr std::size_t kPhraseMax = 60;
  return name.size() <= kPhraseMax && !name.contains("=?") &&
         std::ranges::all_of(name, [](char letter) {
           return (static_cast<unsigned char>(letter) < 0x80 &&
                   std::isalnum(static_cast<unsigned char>(letter)) != 0) ||
                  std::string_view(" !#$%&'*+-/=?^_`{|}~").contains(letter);
         });
}

std::string RenderFrom(const Mailbox& from) {
  if (from.name.empty()) {
    return fmt::format("From: {}\r\n", from.address);
  }
  const std::string name = IsPlainPhrase(from.name) ? from.name : EncodedWords(from.name);
  const std::size_t last_line = name.size() - std::min(name.size(), name.rfind('\n') + 1);
  const bool fits = 9 + last_line + from.address.size() <= kLineMax;
  return fmt::format("From: {}{}<{}>\r\n", name, fits ? " " : "\r\n ", from.address);
}

/// RFC 5322 §3.3. Not by way of the locale, which may speak another language.
std::string RenderDate(Instant instant) {
  constexpr std::array<std::string_view, 7> kDays{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr std::array<std::string_view, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const auto day = std::chrono::floor<std::chrono::days>(instant);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss time(std::chrono::floor<std::chrono::seconds>(instant - day));
  return fmt::format(
      "Date: {}, {:02} {} {:04} {:02}:{:02}:{:02} +0000\r\n",
      kDays.at(std::chrono::weekday(day).c_encoding()), static_cast<unsigned>(date.day()),
      kMonths.at(static_cast<unsigned>(date.month()) - 1), static_cast<int>(date.year()),
      time.hours().count(), time.minutes().count(), time.seconds().count());
}

/// Builds quoted-printable lines (RFC 2045 §6.7).
class QuotedPrintable {
 public:
  void Add(std::string_view line) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      const char letter = line[i];
      const bool blank = letter == ' ' || letter == '\t';
      const bool plain = letter > ' ' && letter < 0x7F && letter != '=';
      // A blank at the end of a line may be lost on the way.
      Put(plain || (blank && i + 1 < line.size())
              ? std::string(1, letter)
              : fmt::format("={:02X}", static_cast<unsigned char>(letter)));
    }
    text_ += "\r\n";
    column_ = 0;
  }

  std::string Take() && { return std::move(text_); }

 private:
  void Put(std::string_view piece) {
    // The last column belongs to the sign that the line goes on.
    if (column_ + piece.size() > kLineMax - 1) {
      text_ += "=\r\n";
      column_ = 0;
    }
    text_ += piece;
    column_ += piece.size();
  }

  std::string text_;
  std::size_t column_ = 0;
};

std::string EncodeBody(std::string_view body) {
  QuotedPrintable encoded;
  while (!body.empty()) {
    const std::size_t end = std::min(body.find('\n'), body.size());
    std::string_view line = body.substr(0, end);
    if (line.ends_with('\r')) {
      line.remove_suffix(1);
    }
    encoded.Add(line);
    body.remove_prefix(std::min(end + 1, body.size()));
  }
  return std::move(encoded).Take();
}

std::string RenderPart(std::string_view type, std::string_view body) {
  return fmt::format(
      "--{}\r\nContent-Type: text/{}; charset=utf-8\r\n"
      "Content-Transfer-Encoding: quoted-printable\r\n\r\n{}",
      kBoundary, type, EncodeBody(body));
}

Result<void> CheckHead(const Message& message, const MimeHead& head) {
  if (!IsMailAddress(message.to)) {
    return Fail(ErrorCode::kInvalidArgument, "the recipient is not a mail address");
  }
  if (HasControls(message.subject) || !IsValidUtf8(message.subject)) {
    return Fail(ErrorCode::kInvalidArgument, "the subject is not one line of UTF-8");
  }
  // An id has the same form (RFC 5322 §3.6.4).
  if (!IsMailAddress(head.message_id)) {
    return Fail(ErrorCode::kInvalidArgument, "the id of the letter is not one");
  }
  return {};
}

}  // namespace

Result<std::string> RenderMime(const Message& message, const MimeHead& head) {
  RETURN_IF_ERROR(CheckHead(message, head));
  ASSIGN_OR_RETURN(const Mailbox from, ParseMailbox(head.from));
  std::string mime = RenderDate(head.date);
  mime += RenderFrom(from);
  mime += fmt::format("To: {}\r\n", message.to);
  mime += RenderSubject(message.subject);
  mime += fmt::format("Message-ID: <{}>\r\n", head.message_id);
  // RFC 3834 §5: keeps absence notes from answering.
  mime += "Auto-Submitted: auto-generated\r\nMIME-Version: 1.0\r\n";
  mime += fmt::format("Content-Type: multipart/alternative; boundary=\"{}\"\r\n\r\n", kBoundary);
  mime += RenderPart("plain", message.text);
  mime += RenderPart("html", message.html);
  mime += fmt::format("--{}--\r\n", kBoundary);
  return mime;
}

}  // namespace atrium::mail
