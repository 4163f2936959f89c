// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "egress/message.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/result.h"

namespace atrium::egress {
namespace {

/// The client writes these itself; a second copy would let a caller, or a person whose text the
/// caller passes on, say where one message ends and the next begins.
constexpr std::array<std::string_view, 9> kOurs = {
    "Host", "Content-Length", "Transfer-Encoding", "Connection",      "Expect",
    "TE",   "Trailer",        "Upgrade",           "Proxy-Connection"};

char Lower(char c) {
  return 'A' <= c && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

/// RFC 9110 §5.6.2.
bool IsTokenCharacter(char c) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  const char lower = Lower(c);
  return ('a' <= lower && lower <= 'z') || ('0' <= c && c <= '9') || kMarks.contains(c);
}

bool IsToken(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, IsTokenCharacter);
}

bool IsValueCharacter(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte >= 0x20 && byte != 0x7f) || c == '\t';
}

Result<void> ValidateHeaders(const std::vector<Header>& headers) {
  for (const Header& header : headers) {
    if (!IsToken(header.name)) {
      return Fail(ErrorCode::kInvalidArgument, "\"" + header.name + "\" is not a header name");
    }
    if (!std::ranges::all_of(header.value, IsValueCharacter)) {
      return Fail(ErrorCode::kInvalidArgument,
                  "the value of header " + header.name + " contains control characters");
    }
    if (std::ranges::any_of(kOurs, [&](auto n) { return SameHeaderName(n, header.name); })) {
      return Fail(ErrorCode::kInvalidArgument,
                  "header " + header.name + " is written by the client itself");
    }
  }
  return {};
}

}  // namespace

std::optional<std::string_view> OutgoingResponse::FindHeader(std::string_view name) const {
  const auto found = std::ranges::find_if(
      headers, [&](const Header& header) { return SameHeaderName(header.name, name); });
  return found == headers.end() ? std::nullopt : std::optional<std::string_view>(found->value);
}

bool SameHeaderName(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, Lower, Lower);
}

Result<void> Validate(const OutgoingRequest& request) {
  if (!IsToken(request.method)) {
    return Fail(ErrorCode::kInvalidArgument, "\"" + request.method + "\" is not an HTTP method");
  }
  RETURN_IF_ERROR(ValidateHeaders(request.headers));
  RETURN_IF_ERROR(ValidateHeaders(request.secret_headers));
  if (std::min(request.timeout, request.connect_timeout) <= std::chrono::milliseconds::zero()) {
    return Fail(ErrorCode::kInvalidArgument, "the time-outs of a call must be longer than nothing");
  }
  if (request.retry.attempts_max == 0) {
    return Fail(ErrorCode::kInvalidArgument, "a call needs at least one attempt");
  }
  if (request.receive && request.retry.attempts_max > 1) {
    return Fail(ErrorCode::kInvalidArgument, "what is handed over as it comes is asked for once");
  }
  return {};
}

}  // namespace atrium::egress
