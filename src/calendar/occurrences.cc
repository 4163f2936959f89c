// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/occurrences.h"

#include <algorithm>
#include <chrono>
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

void ApplyOverride(const Override& one, Entry& entry) {
  entry.title = one.title.value_or(std::move(entry.title));
  Replace(one.description, entry.description);
  Replace(one.location, entry.location);
  Replace(one.color, entry.color);
  entry.start_date = one.start_date.value_or(entry.start_date);
  entry.end_date = one.end_date.value_or(entry.end_date);
  entry.start_time = one.start_time ? one.start_time : entry.start_time;
  entry.end_time = one.end_time ? one.end_time : entry.end_time;
  entry.completed = one.completed.value_or(entry.completed);
}

/// `without` is the series without its recurrence, so that it is copied once and not each time.
Occurrence At(const Entry& without, const LocalTime& at, const Override* override) {
  Occurrence one{.of_series = at, .entry = without};
  const int shift = at.date - without.start_date;
  one.entry.start_date = at.date;
  one.entry.end_date = without.end_date + shift;
  if (without.start_time && at.time != *without.start_time) {
    // An addition at another time of day, or BYHOUR: the end goes along.
    const LocalTime end =
        LocalTime{.date = one.entry.end_date, .time = without.end_time.value_or(TimeOfDay())} +
        seconds(at.time.Seconds() - without.start_time->Seconds());
    one.entry.start_time = at.time;
    one.entry.end_date = end.date;
    one.entry.end_time = end.time;
  }
  if (override != nullptr) {
    ApplyOverride(*override, one.entry);
  }
  return one;
}

Entry WithoutRecurrence(const Entry& series) {
  Entry entry = series;
  entry.recurrence.reset();
  return entry;
}

bool IsException(const Entry& series, const LocalTime& at) {
  return std::ranges::binary_search(series.recurrence->exceptions, at);
}

void AddOverridden(const Entry& series, const Entry& without, const DayRange& days,
                   std::vector<Occurrence>& found) {
  for (const Override& one : series.recurrence->overrides) {
    Occurrence occurrence = At(without, one.occurrence, &one);
    if (Touches(occurrence.entry, days) && !IsException(series, one.occurrence)) {
      found.push_back(std::move(occurrence));
    }
  }
}

}  // namespace

Result<std::vector<Occurrence>> OccurrencesOf(const Entry& entry, const DayRange& days,
                                              almanac::ExpansionBudget& budget) {
  std::vector<Occurrence> found;
  if (!entry.recurrence) {
    if (Touches(entry, days)) {
      found.push_back({.entry = entry});
    }
    return found;
  }
  // One day more: an occurrence at another time of day may end a day later than the first one.
  const int length = entry.end_date - entry.start_date + 1;
  ASSIGN_OR_RETURN(const std::vector<LocalTime> starts,
                   almanac::Expand(SeriesOf(entry), {.date = days.from + -length},
                                   {.date = days.to + 1}, budget));
  const Entry without = WithoutRecurrence(entry);
  for (const LocalTime& start : starts) {
    if (FindOverride(entry, start) != nullptr) {
      continue;
    }
    Occurrence one = At(without, start, nullptr);
    if (Touches(one.entry, days)) {
      found.push_back(std::move(one));
    }
  }
  AddOverridden(entry, without, days, found);
  std::ranges::sort(found, {}, [](const Occurrence& one) { return StartOf(one.entry); });
  return found;
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
  return At(WithoutRecurrence(series), at, override);
}

}  // namespace atrium::calendar
