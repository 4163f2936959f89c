// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "base/memory_budget.h"
#include "base/result.h"
#include "calendar/records.h"
#include "egress/http_sender.h"
#include "jobs/job.h"
#include "store/ground.h"

namespace atrium::calendar {

inline constexpr std::size_t kFeedBytesMax = std::size_t{16} << 20;

/// What the other server said of what it sent: to be said back when it is asked again.
struct FeedState {
  std::string etag{};
  std::string last_modified{};
};

/// What a refresh works with. All of it outlives the refresh.
struct FeedMeans {
  const store::Ground& ground;
  egress::HttpSender& sender;
  /// Of what arrives and of what is made of it, with all else that the server has in memory so.
  MemoryBudget& memory;
};

/// Asks the other server for its feed and makes the calendar what it says: entries that are gone
/// from the feed are deleted, after all of it was read. A broken entry costs that entry. Otherwise
/// the client message of the error says why, for people.
/// nullopt: there is no memory for it now, and nothing has changed. That is not the feed's fault.
Result<std::optional<FeedState>> RefreshFromFeed(const FeedMeans& means,
                                                 const Subscription& subscription,
                                                 jobs::JobContext& context);

/// How long to wait after so many failures in a row: longer each time, up to a day.
std::chrono::minutes WaitAfter(std::uint32_t failures, std::chrono::minutes usual);

}  // namespace atrium::calendar
