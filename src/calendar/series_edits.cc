// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/series_edits.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "almanac/recurrence.h"
#include "calendar/entry_rules.h"
#include "calendar/occurrences.h"

namespace atrium::calendar {
namespace {

using std::chrono::seconds;

constexpr int kDaysInAWeek = 7;

/// What is said of a time that is as shown says nothing of the series, which may have another.
void MoveTime(const std::optional<TimeOfDay>& shown, const std::optional<TimeOfDay>& usual,
              std::optional<TimeOfDay>& said) {
  if (said && said == shown) {
    said = usual;
  }
}

/// A change of an occurrence, as it is shown, told as a change of the first one.
EntryFields MovedToFirst(EntryFields fields, const Entry& series, const Entry& shown) {
  if (fields.start_date) {
    fields.start_date = *fields.start_date + (series.start_date - shown.start_date);
  }
  if (fields.end_date) {
    fields.end_date = *fields.end_date + (series.end_date - shown.end_date);
  }
  if (fields.start_time) {
    MoveTime(shown.start_time, series.start_time, *fields.start_time);
  }
  MoveTime(shown.end_time, series.end_time, fields.end_time);
  return fields;
}

std::string_view PartOf(std::string_view rule, std::string_view name) {
  const std::string wanted = std::string(name) + "=";
  std::size_t start = rule.starts_with(wanted) ? 0 : rule.find(";" + wanted);
  if (start == std::string_view::npos) {
    return {};
  }
  start = rule.find('=', start) + 1;
  return rule.substr(start, rule.find(';', start) - start);
}

bool NamesDays(std::string_view rule) {
  constexpr auto kParts =
      std::to_array<std::string_view>({"BYDAY", "BYMONTHDAY", "BYYEARDAY", "BYWEEKNO", "BYMONTH"});
  return std::ranges::any_of(kParts,
                             [&](std::string_view part) { return !PartOf(rule, part).empty(); });
}

/// "MO,WE" two days on is "WE,FR".
std::string ShiftWeekdays(std::string_view days, int shift) {
  constexpr std::string_view kNames = "MOTUWETHFRSASU";
  std::string shifted;
  for (std::size_t at = 0; at + 2 <= days.size(); at += 3) {
    const auto index = static_cast<int>(kNames.find(days.substr(at, 2)) / 2);
    const int moved = ((index + shift) % kDaysInAWeek + kDaysInAWeek) % kDaysInAWeek;
    shifted += (shifted.empty() ? "" : ",");
    shifted += kNames.substr(static_cast<std::size_t>(moved) * 2, 2);
  }
  return shifted;
}

/// "20260330T235959" or "20260330", as stored rules have it, as much later.
Result<std::string> ShiftUntil(std::string_view until, seconds shift, int days) {
  std::string text(until);
  text.insert(6, "-").insert(4, "-");
  if (text.find('T') == std::string::npos) {
    ASSIGN_OR_RETURN(const Date day, Date::Parse(text));
    text = (day + days).Render();
  } else {
    text.insert(15, ":").insert(13, ":");
    ASSIGN_OR_RETURN(const LocalTime time, LocalTime::Parse(text));
    const LocalTime shifted = time + shift;
    text = shifted.date.Render() + "T" + shifted.time.Render();
    constexpr std::size_t kWithoutSeconds = 16;
    text += text.size() == kWithoutSeconds ? "00" : "";
  }
  std::erase_if(text, [](char c) { return c == '-' || c == ':'; });
  return text;
}

/// As many occurrences as before, wherever the start goes: the end goes along.
Result<std::string> ShiftEnd(std::string rule, seconds shift, int days) {
  const std::string_view until = PartOf(rule, "UNTIL");
  if (until.empty()) {
    return rule;
  }
  ASSIGN_OR_RETURN(const std::string shifted, ShiftUntil(until, shift, days));
  const auto start = static_cast<std::size_t>(until.data() - rule.data());
  return rule.replace(start, until.size(), shifted);
}

Result<std::string> ShiftDays(const std::string& rule, int days) {
  if (days % kDaysInAWeek == 0 && PartOf(rule, "FREQ") == "WEEKLY") {
    return rule;
  }
  if (days == 0 || !NamesDays(rule)) {
    return rule;
  }
  const std::string_view weekdays = PartOf(rule, "BYDAY");
  if (PartOf(rule, "FREQ") != "WEEKLY" || weekdays.empty() || !PartOf(rule, "BYMONTH").empty()) {
    return Fail(ErrorCode::kInvalidArgument,
                "recurrence: the rule names its days; send the rule along with the new date");
  }
  std::string shifted = rule;
  const auto start = static_cast<std::size_t>(weekdays.data() - rule.data());
  shifted.replace(start, weekdays.size(), ShiftWeekdays(weekdays, days));
  return shifted;
}

void ShiftTimes(std::vector<LocalTime>& times, seconds shift) {
  for (LocalTime& time : times) {
    time = time + shift;
  }
}

void ShiftOverride(Override& one, seconds shift, int days) {
  one.occurrence = one.occurrence + shift;
  if (one.start_date) {
    one.start_date = *one.start_date + days;
  }
  if (one.end_date) {
    one.end_date = *one.end_date + days;
  }
}

/// What was told of single occurrences follows the start.
Result<void> ShiftSeries(const Entry& before, const EntryFields& fields, Entry& after) {
  const seconds shift = StartOf(after) - StartOf(before);
  if (!after.recurrence || !before.recurrence || shift == seconds(0)) {
    return {};
  }
  Recurrence& recurrence = *after.recurrence;
  const int days = after.start_date - before.start_date;
  if (!fields.recurrence) {
    ASSIGN_OR_RETURN(recurrence.rule, ShiftDays(recurrence.rule, days));
    ASSIGN_OR_RETURN(recurrence.rule, ShiftEnd(std::move(recurrence.rule), shift, days));
    ShiftTimes(recurrence.additions, shift);
  }
  if (!fields.recurrence || !(*fields.recurrence)->exceptions) {
    ShiftTimes(recurrence.exceptions, shift);
  }
  for (Override& one : recurrence.overrides) {
    ShiftOverride(one, shift, days);
    if (!after.start_time) {
      one.start_time.reset();
      one.end_time.reset();
    }
  }
  return {};
}

/// Overrides of occurrences that a new rule does not have would show up beside it.
Result<void> DropStrayOverrides(Entry& entry) {
  if (!entry.recurrence) {
    return {};
  }
  const almanac::Series series = SeriesOf(entry);
  almanac::ExpansionBudget budget = BudgetForOne();
  std::vector<Override> kept;
  for (Override& one : entry.recurrence->overrides) {
    ASSIGN_OR_RETURN(const auto starts,
                     almanac::Expand(series, one.occurrence, one.occurrence + seconds(1), budget));
    if (!starts.empty()) {
      kept.push_back(std::move(one));
    }
  }
  entry.recurrence->overrides = std::move(kept);
  return {};
}

void EraseOverride(Recurrence& recurrence, const LocalTime& at) {
  std::erase_if(recurrence.overrides, [&](const Override& one) { return one.occurrence == at; });
}

Result<void> CheckFieldsOfOne(const Entry& series, const EntryFields& fields) {
  if (fields.kind && *fields.kind != series.kind) {
    return Fail(ErrorCode::kInvalidArgument, "kind: only of the whole series");
  }
  if (fields.time_zone && fields.time_zone != series.time_zone) {
    return Fail(ErrorCode::kInvalidArgument, "time_zone: only of the whole series");
  }
  if (fields.start_time && !*fields.start_time && series.start_time) {
    return Fail(ErrorCode::kInvalidArgument, "start_time: only the whole series can be without");
  }
  const bool differs = (fields.reminders && *fields.reminders != series.reminders) ||
                       (fields.transparent && *fields.transparent != series.transparent);
  if (fields.recurrence || differs) {
    return Fail(ErrorCode::kInvalidArgument,
                "recurrence, reminders, transparent: only of the whole series");
  }
  return {};
}

/// Keeps what belongs to the part of the series for which `belongs` answers yes.
template <typename Belongs>
void KeepPart(Recurrence& recurrence, const Belongs& belongs) {
  const auto foreign = [&](const LocalTime& time) { return !belongs(time); };
  std::erase_if(recurrence.additions, foreign);
  std::erase_if(recurrence.exceptions, foreign);
  std::erase_if(recurrence.overrides,
                [&](const Override& one) { return !belongs(one.occurrence); });
}

}  // namespace

Result<Entry> ChangeAll(const Entry& series, const std::optional<LocalTime>& at,
                        const EntryFields& fields, std::string_view usual_zone) {
  EntryFields meant = fields;
  if (at) {
    ASSIGN_OR_RETURN(const Occurrence shown, OccurrenceAt(series, *at));
    meant = MovedToFirst(std::move(meant), series, shown.entry);
  }
  ASSIGN_OR_RETURN(Entry changed, Apply(meant, usual_zone, series));
  RETURN_IF_ERROR(ShiftSeries(series, meant, changed));
  RETURN_IF_ERROR(Settle(changed));
  RETURN_IF_ERROR(DropStrayOverrides(changed));
  return changed;
}

Result<Entry> ChangeThis(const Entry& series, const LocalTime& at, const EntryFields& fields,
                         std::string_view usual_zone) {
  RETURN_IF_ERROR(CheckFieldsOfOne(series, fields));
  ASSIGN_OR_RETURN(const Occurrence now, OccurrenceAt(series, at));
  ASSIGN_OR_RETURN(Entry changed, Apply(fields, usual_zone, now.entry));
  RETURN_IF_ERROR(Settle(changed));
  Entry plain = series;
  EraseOverride(*plain.recurrence, at);
  ASSIGN_OR_RETURN(const Occurrence usual, OccurrenceAt(plain, at));
  const Override difference = DifferenceOf(at, changed, usual.entry);
  if (difference != Override{.occurrence = at}) {
    plain.recurrence->overrides.push_back(difference);
  }
  RETURN_IF_ERROR(Settle(plain));
  return plain;
}

Result<std::optional<Entry>> DropThis(const Entry& series, const LocalTime& at) {
  RETURN_IF_ERROR(OccurrenceAt(series, at));
  Entry rest = series;
  EraseOverride(*rest.recurrence, at);
  rest.recurrence->exceptions.push_back(at);
  almanac::ExpansionBudget budget = BudgetForOne();
  ASSIGN_OR_RETURN(const auto left,
                   almanac::NextStarts(SeriesOf(rest), LocalTime::Min(), 1, budget));
  if (left.empty()) {
    return std::nullopt;
  }
  RETURN_IF_ERROR(Settle(rest));
  return rest;
}

Result<Split> SplitAt(const Entry& series, const LocalTime& at) {
  RETURN_IF_ERROR(OccurrenceAt(series, at));
  almanac::ExpansionBudget budget = BudgetForOne();
  const almanac::Series whole = SeriesOf(series);
  ASSIGN_OR_RETURN(const auto first, almanac::NextStarts(whole, LocalTime::Min(), 1, budget));
  if (!first.empty() && at <= first.front()) {
    return Split{.after = series};
  }
  Split split{.before = series, .after = series};
  ASSIGN_OR_RETURN(split.before->recurrence->rule, almanac::EndRuleBefore(whole, at));
  KeepPart(*split.before->recurrence, [&](const LocalTime& time) { return time < at; });
  ASSIGN_OR_RETURN(split.after.recurrence->rule, almanac::RuleFrom(whole, at, budget));
  KeepPart(*split.after.recurrence, [&](const LocalTime& time) { return at <= time; });
  Entry plain = series;
  EraseOverride(*plain.recurrence, at);
  ASSIGN_OR_RETURN(const Occurrence usual, OccurrenceAt(plain, at));
  split.after.start_date = usual.entry.start_date;
  split.after.end_date = usual.entry.end_date;
  split.after.start_time = usual.entry.start_time;
  split.after.end_time = usual.entry.end_time;
  RETURN_IF_ERROR(Settle(*split.before));
  RETURN_IF_ERROR(Settle(split.after));
  return split;
}

}  // namespace atrium::calendar
