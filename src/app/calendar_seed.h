// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "almanac/date.h"
#include "app/calendar_actions.h"

namespace atrium::app {

struct SeedPlan {
  /// Id of the calendar.
  std::string calendar{};
  almanac::Date highlighted_day{};
  std::size_t count = 15;
};

/// Entries that a calendar might have: 15 % over several days, 20 % all-day, 45 % timed, 20 %
/// tasks, each share rounded up, as many days before and after the highlighted one as there are
/// entries, and a few of each kind on that day itself. Some come again. The same plan makes the
/// same entries.
std::vector<EntryBody> MakeSeed(const SeedPlan& plan);

}  // namespace atrium::app
