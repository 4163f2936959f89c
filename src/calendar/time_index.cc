// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/time_index.h"

#include <algorithm>
#include <cstdint>

#include "base/bytes.h"
#include "calendar/entry_rules.h"
#include "store/key_bytes.h"

namespace atrium::calendar {
namespace {

using store::KeyBytes;

constexpr char kDays = 'd';
constexpr char kEndless = 'e';
constexpr char kYears = 'y';

constexpr int kDaysInAWeek = 7;
/// What lasts longer stands among the years.
constexpr int kShortDays = 14;
/// What touches more years never seems to end.
constexpr int kYearRows = 5;
constexpr int kIdBytes = 16;

/// So that bytewise order is the order of days, also of those before 1970.
std::uint64_t Ordered(Date day) {
  constexpr std::int64_t kOffset = std::int64_t{1} << 32;
  return static_cast<std::uint64_t>(kOffset + day.Days());
}

Date DayOf(std::uint64_t ordered) {
  constexpr std::int64_t kOffset = std::int64_t{1} << 32;
  return Date::FromDays(static_cast<std::int32_t>(static_cast<std::int64_t>(ordered) - kOffset));
}

Date MondayOf(Date day) {
  return day + -day.Weekday();
}

std::string Section(char section) {
  return {section};
}

std::string BytesOf(const EntryId& id) {
  return std::string(AsChars(id.value().bytes));
}

std::string DayRow(Date day, const Entry& entry) {
  const TimeOfDay start = entry.start_time.value_or(TimeOfDay());
  return KeyBytes()
      .Raw(Section(kDays))
      .Number(Ordered(day))
      .Number(static_cast<std::uint64_t>(start.Seconds()))
      .Number(Ordered(entry.start_date))
      .Number(Ordered(LastDayOf(entry)))
      .Raw(BytesOf(entry.id))
      .Take();
}

std::vector<std::string> DayRows(const Entry& entry) {
  std::vector<std::string> rows{DayRow(entry.start_date, entry)};
  // Counted, since a sum of days stops at the last one there is.
  const int length = LastDayOf(entry) - entry.start_date;
  for (int monday = kDaysInAWeek - entry.start_date.Weekday(); monday <= length;
       monday += kDaysInAWeek) {
    rows.push_back(DayRow(entry.start_date + monday, entry));
  }
  return rows;
}

std::string YearPrefix(int year) {
  return KeyBytes().Raw(Section(kYears)).Number(static_cast<std::uint64_t>(year)).Take();
}

std::vector<std::string> YearRows(const Entry& entry, Date first, Date last) {
  std::vector<std::string> rows;
  for (int year = first.Year(); year <= last.Year(); ++year) {
    rows.push_back(
        KeyBytes().Raw(YearPrefix(year)).Number(Ordered(last)).Raw(BytesOf(entry.id)).Take());
  }
  return rows;
}

std::string EndlessRow(const Entry& entry, const std::optional<Date>& last) {
  const std::uint64_t end = last ? Ordered(*last) : ~std::uint64_t{0};
  return KeyBytes().Raw(Section(kEndless)).Number(end).Raw(BytesOf(entry.id)).Take();
}

}  // namespace

DaySpan SpanOf(const Entry& entry) {
  DaySpan span{.first = entry.start_date, .last = entry.end_date};
  if (!entry.recurrence) {
    return span;
  }
  const int length = entry.end_date - entry.start_date;
  const Recurrence& recurrence = *entry.recurrence;
  span.last = recurrence.last ? std::optional(recurrence.last->date + length) : std::nullopt;
  for (const Override& one : recurrence.overrides) {
    const Date start = one.start_date.value_or(one.occurrence.date);
    span.first = std::min(span.first, start);
    if (span.last) {
      span.last = std::max(*span.last, one.end_date.value_or(start + length));
    }
  }
  return span;
}

std::optional<DayPlace> ReadDayPlace(std::string_view sort) {
  if (sort.empty() || sort.front() != kDays) {
    return std::nullopt;
  }
  store::KeyReader reader(sort.substr(1));
  DayPlace place{.day = DayOf(reader.Number())};
  place.start.time = TimeOfDay::FromSeconds(static_cast<std::int32_t>(reader.Number()));
  place.first = DayOf(reader.Number());
  place.start.date = place.first;
  place.last = DayOf(reader.Number());
  const std::string_view id = reader.Rest();
  if (reader.Failed() || id.size() != kIdBytes) {
    return std::nullopt;
  }
  Uuid uuid;
  std::ranges::copy(AsBytes(id), uuid.bytes.begin());
  place.id = EntryId(uuid);
  return place;
}

TimeSlices SlicesFor(Date from, Date to) {
  const auto day = [](char section, Date date) {
    return KeyBytes().Raw(Section(section)).Number(Ordered(date)).Take();
  };
  return {.days = {.from = day(kDays, MondayOf(from)), .before = store::PrefixEnd(day(kDays, to))},
          .years = {.from = KeyBytes().Raw(YearPrefix(from.Year())).Number(Ordered(from)).Take(),
                    .before = YearPrefix(to.Year() + 1)},
          .endless = {.from = day(kEndless, from), .before = store::PrefixEnd(Section(kEndless))}};
}

std::vector<std::string> TimeRows(const Entry& entry) {
  const DaySpan span = SpanOf(entry);
  if (!span.last || span.last->Year() - span.first.Year() >= kYearRows) {
    return {EndlessRow(entry, span.last)};
  }
  if (entry.recurrence || *span.last - span.first >= kShortDays) {
    return YearRows(entry, span.first, *span.last);
  }
  return DayRows(entry);
}

bool IsFirstRow(std::string_view sort, const Entry& entry) {
  const std::vector<std::string> rows = TimeRows(entry);
  return !rows.empty() && rows.front() == sort;
}

}  // namespace atrium::calendar
