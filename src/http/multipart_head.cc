// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/multipart_head.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/result.h"
#include "http/content_type.h"
#include "http/grammar.h"
#include "http/headers.h"
#include "http/percent.h"

namespace atrium::http {
namespace {

constexpr std::string_view kLineEnd = "\r\n";

/// What is known of a part while its lines are being read.
struct Draft {
  std::optional<std::string> name = {};
  std::optional<std::string> filename = {};
  std::optional<std::string> extended_filename = {};
  std::optional<std::string> content_type = {};
  bool has_disposition = false;
};

/// Puts `value` where nothing may have been before.
Result<void> PutOnce(std::optional<std::string>& place, std::string value, std::string_view what) {
  if (place) {
    return Fail(ErrorCode::kInvalidArgument, "two " + std::string(what));
  }
  place = std::move(value);
  return {};
}

Result<void> PutNameOnce(std::optional<std::string>& place, std::string value,
                         std::string_view what) {
  if (!IsText(value) || std::ranges::any_of(value, IsControl)) {
    return Fail(ErrorCode::kInvalidArgument,
                std::string(what) + " that is not UTF-8 or holds a control character");
  }
  return PutOnce(place, std::move(value), what);
}

/// UTF-8'language'percent-encoded (RFC 5987 §3.2).
Result<std::string> DecodeExtended(std::string_view value) {
  const std::string_view charset = TakeUntil(value, '\'');
  const std::size_t language_end = value.find('\'');
  if (!EqualsIgnoringCase(charset, "UTF-8") || language_end == std::string_view::npos) {
    return Fail(ErrorCode::kInvalidArgument, "filename* that is not in UTF-8");
  }
  return PercentDecode(value.substr(language_end + 1));
}

/// Takes a token or a quoted string off the front; nullopt when neither is there.
std::optional<std::string> TakeValue(std::string_view& rest) {
  if (rest.starts_with('"')) {
    return TakeQuoted(rest, Escapes::kQuoteBackslash);
  }
  const std::string_view token = TakeToken(rest);
  return token.empty() ? std::nullopt : std::optional<std::string>(token);
}

Result<void> PutParameter(Draft& draft, std::string_view name, std::string value) {
  if (EqualsIgnoringCase(name, "name")) {
    return PutNameOnce(draft.name, std::move(value), "field name");
  }
  if (EqualsIgnoringCase(name, "filename")) {
    return PutNameOnce(draft.filename, std::move(value), "file name");
  }
  if (EqualsIgnoringCase(name, "filename*")) {
    ASSIGN_OR_RETURN(std::string decoded, DecodeExtended(value));
    return PutNameOnce(draft.extended_filename, std::move(decoded), "file name");
  }
  return {};
}

/// Takes `; name=value` off the front, or a lone semicolon.
Result<void> TakeParameter(std::string_view& rest, Draft& draft) {
  if (!rest.starts_with(';')) {
    return Fail(ErrorCode::kInvalidArgument,
                "Content-Disposition without a semicolon between its parameters");
  }
  rest = TrimSpace(rest.substr(1));
  if (rest.empty()) {
    return {};
  }
  const std::string_view name = TakeToken(rest);
  if (name.empty() || !rest.starts_with('=')) {
    return Fail(ErrorCode::kInvalidArgument,
                "Content-Disposition with a parameter that is not name=value");
  }
  rest.remove_prefix(1);
  std::optional<std::string> value = TakeValue(rest);
  if (!value) {
    return Fail(ErrorCode::kInvalidArgument,
                "Content-Disposition with a bad value of its parameter " + LowerAscii(name));
  }
  rest = TrimSpace(rest);
  return PutParameter(draft, name, *std::move(value));
}

Result<void> ReadDisposition(std::string_view value, Draft& draft) {
  if (draft.has_disposition) {
    return Fail(ErrorCode::kInvalidArgument, "two Content-Disposition headers");
  }
  draft.has_disposition = true;
  std::string_view rest = value;
  if (!EqualsIgnoringCase(TakeToken(rest), "form-data")) {
    return Fail(ErrorCode::kInvalidArgument, "Content-Disposition that is not form-data");
  }
  for (rest = TrimSpace(rest); !rest.empty();) {
    RETURN_IF_ERROR(TakeParameter(rest, draft));
  }
  return {};
}

/// RFC 7578 §4.7 did away with these encodings; taking such bytes as they are would store the wrong
/// ones.
Result<void> CheckTransferEncoding(std::string_view value) {
  constexpr std::array<std::string_view, 3> kPlain = {"7bit", "8bit", "binary"};
  const bool plain = std::ranges::any_of(
      kPlain, [value](std::string_view name) { return EqualsIgnoringCase(value, name); });
  if (!plain) {
    return Fail(ErrorCode::kInvalidArgument, "Content-Transfer-Encoding in a form");
  }
  return {};
}

Result<void> ReadLine(std::string_view line, Draft& draft) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || !IsToken(line.substr(0, colon)) ||
      std::ranges::any_of(line, IsControl)) {
    return Fail(ErrorCode::kInvalidArgument, "line that is not a header");
  }
  const std::string_view name = line.substr(0, colon);
  const std::string_view value = TrimSpace(line.substr(colon + 1));
  if (EqualsIgnoringCase(name, "Content-Disposition")) {
    return ReadDisposition(value, draft);
  }
  if (EqualsIgnoringCase(name, "Content-Type")) {
    return PutOnce(draft.content_type, std::string(value), "Content-Type headers");
  }
  if (EqualsIgnoringCase(name, "Content-Transfer-Encoding")) {
    return CheckTransferEncoding(value);
  }
  return {};
}

bool IsBoundaryChar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("'()+_,-./:=? ").contains(c);
}

}  // namespace

Result<PartHead> ParsePartHead(std::string_view lines) {
  Draft draft;
  while (!lines.empty()) {
    const std::size_t end = lines.find(kLineEnd);
    if (end == std::string_view::npos) {
      return Fail(ErrorCode::kInvalidArgument, "header line without its CRLF");
    }
    RETURN_IF_ERROR(ReadLine(lines.substr(0, end), draft));
    lines.remove_prefix(end + kLineEnd.size());
  }
  if (!draft.name) {
    return Fail(ErrorCode::kInvalidArgument, "no Content-Disposition with a field name");
  }
  return PartHead{
      .name = *std::move(draft.name),
      .filename = std::move(draft.extended_filename ? draft.extended_filename : draft.filename),
      .content_type = std::move(draft.content_type).value_or("")};
}

bool IsBoundary(std::string_view text) {
  return !text.empty() && text.size() <= 70 && std::ranges::all_of(text, IsBoundaryChar) &&
         !text.ends_with(' ');
}

Result<std::string> BoundaryOf(std::string_view content_type) {
  ASSIGN_OR_RETURN(const ContentType parsed, ParseContentType(content_type));
  if (!parsed.Is("multipart/form-data")) {
    return Fail(ErrorCode::kInvalidArgument, "content type that is not multipart/form-data");
  }
  const std::optional<std::string_view> boundary = parsed.Find("boundary");
  if (!boundary || !IsBoundary(*boundary)) {
    return Fail(ErrorCode::kInvalidArgument, "multipart/form-data without a proper boundary");
  }
  return std::string(*boundary);
}

}  // namespace atrium::http
