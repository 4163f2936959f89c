// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "almanac/recurrence.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "almanac/date.h"
#include "almanac/rule.h"
#include "almanac/rule_pattern.h"
#include "almanac/series_walk.h"
#include "almanac/time_of_day.h"

namespace atrium::almanac {
namespace {

constexpr std::chrono::seconds kOneSecond{1};
// What finding the end of a COUNT may cost where the caller gave no budget.
constexpr std::size_t kCountingStepsMax = 4'000'000;

constexpr LocalTime EndOf(Date date) {
  return {.date = date, .time = TimeOfDay::FromSeconds(TimeOfDay::kSecondsPerDay - 1)};
}

/// UNTIL in the form in which it is stored.
RuleEnd Localized(const RuleEnd& end, const RuleTerms& terms) {
  LocalTime time = end.time;
  if (end.form == RuleEnd::Form::kUtc && terms.zone) {
    time = terms.zone->In(Zone::Utc().At(time));
  }
  if (terms.all_day) {
    return {.time = EndOf(time.date), .form = RuleEnd::Form::kDate};
  }
  return {.time = time, .form = RuleEnd::Form::kLocal};
}

/// RFC 5545 §3.3.10: "These rule parts MUST be ignored".
void DropTimes(Rule& rule) {
  rule.by_hour.clear();
  rule.by_minute.clear();
  rule.by_second.clear();
}

Result<std::vector<LocalTime>> Collect(SeriesWalk& walk, std::size_t count,
                                       ExpansionBudget& budget) {
  std::vector<LocalTime> starts;
  while (starts.size() < count) {
    ASSIGN_OR_RETURN(const std::optional<LocalTime> next, walk.Next());
    if (!next) {
      break;
    }
    RETURN_IF_ERROR(budget.SpendOccurrence());
    starts.push_back(*next);
  }
  return starts;
}

/// Whether a rule without an end goes on after its start.
Result<bool> GoesOn(const OpenSeries& series, ExpansionBudget& budget) {
  RuleWalk walk(*series.rule, series.start, {.first = series.start, .last = LocalTime::Max()},
                budget);
  ASSIGN_OR_RETURN(const std::optional<LocalTime> next, walk.Next());
  return next.has_value();
}

}  // namespace

Result<std::string> CanonicalRule(std::string_view text, const RuleTerms& terms) {
  if (text.size() > kRuleBytesMax) {
    return RefuseRule(fmt::format("is longer than {} bytes", kRuleBytesMax));
  }
  ASSIGN_OR_RETURN(Rule rule, ParseRule(text));
  if (rule.until) {
    rule.until = Localized(*rule.until, terms);
  }
  if (terms.all_day) {
    DropTimes(rule);
  }
  std::string canonical = RenderRule(rule);
  // BYSETPOS may have lost what it chose from.
  RETURN_IF_ERROR(ParseRule(canonical));
  return canonical;
}

Result<std::string> RuleForExport(std::string_view text, const RuleTerms& terms) {
  ASSIGN_OR_RETURN(Rule rule, ParseRule(text));
  if (rule.until && terms.zone && !terms.all_day) {
    rule.until = {.time = Zone::Utc().In(terms.zone->At(rule.until->time)),
                  .form = RuleEnd::Form::kUtc};
  }
  return RenderRule(rule);
}

Result<std::vector<LocalTime>> Expand(const Series& series, const LocalTime& from,
                                      const LocalTime& before, ExpansionBudget& budget) {
  if (before <= from) {
    return std::vector<LocalTime>();
  }
  ASSIGN_OR_RETURN(const OpenSeries open, OpenForWalking(series, budget));
  SeriesWalk walk(open, {.first = from, .last = before + -kOneSecond}, budget);
  return Collect(walk, std::string::npos, budget);
}

Result<std::vector<LocalTime>> NextStarts(const Series& series, const LocalTime& from,
                                          std::size_t count, ExpansionBudget& budget) {
  ASSIGN_OR_RETURN(const OpenSeries open, OpenForWalking(series, budget));
  SeriesWalk walk(open, {.first = from, .last = LocalTime::Max()}, budget);
  return Collect(walk, count, budget);
}

Result<std::optional<LocalTime>> LastStart(const Series& series, ExpansionBudget& budget) {
  ASSIGN_OR_RETURN(OpenSeries open, OpenForWalking(series, budget));
  if (open.rule && !open.rule->count && !open.rule->until) {
    ASSIGN_OR_RETURN(const bool goes_on, GoesOn(open, budget));
    if (goes_on) {
      return std::nullopt;
    }
    open.rule.reset();
  }
  ASSIGN_OR_RETURN(const std::optional<LocalTime> last, LastOccurrence(open, budget));
  if (!last) {
    return Fail(ErrorCode::kInvalidArgument, "recurrence.exceptions: nothing is left");
  }
  return last;
}

Result<std::optional<LocalTime>> CountedUntil(const Series& series, ExpansionBudget& budget) {
  if (series.rule.empty()) {
    return std::nullopt;
  }
  ASSIGN_OR_RETURN(const Rule rule, ParseRule(series.rule));
  if (!rule.count) {
    return std::nullopt;
  }
  return CountThrough(rule, series.start, budget);
}

Result<std::string> EndRuleBefore(const Series& series, const LocalTime& at,
                                  const RuleTerms& terms) {
  if (at <= series.start) {
    return Fail(ErrorCode::kInvalidArgument, "recurrence: nothing of the series is before that");
  }
  ExpansionBudget budget(0, kCountingStepsMax);
  ASSIGN_OR_RETURN(OpenSeries open, OpenForWalking(series, budget));
  if (!open.rule) {
    return std::string();
  }
  Rule& rule = *open.rule;
  rule.count.reset();
  rule.until = Localized({.time = std::min(open.rule_last, at + -kOneSecond)}, terms);
  return RenderRule(rule);
}

Result<std::string> RuleFrom(const Series& series, const LocalTime& at, ExpansionBudget& budget) {
  if (series.rule.empty()) {
    return std::string();
  }
  ASSIGN_OR_RETURN(Rule rule, ParseRule(series.rule));
  if (rule.until && rule.until->time <= at) {
    return std::string();
  }
  if (!rule.count || at <= series.start) {
    return RenderRule(rule);
  }
  RuleWalk walk(rule, series.start, {.first = series.start, .last = LocalTime::Max()}, budget);
  // How many of those that were counted are after `at`, and `at` itself.
  int left = *rule.count;
  for (std::optional<LocalTime> next = series.start; next && *next <= at && left > 0; --left) {
    ASSIGN_OR_RETURN(next, walk.Next());
  }
  if (left == 0) {
    return std::string();
  }
  rule.count = left + 1;
  return RenderRule(rule);
}

}  // namespace atrium::almanac
