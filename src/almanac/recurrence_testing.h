// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "almanac/expansion_budget.h"
#include "almanac/local_time.h"
#include "almanac/recurrence.h"

namespace atrium::almanac {

inline LocalTime Local(std::string_view text) {
  return LocalTime::Parse(text).value();
}

/// Enough for whatever a test looks for.
inline ExpansionBudget Plenty() {
  return ExpansionBudget(1'000'000, 100'000'000);
}

/// A series as it would be stored: with its rule in canonical form.
inline Series MakeSeries(std::string_view start, std::string_view rule,
                         const RuleTerms& terms = {}) {
  return {.start = Local(start), .rule = CanonicalRule(rule, terms).value()};
}

inline std::vector<std::string> Texts(const std::vector<LocalTime>& times) {
  std::vector<std::string> texts;
  texts.reserve(times.size());
  for (const LocalTime& time : times) {
    texts.push_back(time.Render());
  }
  return texts;
}

/// The first `count` starts of the series.
inline std::vector<std::string> First(const Series& series, std::size_t count) {
  ExpansionBudget budget = Plenty();
  return Texts(NextStarts(series, LocalTime::Min(), count, budget).value());
}

/// The starts in [from, before).
inline std::vector<std::string> Between(const Series& series, std::string_view from,
                                        std::string_view before) {
  ExpansionBudget budget = Plenty();
  return Texts(Expand(series, Local(from), Local(before), budget).value());
}

}  // namespace atrium::almanac
