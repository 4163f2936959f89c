// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "egress/retry.h"

#include <curl/curl.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "base/clock.h"
#include "egress/message.h"

namespace atrium::egress {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::array<std::string_view, 8> kIdempotent = {"GET", "HEAD",   "OPTIONS",  "TRACE",
                                                         "PUT", "DELETE", "PROPFIND", "REPORT"};
constexpr milliseconds kRetryAfterMax = std::chrono::hours{24} * 365;

milliseconds ParseSeconds(std::string_view digits) {
  std::uint32_t number = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  // Digits can only fail by being too many.
  return parsed.ec == std::errc() ? std::min<milliseconds>(seconds(number), kRetryAfterMax)
                                  : kRetryAfterMax;
}

}  // namespace

bool MayRepeat(const OutgoingRequest& request) {
  switch (request.retry.repeat) {
    case Repeat::kIfIdempotent:
      return std::ranges::find(kIdempotent, request.method) != kIdempotent.end();
    case Repeat::kAllowed:
      return true;
    case Repeat::kNever:
      return false;
  }
  return false;
}

bool IsTransientStatus(int status) {
  return status == 429 || status == 502 || status == 503 || status == 504;
}

milliseconds BackoffWait(const RetryPolicy& policy, unsigned attempt, double fraction) {
  milliseconds ceiling = std::min(policy.first_wait, policy.wait_max);
  for (unsigned i = 1; i < attempt && ceiling < policy.wait_max; ++i) {
    ceiling = std::min(ceiling * 2, policy.wait_max);
  }
  return milliseconds(
      static_cast<milliseconds::rep>(static_cast<double>(ceiling.count()) * fraction));
}

std::optional<milliseconds> ParseRetryAfter(std::string_view value, Instant now) {
  const auto is_digit = [](char c) { return '0' <= c && c <= '9'; };
  if (!value.empty() && std::ranges::all_of(value, is_digit)) {
    return ParseSeconds(value);
  }
  if (!value.ends_with("GMT")) {
    return std::nullopt;
  }
  const std::time_t date = curl_getdate(std::string(value).c_str(), nullptr);
  if (date < 0) {
    return std::nullopt;
  }
  const milliseconds wait = Instant(seconds(date)) - now;
  return std::clamp(wait, milliseconds::zero(), kRetryAfterMax);
}

}  // namespace atrium::egress
