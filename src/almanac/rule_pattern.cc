// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "almanac/rule_pattern.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdlib>

namespace atrium::almanac {
namespace {

constexpr int kMonthsPerYear = 12;
constexpr int kDaysPerWeek = 7;

constexpr bool IsLeap(int year) {
  return std::chrono::year(year).is_leap();
}

constexpr int YearLength(int year) {
  return IsLeap(year) ? 366 : 365;
}

// Of years that are not leap years.
constexpr std::array<int, kMonthsPerYear + 1> kDaysBeforeMonth = {0,   31,  59,  90,  120, 151, 181,
                                                                  212, 243, 273, 304, 334, 365};

/// How many days of the year are before the month; 13: all of them.
constexpr int DaysBeforeMonth(int year, int month) {
  return kDaysBeforeMonth[static_cast<std::size_t>(month - 1)] +
         (month > 2 && IsLeap(year) ? 1 : 0);
}

/// Days since 1970; `year` may lie outside the range of Date.
constexpr std::int64_t DaysTo(std::int64_t year, int month) {
  const std::chrono::year_month_day first = std::chrono::year(static_cast<int>(year)) / month / 1;
  return std::chrono::sys_days(first).time_since_epoch().count();
}

/// The same of a month counted from the year 0 on.
constexpr std::int64_t DaysToMonth(std::int64_t month) {
  return DaysTo(month / kMonthsPerYear, static_cast<int>(month % kMonthsPerYear) + 1);
}

/// Months since the year 0.
constexpr std::int64_t MonthsTo(Date date) {
  return std::int64_t{date.Year()} * kMonthsPerYear + date.Month() - 1;
}

/// How far into the week that begins on `week_start` the date is.
constexpr int DayOfWeek(Date date, int week_start) {
  return (date.Weekday() - week_start + kDaysPerWeek) % kDaysPerWeek;
}

}  // namespace

/// A month, and what is known of all its days.
struct RulePattern::Month {
  int number;
  int length;
  Date first;
  /// How many days of the year are before it.
  int days_before;
  int year_length;

  /// The one that `date` is in.
  static Month Of(Date date) {
    const std::chrono::year_month_day civil = date.Civil();
    const int year = static_cast<int>(civil.year());
    const int number = static_cast<int>(static_cast<unsigned>(civil.month()));
    const int days_before = DaysBeforeMonth(year, number);
    return {.number = number,
            .length = DaysBeforeMonth(year, number + 1) - days_before,
            .first = date + (1 - static_cast<int>(static_cast<unsigned>(civil.day()))),
            .days_before = days_before,
            .year_length = YearLength(year)};
  }
};

void RulePattern::Numbers::Restrict(const std::vector<int>& values) {
  for (const int value : values) {
    (value > 0 ? front : back).set(static_cast<std::size_t>(std::abs(value)));
    every = false;
  }
}

bool RulePattern::Numbers::Has(int number, int of) const {
  const int from_end = of - number + 1;
  return every || front.test(static_cast<std::size_t>(number)) ||
         back.test(static_cast<std::size_t>(from_end));
}

RulePattern::RulePattern(const Rule& rule, const LocalTime& start)
    : frequency_(rule.frequency),
      interval_(rule.interval),
      week_start_(rule.week_start),
      weekdays_(rule.by_day),
      ordinals_of_month_(rule.frequency == Frequency::kMonthly || !rule.by_month.empty()),
      positions_(rule.by_set_pos),
      start_(start.date) {
  months_.Restrict(rule.by_month);
  month_days_.Restrict(rule.by_month_day);
  year_days_.Restrict(rule.by_year_day);
  weeks_.Restrict(rule.by_week_no);
  TakeOpenDaysFrom(rule, start.date);
  SetTimes(rule, start);
}

void RulePattern::TakeOpenDaysFrom(const Rule& rule, Date start) {
  const bool open = rule.by_day.empty() && rule.by_month_day.empty() && rule.by_year_day.empty();
  if (!open || frequency_ == Frequency::kDaily) {
    return;
  }
  if (frequency_ == Frequency::kWeekly || !rule.by_week_no.empty()) {
    weekdays_ = {{.weekday = start.Weekday(), .ordinal = 0}};
    return;
  }
  month_days_.Restrict({start.Day()});
  if (frequency_ == Frequency::kYearly && rule.by_month.empty()) {
    months_.Restrict({start.Month()});
  }
}

void RulePattern::SetTimes(const Rule& rule, const LocalTime& start) {
  const auto or_start = [](const std::vector<int>& values, int of_start) {
    return values.empty() ? std::vector<int>{of_start} : values;
  };
  const int seconds = start.time.Seconds();
  for (const int hour : or_start(rule.by_hour, seconds / 3600)) {
    for (const int minute : or_start(rule.by_minute, seconds / 60 % 60)) {
      for (const int second : or_start(rule.by_second, seconds % 60)) {
        times_.push_back(TimeOfDay::FromSeconds((hour * 60 + minute) * 60 + second));
      }
    }
  }
}

std::int64_t RulePattern::PeriodOf(Date date) const {
  if (date <= start_) {
    return 0;
  }
  switch (frequency_) {
    case Frequency::kDaily:
      return (date - start_) / interval_;
    case Frequency::kWeekly:
      return (date - start_ + DayOfWeek(start_, week_start_)) / kDaysPerWeek / interval_;
    case Frequency::kMonthly:
      return (MonthsTo(date) - MonthsTo(start_)) / interval_;
    case Frequency::kYearly:
      return (date.Year() - start_.Year()) / interval_;
  }
  return 0;
}

RulePattern::Days RulePattern::DaysOf(std::int64_t period) const {
  const std::int64_t step = period * interval_;
  switch (frequency_) {
    case Frequency::kDaily:
      return {.first = start_.Days() + step, .last = start_.Days() + step};
    case Frequency::kWeekly: {
      const std::int64_t first =
          start_.Days() - DayOfWeek(start_, week_start_) + step * kDaysPerWeek;
      return {.first = first, .last = first + kDaysPerWeek - 1};
    }
    case Frequency::kMonthly: {
      const std::int64_t month = MonthsTo(start_) + step;
      return {.first = DaysToMonth(month), .last = DaysToMonth(month + 1) - 1};
    }
    case Frequency::kYearly: {
      const std::int64_t year = start_.Year() + step;
      return {.first = DaysTo(year, 1), .last = DaysTo(year + 1, 1) - 1};
    }
  }
  return {.first = 0, .last = -1};
}

std::int64_t RulePattern::PeriodsOfCycle() const {
  constexpr std::int64_t kYears = 400;
  constexpr std::int64_t kDays = 146'097;
  switch (frequency_) {
    case Frequency::kDaily:
      return kDays;
    case Frequency::kWeekly:
      return kDays / kDaysPerWeek;
    case Frequency::kMonthly:
      return kYears * kMonthsPerYear;
    case Frequency::kYearly:
      return kYears;
  }
  return 0;
}

bool RulePattern::ChoosesWeekday(const Month& month, int day) const {
  const int weekday = (month.first + (day - 1)).Weekday();
  const int number = ordinals_of_month_ ? day : month.days_before + day;
  const int of = ordinals_of_month_ ? month.length : month.year_length;
  return std::ranges::any_of(weekdays_, [&](const RuleDay& wanted) {
    if (wanted.weekday != weekday) {
      return false;
    }
    return wanted.ordinal == 0 || wanted.ordinal == (number - 1) / kDaysPerWeek + 1 ||
           wanted.ordinal == -((of - number) / kDaysPerWeek + 1);
  });
}

/// Weeks belong to the year that has most of their days, so that of its fourth day.
bool RulePattern::ChoosesWeek(Date date) const {
  const Date fourth = date + (3 - DayOfWeek(date, week_start_));
  const int year = fourth.Year();
  const int days_before = static_cast<int>(fourth.Days() - DaysTo(year, 1));
  const int days_after = YearLength(year) - 1 - days_before;
  const int week = days_before / kDaysPerWeek + 1;
  return weeks_.Has(week, week + days_after / kDaysPerWeek);
}

bool RulePattern::Chooses(const Month& month, int day) const {
  return month_days_.Has(day, month.length) && (weekdays_.empty() || ChoosesWeekday(month, day)) &&
         (year_days_.every || year_days_.Has(month.days_before + day, month.year_length)) &&
         (weeks_.every || ChoosesWeek(month.first + (day - 1)));
}

template <typename Visit>
Result<void> RulePattern::ForEachChosen(Days days, ExpansionBudget& budget,
                                        const Visit& visit) const {
  std::int64_t next = days.first;
  while (next <= days.last) {
    const Date date = Date::FromDays(static_cast<std::int32_t>(next));
    const Month month = Month::Of(date);
    const std::int64_t end =
        std::min<std::int64_t>(days.last, month.first.Days() + month.length - 1);
    if (months_.Has(month.number, kMonthsPerYear)) {
      const std::int64_t count = end - next + 1;
      RETURN_IF_ERROR(budget.SpendSteps(static_cast<std::size_t>(count)));
      const int first_day = date - month.first + 1;
      for (int i = 0; i < count; ++i) {
        if (Chooses(month, first_day + i)) {
          visit(date + i);
        }
      }
    } else {
      RETURN_IF_ERROR(budget.SpendSteps(1));
    }
    next = end + 1;
  }
  return {};
}

void RulePattern::AppendPositions(const std::vector<Date>& dates, const LocalSpan& span,
                                  std::vector<LocalTime>& out) const {
  const auto size = static_cast<std::int64_t>(dates.size() * times_.size());
  std::vector<std::int64_t> chosen;
  for (const int position : positions_) {
    const std::int64_t index = position > 0 ? position - 1 : size + position;
    if (index >= 0 && index < size) {
      chosen.push_back(index);
    }
  }
  std::ranges::sort(chosen);
  const auto repeated = std::ranges::unique(chosen);
  chosen.erase(repeated.begin(), repeated.end());
  for (const std::int64_t index : chosen) {
    const auto place = static_cast<std::size_t>(index);
    const LocalTime start{.date = dates[place / times_.size()],
                          .time = times_[place % times_.size()]};
    if (start >= span.first && start <= span.last) {
      out.push_back(start);
    }
  }
}

Result<void> RulePattern::Append(std::int64_t period, const LocalSpan& span,
                                 ExpansionBudget& budget, std::vector<LocalTime>& out) const {
  Days days = DaysOf(period);
  days.first = std::max<std::int64_t>(days.first, Date::Min().Days());
  days.last = std::min<std::int64_t>(days.last, Date::Max().Days());
  if (!positions_.empty()) {
    std::vector<Date> dates;
    RETURN_IF_ERROR(ForEachChosen(days, budget, [&](Date date) { dates.push_back(date); }));
    AppendPositions(dates, span, out);
    return {};
  }
  days.first = std::max<std::int64_t>(days.first, span.first.date.Days());
  days.last = std::min<std::int64_t>(days.last, span.last.date.Days());
  const std::size_t before = out.size();
  RETURN_IF_ERROR(ForEachChosen(days, budget, [&](Date date) {
    for (const TimeOfDay time : times_) {
      const LocalTime start{.date = date, .time = time};
      if (start >= span.first && start <= span.last) {
        out.push_back(start);
      }
    }
  }));
  return budget.SpendSteps(out.size() - before);
}

}  // namespace atrium::almanac
