// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bitset>
#include <cstdint>
#include <vector>

#include "almanac/date.h"
#include "almanac/expansion_budget.h"
#include "almanac/local_time.h"
#include "almanac/rule.h"
#include "almanac/time_of_day.h"
#include "base/result.h"

namespace atrium::almanac {

/// From `first` to `last`, both included; empty when `last` is the earlier one.
struct LocalSpan {
  LocalTime first{};
  LocalTime last{};
};

/// What a rule says of days and times, without where it ends: which ones of a period it chooses.
/// A period is the day, week, month or year of FREQ; they are numbered from the one of the series'
/// start, which is 0, in steps of INTERVAL.
class RulePattern {
 public:
  /// What the rule leaves open is taken from `start` (RFC 5545 §3.3.10: "information, not contained
  /// in the rule, necessary to determine the various recurrence instance start times and dates").
  RulePattern(const Rule& rule, const LocalTime& start);

  /// The last period that begins on or before `date`; 0 when none does.
  std::int64_t PeriodOf(Date date) const;

  /// When nothing is chosen in so many periods in a row, nothing ever is: the calendar repeats
  /// itself after 400 years, to the weekday.
  std::int64_t PeriodsOfCycle() const;

  /// Appends what is chosen in `period` and lies in `span`, in order. Only the days in `span` are
  /// looked at, unless BYSETPOS makes the others matter.
  Result<void> Append(std::int64_t period, const LocalSpan& span, ExpansionBudget& budget,
                      std::vector<LocalTime>& out) const;

 private:
  /// Numbers of days since 1970, which may lie outside the range of Date; both included.
  struct Days {
    std::int64_t first;
    std::int64_t last;
  };

  /// Numbers in a month or year, counted from its front or its end.
  struct Numbers {
    std::bitset<367> front{};
    std::bitset<367> back{};
    bool every = true;

    void Restrict(const std::vector<int>& values);
    /// Whether `number` of `of` is among them.
    bool Has(int number, int of) const;
  };

  struct Month;

  void SetTimes(const Rule& rule, const LocalTime& start);
  void TakeOpenDaysFrom(const Rule& rule, Date start);
  Days DaysOf(std::int64_t period) const;
  template <typename Visit>
  Result<void> ForEachChosen(Days days, ExpansionBudget& budget, const Visit& visit) const;
  bool Chooses(const Month& month, int day) const;
  bool ChoosesWeekday(const Month& month, int day) const;
  bool ChoosesWeek(Date date) const;
  void AppendPositions(const std::vector<Date>& dates, const LocalSpan& span,
                       std::vector<LocalTime>& out) const;

  Frequency frequency_;
  std::int64_t interval_;
  int week_start_;
  Numbers months_;
  Numbers month_days_;
  Numbers year_days_;
  Numbers weeks_;
  /// Empty: all of them.
  std::vector<RuleDay> weekdays_;
  /// Ordinals of weekdays count within the month, not within the year.
  bool ordinals_of_month_;
  std::vector<int> positions_;
  /// Of each chosen day; never empty.
  std::vector<TimeOfDay> times_;
  Date start_;
};

}  // namespace atrium::almanac
