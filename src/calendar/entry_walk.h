// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "calendar/records.h"
#include "store/engine.h"
#include "store/record.h"

namespace atrium::calendar {

/// Goes through all entries of a calendar, each once, a page at a time, in the order of the time
/// index. What is written meanwhile may or may not be met.
class EntryWalk {
 public:
  EntryWalk(store::Engine& engine, const CalendarId& calendar);

  /// The next entries; empty at the end.
  Result<std::vector<store::Stored<Entry>>> Next(const store::OpContext& op);

 private:
  store::Engine& engine_;
  const std::string partition_;
  std::optional<std::string> after_;
  bool at_end_ = false;
};

}  // namespace atrium::calendar
