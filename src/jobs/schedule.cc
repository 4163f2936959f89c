// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/schedule.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <variant>

#include "base/error.h"
#include "base/instant.h"
#include "base/result.h"

namespace atrium::jobs {
namespace {

using std::chrono::days;
using std::chrono::milliseconds;
using std::chrono::seconds;

std::string TwoDigits(long number) {
  return (number < 10 ? "0" : "") + std::to_string(number);
}

Result<void> ValidateEvery(const Every& every) {
  if (every.period < seconds(1)) {
    return Fail(ErrorCode::kInvalidArgument, "the period of a job must be a second or more");
  }
  return {};
}

Result<void> ValidateDaily(const DailyAt& daily) {
  if (daily.time_of_day < std::chrono::minutes::zero() || daily.time_of_day >= days(1)) {
    return Fail(ErrorCode::kInvalidArgument, "the time of day must be from 00:00 to 23:59");
  }
  return {};
}

std::string RenderDaily(const DailyAt& daily) {
  const std::chrono::hh_mm_ss parts(daily.time_of_day);
  return "daily at " + TwoDigits(parts.hours().count()) + ":" + TwoDigits(parts.minutes().count()) +
         " UTC";
}

bool ClockWasSetBack(Instant last_start, Instant now, milliseconds period) {
  return last_start - now > period;
}

Instant NextEvery(const Every& every, Instant last_start, Instant now) {
  return ClockWasSetBack(last_start, now, every.period) ? now : last_start + every.period;
}

Instant NextDaily(const DailyAt& daily, Instant last_start, Instant now) {
  if (ClockWasSetBack(last_start, now, days(1))) {
    return now;
  }
  const Instant same_day = std::chrono::floor<days>(last_start) + daily.time_of_day;
  return same_day > last_start ? same_day : same_day + days(1);
}

}  // namespace

Result<void> Validate(const Schedule& schedule) {
  if (const auto* every = std::get_if<Every>(&schedule)) {
    return ValidateEvery(*every);
  }
  if (const auto* daily = std::get_if<DailyAt>(&schedule)) {
    return ValidateDaily(*daily);
  }
  return {};
}

std::string Render(const Schedule& schedule) {
  if (const auto* every = std::get_if<Every>(&schedule)) {
    return "every " + std::to_string(every->period.count()) + " s";
  }
  if (const auto* daily = std::get_if<DailyAt>(&schedule)) {
    return RenderDaily(*daily);
  }
  return "when asked for";
}

std::optional<Instant> NextRun(const Schedule& schedule, std::optional<Instant> last_start,
                               Instant now) {
  if (std::holds_alternative<Manual>(schedule)) {
    return std::nullopt;
  }
  if (!last_start) {
    return now;
  }
  if (const auto* every = std::get_if<Every>(&schedule)) {
    return NextEvery(*every, *last_start, now);
  }
  return NextDaily(std::get<DailyAt>(schedule), *last_start, now);
}

milliseconds Backoff(const RetryPolicy& policy, unsigned attempt, double fraction) {
  milliseconds ceiling = std::min(policy.first_wait, policy.wait_max);
  for (unsigned i = 1; i < attempt && ceiling < policy.wait_max; ++i) {
    ceiling = std::min<milliseconds>(ceiling * 2, policy.wait_max);
  }
  const auto scaled = static_cast<double>(ceiling.count()) * (0.5 + fraction / 2);
  return milliseconds(static_cast<milliseconds::rep>(scaled));
}

}  // namespace atrium::jobs
