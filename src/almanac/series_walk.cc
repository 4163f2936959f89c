// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "almanac/series_walk.h"

#include <algorithm>
#include <chrono>
#include <ranges>

namespace atrium::almanac {
namespace {

constexpr std::chrono::seconds kOneSecond{1};
// An end before every beginning.
constexpr LocalSpan kNothing{.first = LocalTime::Max(), .last = LocalTime::Min()};

/// What of `span` is after the start of the series.
LocalSpan After(const LocalTime& start, const LocalSpan& span) {
  if (start == LocalTime::Max()) {
    return kNothing;
  }
  return {.first = std::max(span.first, start + kOneSecond), .last = span.last};
}

template <typename T>
void SortOnce(std::vector<T>& values) {
  std::ranges::sort(values);
  const auto repeated = std::ranges::unique(values);
  values.erase(repeated.begin(), repeated.end());
}

Result<LocalTime> LastOfRule(const Series& series, const Rule& rule, ExpansionBudget& budget) {
  if (rule.until) {
    return rule.until->time;
  }
  if (!rule.count) {
    return LocalTime::Max();
  }
  if (series.counted_until) {
    return *series.counted_until;
  }
  return CountThrough(rule, series.start, budget);
}

}  // namespace

RuleWalk::RuleWalk(const Rule& rule, const LocalTime& start, const LocalSpan& span,
                   ExpansionBudget& budget)
    : pattern_(rule, start),
      span_(After(start, span)),
      budget_(budget),
      period_(pattern_.PeriodOf(span_.first.date)),
      last_period_(pattern_.PeriodOf(span_.last.date)) {}

bool RuleWalk::IsAtEnd() const {
  return span_.first > span_.last || period_ > last_period_ ||
         fruitless_ > pattern_.PeriodsOfCycle();
}

Result<std::optional<LocalTime>> RuleWalk::Next() {
  while (answered_ == found_.size()) {
    if (IsAtEnd()) {
      return std::nullopt;
    }
    found_.clear();
    answered_ = 0;
    RETURN_IF_ERROR(pattern_.Append(period_, span_, budget_, found_));
    ++period_;
    fruitless_ = found_.empty() ? fruitless_ + 1 : 0;
  }
  return found_[answered_++];
}

bool OpenSeries::IsException(const LocalTime& time) const {
  return std::ranges::binary_search(exceptions, time);
}

LocalSpan OpenSeries::RuleSpan(const LocalSpan& span) const {
  return {.first = span.first, .last = std::min(span.last, rule_last)};
}

Result<OpenSeries> OpenForWalking(const Series& series, ExpansionBudget& budget) {
  OpenSeries open{
      .start = series.start, .dates = series.additions, .exceptions = series.exceptions};
  open.dates.push_back(series.start);
  SortOnce(open.dates);
  SortOnce(open.exceptions);
  if (!series.rule.empty()) {
    ASSIGN_OR_RETURN(open.rule, ParseRule(series.rule));
    ASSIGN_OR_RETURN(open.rule_last, LastOfRule(series, *open.rule, budget));
  }
  return open;
}

Result<LocalTime> CountThrough(const Rule& rule, const LocalTime& start, ExpansionBudget& budget) {
  RuleWalk walk(rule, start, {.first = start, .last = LocalTime::Max()}, budget);
  LocalTime last = start;
  for (int counted = 1; counted < *rule.count; ++counted) {
    ASSIGN_OR_RETURN(const std::optional<LocalTime> next, walk.Next());
    if (!next) {
      break;
    }
    last = *next;
  }
  return last;
}

SeriesWalk::SeriesWalk(const OpenSeries& series, const LocalSpan& span, ExpansionBudget& budget)
    : series_(series), span_(span), date_(std::ranges::lower_bound(series.dates, span.first)) {
  if (series.rule) {
    rule_.emplace(*series.rule, series.start, series.RuleSpan(span), budget);
  }
}

Result<std::optional<LocalTime>> SeriesWalk::Take() {
  if (rule_ && !asked_rule_) {
    ASSIGN_OR_RETURN(from_rule_, rule_->Next());
    asked_rule_ = true;
  }
  const bool has_date = date_ != series_.dates.end() && *date_ <= span_.last;
  if (!has_date && !from_rule_) {
    return std::nullopt;
  }
  const bool date_is_next = has_date && (!from_rule_ || *date_ <= *from_rule_);
  const LocalTime next = date_is_next ? *date_ : *from_rule_;
  // What both have is taken from both.
  if (from_rule_ == next) {
    asked_rule_ = false;
  }
  if (date_is_next) {
    ++date_;
  }
  return next;
}

Result<std::optional<LocalTime>> SeriesWalk::Next() {
  for (;;) {
    ASSIGN_OR_RETURN(const std::optional<LocalTime> next, Take());
    if (!next || !series_.IsException(*next)) {
      return next;
    }
  }
}

namespace {

/// The last start that the rule gives and that is no exception.
Result<std::optional<LocalTime>> LastFromRule(const OpenSeries& series, ExpansionBudget& budget) {
  const LocalSpan whole{.first = series.start, .last = series.rule_last};
  const LocalSpan span = After(series.start, whole);
  if (span.first > span.last) {
    return std::nullopt;
  }
  const RulePattern pattern(*series.rule, series.start);
  std::vector<LocalTime> found;
  std::int64_t fruitless = 0;
  for (std::int64_t period = pattern.PeriodOf(span.last.date);
       period >= 0 && fruitless <= pattern.PeriodsOfCycle(); --period) {
    found.clear();
    RETURN_IF_ERROR(pattern.Append(period, span, budget, found));
    fruitless = found.empty() ? fruitless + 1 : 0;
    for (const LocalTime& start : found | std::views::reverse) {
      if (!series.IsException(start)) {
        return start;
      }
    }
  }
  return std::nullopt;
}

}  // namespace

Result<std::optional<LocalTime>> LastOccurrence(const OpenSeries& series, ExpansionBudget& budget) {
  std::optional<LocalTime> last;
  for (const LocalTime& date : series.dates) {
    if (!series.IsException(date)) {
      last = date;
    }
  }
  if (series.rule) {
    ASSIGN_OR_RETURN(const std::optional<LocalTime> from_rule, LastFromRule(series, budget));
    // Nothing is earlier than every other thing.
    last = std::max(last, from_rule);
  }
  return last;
}

}  // namespace atrium::almanac
