// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "calendar/records.h"

namespace atrium::calendar {

/// A feed that is due.
struct DueFeed {
  CalendarId calendar{};
  /// Whose calendar it is, and which server is asked.
  std::string owner{};
  std::string host{};
};

/// The order in which feeds are looked at when several are looked at at once: those that are due
/// first come first, but one owner and one host have no more than their share of them. So whoever
/// follows slow feeds waits for them alone. Not for several threads at once.
class FeedQueue {
 public:
  struct Shares {
    std::size_t of_owner = 2;
    std::size_t of_host = 4;
  };

  explicit FeedQueue(const Shares& shares) : shares_(shares) {}

  /// Behind all others. False, and nothing happens, when the feed waits or is looked at already.
  bool Add(DueFeed feed);
  /// The first one that may be looked at now; nullopt when there is none.
  std::optional<DueFeed> Take();
  /// It was taken, and is done with.
  void Finish(const DueFeed& feed);

  /// Whether it waits or is looked at.
  bool Knows(const CalendarId& calendar) const { return known_.contains(calendar); }
  bool IsEmpty() const { return known_.empty(); }

 private:
  const Shares shares_;
  std::list<DueFeed> waiting_;
  /// All that wait and all that were taken.
  std::set<CalendarId> known_;
  /// How many were taken.
  std::map<std::string, std::size_t> by_owner_;
  std::map<std::string, std::size_t> by_host_;
};

}  // namespace atrium::calendar
