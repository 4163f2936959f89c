// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "almanac/recurrence.h"
#include "base/testing.h"
#include "calendar/entry_rules.h"
#include "calendar/occurrences.h"

namespace atrium::calendar::testing {

/// The whole occurrences of an entry that touch these days, by start.
inline std::vector<Occurrence> OccurrencesOf(const Entry& entry, const DayRange& days,
                                             almanac::ExpansionBudget& budget) {
  std::vector<Occurrence> found;
  Entry without = entry;
  without.recurrence.reset();
  EXPECT_THAT(
      EachOccurrence(entry, days, budget,
                     [&](const BareOccurrence& one) {
                       found.push_back({.of_series = one.of_series,
                                        .entry = WholeOf(without, one.of_series, one.override)});
                       return Result<void>();
                     }),
      IsOk());
  std::ranges::sort(found, {}, [](const Occurrence& one) { return StartOf(one.entry); });
  return found;
}

}  // namespace atrium::calendar::testing
