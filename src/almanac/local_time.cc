// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "almanac/local_time.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace atrium::almanac {
namespace {

constexpr std::size_t kDateSize = 10;

/// Since the midnight with which 1970 began.
std::chrono::seconds SinceEpoch(const LocalTime& time) {
  return std::chrono::days(time.date.Days()) + std::chrono::seconds(time.time.Seconds());
}

}  // namespace

Result<LocalTime> LocalTime::Parse(std::string_view text) {
  ASSIGN_OR_RETURN(const Date date, Date::Parse(text.substr(0, kDateSize)));
  if (text.size() == kDateSize) {
    return LocalTime{.date = date, .time = {}};
  }
  if (text[kDateSize] != 'T') {
    return Fail(ErrorCode::kInvalidArgument, "expected a local time like 2026-03-01T09:00");
  }
  ASSIGN_OR_RETURN(const TimeOfDay time, TimeOfDay::Parse(text.substr(kDateSize + 1)));
  return LocalTime{.date = date, .time = time};
}

std::string LocalTime::Render() const {
  return date.Render() + 'T' + time.Render();
}

LocalTime operator+(const LocalTime& time, std::chrono::seconds span) {
  // Neither end plus the whole range overflows.
  constexpr std::chrono::seconds kWholeRange =
      std::chrono::days(Date::Max() - Date::Min()) + std::chrono::days(1);
  const std::chrono::seconds sum = SinceEpoch(time) + std::clamp(span, -kWholeRange, kWholeRange);
  const auto day = std::chrono::floor<std::chrono::days>(sum);
  if (day.count() < Date::Min().Days()) {
    return LocalTime::Min();
  }
  if (day.count() > Date::Max().Days()) {
    return LocalTime::Max();
  }
  return {.date = Date::FromDays(static_cast<std::int32_t>(day.count())),
          .time = TimeOfDay::FromSeconds(static_cast<std::int32_t>((sum - day).count()))};
}

std::chrono::seconds operator-(const LocalTime& later, const LocalTime& earlier) {
  return SinceEpoch(later) - SinceEpoch(earlier);
}

}  // namespace atrium::almanac
