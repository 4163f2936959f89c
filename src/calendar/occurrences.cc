// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/occurrences.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <string>
#include <utility>

#include "calendar/entry_rules.h"

namespace atrium::calendar {
namespace {

using std::chrono::seconds;

bool Touches(const Entry& entry, const DayRange& days) {
  return entry.start_date <= days.to && days.from <= LastDayOf(entry);
}

const Override* FindOverride(const Entry& series, const LocalTime& at) {
  const auto& all = series.recurrence->overrides;
  const auto found = std::ranges::lower_bound(all, at, {}, &Override::occurrence);
  return found != all.end() && found->occurrence == at ? &*found : nullptr;
}

void Replace(const std::optional<std::string>& said, std::optional<std::string>& text) {
  if (said) {
    text = said->empty() ? std::nullopt : said;
  }
}

void ApplyTexts(const Override& one, Entry& entry) {
  entry.title = one.title.value_or(std::move(entry.title));
  Replace(one.description, entry.description);
  Replace(one.location, entry.location);
  Replace(one.url, entry.url);
  Replace(one.color, entry.color);
  if (one.organizer) {
    entry.organizer = one.organizer->address.empty() ? std::nullopt : one.organizer;
  }
  if (one.attendees) {
    entry.attendees = one.attendees->empty() ? std::nullopt : one.attendees;
  }
}

void ApplyTimes(const Override& one, Entry& entry) {
  entry.start_date = one.start_date.value_or(entry.start_date);
  entry.end_date = one.end_date.value_or(entry.end_date);
  entry.start_time = one.start_time ? one.start_time : entry.start_time;
  entry.end_time = one.end_time ? one.end_time : entry.end_time;
  entry.completed = one.completed.value_or(entry.completed);
}

/// Moves the entry, which is as the series begins, to the occurrence at that time.
void MoveTo(const LocalTime& at, Entry& entry) {
  const int shift = at.date - entry.start_date;
  entry.start_date = at.date;
  entry.end_date = entry.end_date + shift;
  if (!entry.start_time || at.time == *entry.start_time) {
    return;
  }
  // An addition at another time of day, or BYHOUR: the end goes along.
  const LocalTime end =
      LocalTime{.date = entry.end_date, .time = entry.end_time.value_or(TimeOfDay())} +
      seconds(at.time.Seconds() - entry.start_time->Seconds());
  entry.start_time = at.time;
  entry.end_date = end.date;
  entry.end_time = end.time;
}

BareOccurrence BareAt(const Entry& bare, const LocalTime& at, const Override* override) {
  BareOccurrence one{.of_series = at, .override = override, .entry = bare};
  MoveTo(at, one.entry);
  if (override != nullptr) {
    ApplyTimes(*override, one.entry);
  }
  return one;
}

Entry WithoutRecurrence(const Entry& series) {
  Entry entry = series;
  entry.recurrence.reset();
  return entry;
}

/// What says of which kind an entry is and when it takes place.
Entry BareOf(const Entry& entry) {
  return {.id = entry.id,
          .calendar_id = entry.calendar_id,
          .kind = entry.kind,
          .completed = entry.completed,
          .is_multi_day = entry.is_multi_day,
          .is_all_day = entry.is_all_day,
          .is_timed = entry.is_timed,
          .is_task = entry.is_task,
          .start_date = entry.start_date,
          .end_date = entry.end_date,
          .start_time = entry.start_time,
          .end_time = entry.end_time,
          .time_zone = entry.time_zone,
          .transparent = entry.transparent};
}

bool IsException(const Entry& series, const LocalTime& at) {
  return std::ranges::binary_search(series.recurrence->exceptions, at);
}

Result<void> EachOverridden(const Entry& series, const Entry& bare, const DayRange& days,
                            const BareOccurrenceSink& sink) {
  for (const Override& one : series.recurrence->overrides) {
    const BareOccurrence occurrence = BareAt(bare, one.occurrence, &one);
    if (Touches(occurrence.entry, days) && !IsException(series, one.occurrence)) {
      RETURN_IF_ERROR(sink(occurrence));
    }
  }
  return {};
}

template <typename T>
std::optional<T> IfOther(const T& now, const T& usual) {
  return now == usual ? std::nullopt : std::optional(now);
}

/// Of what may be absent: where it is absent now, an empty one says so.
template <typename T>
std::optional<T> IfOther(const std::optional<T>& now, const std::optional<T>& usual) {
  return now == usual ? std::nullopt : std::optional(now.value_or(T()));
}

bool IsSameLetter(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

/// Files have colours in another case.
std::optional<std::string> IfOtherColor(const std::optional<std::string>& now,
                                        const std::optional<std::string>& usual) {
  const bool same = now.has_value() == usual.has_value() &&
                    (!now || std::ranges::equal(*now, *usual, IsSameLetter));
  return same ? std::nullopt : IfOther(now, usual);
}

}  // namespace

Override DifferenceOf(const LocalTime& at, const Entry& now, const Entry& usual) {
  return {.occurrence = at,
          .title = IfOther(now.title, usual.title),
          .description = IfOther(now.description, usual.description),
          .location = IfOther(now.location, usual.location),
          .url = IfOther(now.url, usual.url),
          .color = IfOtherColor(now.color, usual.color),
          .start_date = IfOther(now.start_date, usual.start_date),
          .end_date = IfOther(now.end_date, usual.end_date),
          .start_time = now.start_time == usual.start_time ? std::nullopt : now.start_time,
          .end_time = now.end_time == usual.end_time ? std::nullopt : now.end_time,
          .completed = IfOther(now.completed, usual.completed),
          .organizer = IfOther(now.organizer, usual.organizer),
          .attendees = IfOther(now.attendees, usual.attendees)};
}

Result<void> EachOccurrence(const Entry& entry, const DayRange& days,
                            almanac::ExpansionBudget& budget, const BareOccurrenceSink& sink) {
  const Entry bare = BareOf(entry);
  if (!entry.recurrence) {
    return Touches(bare, days) ? sink({.entry = bare}) : Result<void>();
  }
  // One day more: an occurrence at another time of day may end a day later than the first one.
  const int length = entry.end_date - entry.start_date + 1;
  ASSIGN_OR_RETURN(const std::vector<LocalTime> starts,
                   almanac::Expand(SeriesOf(entry), {.date = days.from + -length},
                                   {.date = days.to + 1}, budget));
  for (const LocalTime& start : starts) {
    if (FindOverride(entry, start) != nullptr) {
      continue;
    }
    const BareOccurrence one = BareAt(bare, start, nullptr);
    if (Touches(one.entry, days)) {
      RETURN_IF_ERROR(sink(one));
    }
  }
  return EachOverridden(entry, bare, days, sink);
}

Entry WholeOf(const Entry& without, const std::optional<LocalTime>& of_series,
              const Override* override) {
  Entry entry = without;
  if (of_series) {
    MoveTo(*of_series, entry);
  }
  if (override != nullptr) {
    ApplyTexts(*override, entry);
    ApplyTimes(*override, entry);
  }
  return entry;
}

Result<Occurrence> OccurrenceAt(const Entry& series, const LocalTime& at) {
  if (!series.recurrence) {
    return Fail(ErrorCode::kInvalidArgument, "occurrence: the entry comes once");
  }
  const Override* override = FindOverride(series, at);
  if (override == nullptr) {
    almanac::ExpansionBudget budget = BudgetForOne();
    ASSIGN_OR_RETURN(const auto starts,
                     almanac::Expand(SeriesOf(series), at, at + seconds(1), budget));
    if (starts.empty()) {
      return Fail(ErrorCode::kNotFound, "occurrence: the series has none then");
    }
  }
  return Occurrence{.of_series = at, .entry = WholeOf(WithoutRecurrence(series), at, override)};
}

}  // namespace atrium::calendar
