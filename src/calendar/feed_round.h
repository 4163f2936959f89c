// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "calendar/feed_queue.h"

namespace atrium::calendar {

/// Looks at the feeds that are due, several at once and each owner's within a share. What becomes
/// due meanwhile is looked at as well, so that feeds which take their time hold up no others.
class FeedRound {
 public:
  struct Deeds {
    /// All that are due, the longest overdue first; their owners need not be said.
    std::function<Result<std::vector<DueFeed>>()> find_due;
    /// Asked only for feeds that neither wait nor are looked at: all that are due are found again
    /// and again while they wait.
    std::function<Result<std::string>(const CalendarId&)> find_owner;
    /// Called on several threads at once, for different feeds. An error ends the round.
    std::function<Result<void>(const DueFeed&)> look_at;
    /// How long what becomes due may wait until it is noticed.
    std::chrono::milliseconds pause{1000};
  };

  /// Ends early, with what was begun, when `stop` is requested.
  FeedRound(Deeds deeds, const Clock& clock, std::stop_token stop);

  /// How many were looked at.
  Result<std::size_t> Run();

 private:
  /// Whether anything new is due.
  Result<bool> Refill();
  Result<std::vector<DueFeed>> FindNew();
  /// Waits until nothing is left, or it is time to see what else is due. False at the end.
  bool AwaitMore(SteadyInstant end);
  Result<void> Feed(SteadyInstant end);
  Result<void> LookAt(const DueFeed& feed) const;
  void Work();
  /// nullopt at the end.
  std::optional<DueFeed> AwaitNext();

  const Deeds deeds_;
  const Clock& clock_;
  const std::stop_token stop_;
  std::mutex mutex_;
  std::condition_variable changed_;
  // Guarded by mutex_.
  FeedQueue queue_;
  bool is_over_ = false;
  std::size_t looked_at_ = 0;
  Result<void> outcome_{};
};

}  // namespace atrium::calendar
