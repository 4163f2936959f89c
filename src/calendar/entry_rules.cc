// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/entry_rules.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "almanac/zone.h"
#include "base/json_write.h"

namespace atrium::calendar {
namespace {

using std::chrono::seconds;

constexpr std::int32_t kReminderMinutes = 28 * 24 * 60;
constexpr std::size_t kOccurrencesOfOne = 20'000;
constexpr std::size_t kStepsOfOne = 2'000'000;
constexpr TimeOfDay kUsualStart = TimeOfDay::FromSeconds(9 * 3600);
constexpr TimeOfDay kUsualEnd = TimeOfDay::FromSeconds(10 * 3600);

std::unexpected<Error> Wrong(std::string message) {
  return Fail(ErrorCode::kInvalidArgument, std::move(message));
}

void ClearTimes(Entry& entry) {
  entry.start_time.reset();
  entry.end_time.reset();
  entry.time_zone.reset();
}

void SettleKind(Entry& entry) {
  entry.is_multi_day = entry.kind == EntryKind::kMultiDay;
  entry.is_all_day = entry.kind == EntryKind::kAllDay;
  entry.is_timed = entry.kind == EntryKind::kTimed;
  entry.is_task = entry.kind == EntryKind::kTask;
  if (!entry.is_task) {
    entry.completed = false;
  }
  if (entry.is_all_day || entry.is_multi_day) {
    ClearTimes(entry);
  }
  if (entry.is_all_day) {
    entry.end_date = entry.start_date;
  }
  if (entry.is_task) {
    entry.end_date = entry.start_date;
    entry.end_time = entry.start_time;
    if (!entry.start_time) {
      entry.time_zone.reset();
    }
  }
}

Result<void> CheckTimes(const Entry& entry) {
  if (entry.is_timed && (!entry.start_time || !entry.end_time)) {
    return Wrong(entry.start_time ? "end_time: a timed entry has one"
                                  : "start_time: a timed entry has one");
  }
  if (entry.end_date < entry.start_date) {
    return Wrong("end_date: before start_date");
  }
  if (entry.end_date - entry.start_date > kEntryDays) {
    return Wrong("end_date: more than ten years after start_date");
  }
  if (entry.is_timed && entry.end_date == entry.start_date && *entry.end_time < *entry.start_time) {
    return Wrong("end_time: before start_time; an entry over midnight names its end_date");
  }
  if (entry.time_zone) {
    RETURN_IF_ERROR(almanac::Zone::Find(*entry.time_zone));
  }
  return {};
}

Result<void> CheckReminders(const Entry& entry) {
  if (entry.reminders.size() > kReminders) {
    return Wrong("reminders: at most 10");
  }
  for (const Reminder& one : entry.reminders) {
    if (one.minutes_before < 0 || one.minutes_before > kReminderMinutes) {
      return Wrong("reminders: 0 to 40320 minutes before the start");
    }
  }
  return {};
}

void SortTimes(std::vector<LocalTime>& times) {
  std::ranges::sort(times);
  const auto rest = std::ranges::unique(times);
  times.erase(rest.begin(), rest.end());
}

Result<almanac::RuleTerms> TermsOf(const Entry& entry) {
  almanac::RuleTerms terms{.all_day = !entry.start_time};
  if (entry.time_zone) {
    ASSIGN_OR_RETURN(terms.zone, almanac::Zone::Find(*entry.time_zone));
  }
  return terms;
}

Result<void> SettleRecurrence(Entry& entry) {
  Recurrence& recurrence = *entry.recurrence;
  if (recurrence.additions.size() > kExceptions || recurrence.exceptions.size() > kExceptions) {
    return Wrong("recurrence: at most 500 additions and 500 exceptions");
  }
  if (recurrence.overrides.size() > kOverrides) {
    return Wrong("recurrence: at most 200 occurrences that differ; begin a new series");
  }
  if (!recurrence.rule.empty()) {
    ASSIGN_OR_RETURN(const almanac::RuleTerms terms, TermsOf(entry));
    ASSIGN_OR_RETURN(recurrence.rule, almanac::CanonicalRule(recurrence.rule, terms));
  }
  SortTimes(recurrence.additions);
  SortTimes(recurrence.exceptions);
  std::ranges::sort(recurrence.overrides, {}, &Override::occurrence);
  for (const Override& one : recurrence.overrides) {
    RETURN_IF_ERROR(CheckTexts(one));
  }
  recurrence.counted_until.reset();
  almanac::ExpansionBudget budget = BudgetForOne();
  ASSIGN_OR_RETURN(recurrence.counted_until, almanac::CountedUntil(SeriesOf(entry), budget));
  ASSIGN_OR_RETURN(recurrence.last, almanac::LastStart(SeriesOf(entry), budget));
  return {};
}

void SetOrClear(const std::optional<std::string>& said, std::optional<std::string>& text) {
  if (said) {
    text = said->empty() ? std::nullopt : said;
  }
}

/// The days and times of `fields`; an end that is not named goes along with the start.
void ApplyTimes(const EntryFields& fields, Entry& entry) {
  const LocalTime old_start = StartOf(entry);
  const bool keeps_length = !fields.end_date && !fields.end_time;
  entry.start_date = fields.start_date.value_or(entry.start_date);
  if (fields.start_time && (*fields.start_time || entry.kind == EntryKind::kTask)) {
    entry.start_time = *fields.start_time;
  }
  if (keeps_length && entry.end_time && entry.start_time) {
    const LocalTime end =
        LocalTime{.date = entry.end_date, .time = *entry.end_time} + (StartOf(entry) - old_start);
    entry.end_date = end.date;
    entry.end_time = end.time;
    return;
  }
  entry.end_date = fields.end_date.value_or(entry.end_date + (entry.start_date - old_start.date));
  if (fields.end_time) {
    entry.end_time = fields.end_time;
  }
}

void ApplyRecurrence(const EntryFields& fields, Entry& entry) {
  if (!fields.recurrence) {
    return;
  }
  const std::optional<RecurrenceFields>& said = *fields.recurrence;
  if (!said || (said->rule.empty() && said->additions.empty())) {
    entry.recurrence.reset();
    return;
  }
  Recurrence recurrence = entry.recurrence.value_or(Recurrence{});
  recurrence.rule = said->rule;
  recurrence.additions = said->additions;
  recurrence.exceptions = said->exceptions.value_or(std::move(recurrence.exceptions));
  entry.recurrence = std::move(recurrence);
}

Result<void> CheckRequired(const EntryFields& fields) {
  if (!fields.kind) {
    return Wrong("kind: required");
  }
  if (!fields.title) {
    return Wrong("title: required");
  }
  if (!fields.start_date) {
    return Wrong("start_date: required");
  }
  if (fields.kind == EntryKind::kMultiDay && !fields.end_date) {
    return Wrong("end_date: required for several days");
  }
  return {};
}

}  // namespace

LocalTime StartOf(const Entry& entry) {
  return {.date = entry.start_date, .time = entry.start_time.value_or(TimeOfDay())};
}

Date LastDayOf(const Entry& entry) {
  const bool ends_at_midnight = entry.is_timed && entry.end_date > entry.start_date &&
                                entry.end_time && entry.end_time->Seconds() == 0;
  return ends_at_midnight ? entry.end_date + -1 : entry.end_date;
}

almanac::Series SeriesOf(const Entry& entry) {
  return {.start = StartOf(entry),
          .rule = entry.recurrence->rule,
          .additions = entry.recurrence->additions,
          .exceptions = entry.recurrence->exceptions,
          .counted_until = entry.recurrence->counted_until};
}

almanac::ExpansionBudget BudgetForOne() {
  return almanac::ExpansionBudget(kOccurrencesOfOne, kStepsOfOne);
}

Result<Entry> Compose(const EntryFields& fields, std::string_view usual_zone) {
  RETURN_IF_ERROR(CheckRequired(fields));
  const std::optional<TimeOfDay> start_time = fields.start_time.value_or(std::nullopt);
  Entry entry{.kind = *fields.kind,
              .start_date = *fields.start_date,
              .end_date = fields.end_date.value_or(*fields.start_date),
              .start_time = start_time,
              .end_time = fields.end_time,
              .time_zone = start_time ? std::optional(std::string(usual_zone)) : std::nullopt};
  ASSIGN_OR_RETURN(entry, Apply(fields, usual_zone, std::move(entry)));
  RETURN_IF_ERROR(Settle(entry));
  return entry;
}

Result<Entry> Apply(const EntryFields& fields, std::string_view usual_zone, Entry entry) {
  const bool becomes_timed = fields.kind == EntryKind::kTimed && entry.kind != EntryKind::kTimed;
  const bool had_time = entry.start_time.has_value();
  entry.kind = fields.kind.value_or(entry.kind);
  if (becomes_timed) {
    entry.start_time = fields.start_time.value_or(std::nullopt).value_or(kUsualStart);
    entry.end_time = fields.end_time.value_or(kUsualEnd);
  }
  ApplyTimes(fields, entry);
  entry.title = fields.title.value_or(std::move(entry.title));
  SetOrClear(fields.description, entry.description);
  SetOrClear(fields.location, entry.location);
  SetOrClear(fields.url, entry.url);
  SetOrClear(fields.color, entry.color);
  entry.completed = fields.completed.value_or(entry.completed);
  entry.transparent = fields.transparent.value_or(entry.transparent);
  entry.reminders = fields.reminders.value_or(std::move(entry.reminders));
  if (fields.time_zone) {
    entry.time_zone = fields.time_zone;
  } else if (entry.start_time && !had_time) {
    entry.time_zone = std::string(usual_zone);
  }
  ApplyRecurrence(fields, entry);
  SettleKind(entry);
  return entry;
}

Result<void> Settle(Entry& entry) {
  SettleKind(entry);
  RETURN_IF_ERROR(CheckTexts(entry));
  RETURN_IF_ERROR(CheckTimes(entry));
  RETURN_IF_ERROR(CheckReminders(entry));
  if (entry.recurrence) {
    RETURN_IF_ERROR(SettleRecurrence(entry));
  }
  if (ToJson(entry).size() > kEntryBytes) {
    return Fail(ErrorCode::kLimitExceeded, "the entry is larger than 40 KiB");
  }
  return {};
}

}  // namespace atrium::calendar
