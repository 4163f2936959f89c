// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "almanac/expansion_budget.h"
#include "almanac/local_time.h"
#include "almanac/recurrence.h"
#include "almanac/rule.h"
#include "almanac/rule_pattern.h"
#include "base/result.h"

namespace atrium::almanac {

/// The starts after that of the series which a rule gives within a span, one after the other.
class RuleWalk {
 public:
  /// `budget` must outlive it.
  RuleWalk(const Rule& rule, const LocalTime& start, const LocalSpan& span,
           ExpansionBudget& budget);

  /// nullopt: there are no more.
  Result<std::optional<LocalTime>> Next();

 private:
  bool IsAtEnd() const;

  RulePattern pattern_;
  LocalSpan span_;
  ExpansionBudget& budget_;
  std::int64_t period_;
  std::int64_t last_period_;
  /// How many periods before this one had nothing.
  std::int64_t fruitless_ = 0;
  // What the last period had, and how much of it was answered.
  std::vector<LocalTime> found_;
  std::size_t answered_ = 0;
};

/// A series whose rule has been read and whose end is known.
struct OpenSeries {
  LocalTime start{};
  std::optional<Rule> rule{};
  /// The rule gives no start later than this one: UNTIL, or what COUNT comes to.
  LocalTime rule_last{};
  /// The start and the additions, sorted, each once.
  std::vector<LocalTime> dates{};
  /// Sorted.
  std::vector<LocalTime> exceptions{};

  bool IsException(const LocalTime& time) const;

  /// The part of `span` in which the rule is asked.
  LocalSpan RuleSpan(const LocalSpan& span) const;
};

/// kInvalidArgument when the rule is none.
Result<OpenSeries> OpenForWalking(const Series& series, ExpansionBudget& budget);

/// The last start that COUNT of the rule comes to; at least `start` itself. The rule has a COUNT.
Result<LocalTime> CountThrough(const Rule& rule, const LocalTime& start, ExpansionBudget& budget);

/// The occurrences of a series within a span, one after the other, each once.
class SeriesWalk {
 public:
  /// `series` and `budget` must outlive it.
  SeriesWalk(const OpenSeries& series, const LocalSpan& span, ExpansionBudget& budget);

  /// nullopt: there are no more.
  Result<std::optional<LocalTime>> Next();

 private:
  /// The earlier of what the rule and the dates have next; exceptions are among them.
  Result<std::optional<LocalTime>> Take();

  const OpenSeries& series_;
  LocalSpan span_;
  std::optional<RuleWalk> rule_{};
  // What the rule has next, once it was asked.
  bool asked_rule_ = false;
  std::optional<LocalTime> from_rule_{};
  std::vector<LocalTime>::const_iterator date_;
};

/// The last occurrence of a series whose rule ends; nullopt: there is none at all.
Result<std::optional<LocalTime>> LastOccurrence(const OpenSeries& series, ExpansionBudget& budget);

}  // namespace atrium::almanac
