// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/json_scanner.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>

#include "base/utf8.h"

namespace atrium::files {
namespace {

/// Bytes that end the run of a string which can be taken as it is: quotes, backslashes and control
/// characters.
constexpr std::array<bool, 256> kEndsRun = [] {
  std::array<bool, 256> ends{};
  for (std::size_t c = 0; c < 0x20; ++c) {
    ends[c] = true;
  }
  ends['"'] = true;
  ends['\\'] = true;
  return ends;
}();

constexpr bool IsSpace(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

constexpr bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}

void AppendUtf8(std::string& out, std::uint32_t code) {
  const auto tail = [code](int shift) { return static_cast<char>(0x80 | (code >> shift & 0x3f)); };
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += {static_cast<char>(0xc0 | code >> 6), tail(0)};
  } else if (code < 0x10000) {
    out += {static_cast<char>(0xe0 | code >> 12), tail(6), tail(0)};
  } else {
    out += {static_cast<char>(0xf0 | code >> 18), tail(12), tail(6), tail(0)};
  }
}

constexpr bool IsHighSurrogate(std::uint32_t code) {
  return code >= 0xd800 && code < 0xdc00;
}

constexpr bool IsLowSurrogate(std::uint32_t code) {
  return code >= 0xdc00 && code < 0xe000;
}

}  // namespace

std::unexpected<Error> JsonScanner::Fault(std::string_view problem) const {
  constexpr std::size_t kKeyShownMax = 40;
  std::string message = "byte " + std::to_string(at_);
  if (!key_.empty()) {
    message.append(", \"").append(TruncateUtf8(key_, kKeyShownMax)).append("\"");
  }
  return Fail(ErrorCode::kInvalidArgument, message.append(": ").append(problem));
}

char JsonScanner::Peek() {
  while (at_ < text_.size() && IsSpace(text_[at_])) {
    ++at_;
  }
  return at_ < text_.size() ? text_[at_] : '\0';
}

bool JsonScanner::Take(char c) {
  if (Peek() != c) {
    return false;
  }
  ++at_;
  return true;
}

Result<void> JsonScanner::Expect(char c) {
  if (!Take(c)) {
    return Fault(std::string("expected ").append(1, c));
  }
  return {};
}

Result<void> JsonScanner::Enter(char bracket) {
  RETURN_IF_ERROR(Expect(bracket));
  if (++depth_ > kDepthMax) {
    return Fault("nested too deeply");
  }
  return {};
}

Result<void> JsonScanner::Leave(char bracket) {
  RETURN_IF_ERROR(Expect(bracket));
  --depth_;
  return {};
}

Result<std::string_view> JsonScanner::ReadKey() {
  key_ = {};
  ASSIGN_OR_RETURN(key_, ReadText(key_scratch_));
  RETURN_IF_ERROR(Expect(':'));
  return key_;
}

Result<std::string_view> JsonScanner::ReadString() {
  return ReadText(string_scratch_);
}

Result<std::string_view> JsonScanner::ReadText(std::string& scratch) {
  if (!Take('"')) {
    return Fault("expected a string");
  }
  const std::size_t start = at_;
  while (at_ < text_.size() && !kEndsRun[static_cast<unsigned char>(text_[at_])]) {
    ++at_;
  }
  if (at_ < text_.size() && text_[at_] == '"') {
    return Accepted(text_.substr(start, at_++ - start));
  }
  return ReadEscapedText(start, scratch);
}

Result<std::string_view> JsonScanner::ReadEscapedText(std::size_t start, std::string& scratch) {
  scratch.assign(text_.substr(start, at_ - start));
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (static_cast<unsigned char>(c) < 0x20) {
      return Fault("a control character in a string");
    }
    ++at_;
    if (c == '"') {
      return Accepted(scratch);
    }
    if (c == '\\') {
      RETURN_IF_ERROR(ReadEscape(scratch));
    } else {
      scratch += c;
    }
  }
  return Fault("a string without an end");
}

Result<std::string_view> JsonScanner::Accepted(std::string_view string) {
  if (!IsValidUtf8(string)) {
    return Fault("the string is not UTF-8");
  }
  return string;
}

Result<void> JsonScanner::ReadEscape(std::string& out) {
  constexpr std::string_view kEscaped = "\"\\/bfnrt";
  constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
  const char c = at_ < text_.size() ? text_[at_++] : '\0';
  if (c == 'u') {
    return ReadCodePoint(out);
  }
  const std::size_t which = kEscaped.find(c);
  if (which == std::string_view::npos) {
    return Fault("an unknown escape");
  }
  out += kMeant[which];
  return {};
}

Result<void> JsonScanner::ReadCodePoint(std::string& out) {
  ASSIGN_OR_RETURN(std::uint32_t code, ReadFourDigits());
  if (IsHighSurrogate(code) && text_.substr(at_).starts_with("\\u")) {
    at_ += 2;
    ASSIGN_OR_RETURN(const std::uint32_t low, ReadFourDigits());
    if (!IsLowSurrogate(low)) {
      return Fault("half a character");
    }
    code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
  } else if (IsHighSurrogate(code) || IsLowSurrogate(code)) {
    return Fault("half a character");
  }
  if (code == 0) {
    return Fault("NUL in a string");
  }
  AppendUtf8(out, code);
  return {};
}

Result<std::uint32_t> JsonScanner::ReadFourDigits() {
  const std::string_view digits = text_.substr(at_, 4);
  std::uint32_t code = 0;
  const auto [end, problem] =
      std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
  if (problem != std::errc() || end != digits.data() + 4) {
    return Fault("expected four hexadecimal digits");
  }
  at_ += 4;
  return code;
}

Result<void> JsonScanner::Read(std::string& out) {
  ASSIGN_OR_RETURN(out, ReadString());
  return {};
}

Result<void> JsonScanner::Read(std::int64_t& out) {
  const char first = Peek();
  const std::string_view rest = text_.substr(at_);
  const auto [end, problem] = std::from_chars(rest.data(), rest.data() + rest.size(), out);
  const std::string_view digits = rest.substr(0, static_cast<std::size_t>(end - rest.data()));
  if (problem == std::errc::invalid_argument || (first != '-' && !IsDigit(first))) {
    return Fault("expected an integer");
  }
  if (problem != std::errc()) {
    return Fault("the number is out of range");
  }
  const std::string_view magnitude = digits.substr(first == '-' ? 1 : 0);
  const std::string_view behind = rest.substr(digits.size(), 1);
  if ((magnitude.size() > 1 && magnitude.front() == '0') ||
      (!behind.empty() && std::string_view(".eE").contains(behind.front()))) {
    return Fault("expected an integer");
  }
  at_ += digits.size();
  return {};
}

Result<void> JsonScanner::Skip() {
  switch (Peek()) {
    case '{':
      return ReadObject([this](std::string_view /*key*/) { return Skip(); });
    case '[':
      return ReadArray([this] { return Skip(); });
    case '"':
      RETURN_IF_ERROR(ReadString());
      return {};
    case 't':
    case 'f':
    case 'n':
      return SkipWord();
    default:
      return SkipNumber();
  }
}

Result<void> JsonScanner::SkipWord() {
  for (const std::string_view word : {"true", "false", "null"}) {
    if (text_.substr(at_).starts_with(word)) {
      at_ += word.size();
      return {};
    }
  }
  return Fault("expected a value");
}

Result<void> JsonScanner::SkipNumber() {
  if (text_.substr(at_).starts_with('-')) {
    ++at_;
  }
  const bool zero = text_.substr(at_).starts_with('0');
  const std::size_t start = at_;
  RETURN_IF_ERROR(SkipDigits());
  if (zero && at_ - start > 1) {
    return Fault("a number begins with zero");
  }
  if (text_.substr(at_).starts_with('.')) {
    ++at_;
    RETURN_IF_ERROR(SkipDigits());
  }
  if (text_.substr(at_).starts_with('e') || text_.substr(at_).starts_with('E')) {
    ++at_;
    const std::string_view sign = text_.substr(at_, 1);
    at_ += sign == "+" || sign == "-" ? 1 : 0;
    RETURN_IF_ERROR(SkipDigits());
  }
  return {};
}

Result<void> JsonScanner::SkipDigits() {
  const std::string_view rest = text_.substr(at_);
  const auto end = std::ranges::find_if_not(rest, IsDigit);
  if (end == rest.begin()) {
    return Fault("expected a value");
  }
  at_ += static_cast<std::size_t>(end - rest.begin());
  return {};
}

Result<void> JsonScanner::Finish() {
  Peek();
  if (at_ != text_.size()) {
    return Fault("something follows the document");
  }
  return {};
}

}  // namespace atrium::files
