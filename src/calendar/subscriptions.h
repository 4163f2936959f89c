// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/describe/class.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory_budget.h"
#include "base/result.h"
#include "calendar/access.h"
#include "calendar/calendars.h"
#include "calendar/feed_queue.h"
#include "calendar/feed_refresh.h"
#include "calendar/records.h"
#include "egress/http_sender.h"
#include "jobs/job.h"
#include "store/ground.h"
#include "store/record.h"

namespace atrium::calendar {

/// What a client says of a subscription; what is absent stays as it is.
struct SubscriptionFields {
  std::optional<std::string> url{};
  std::optional<std::int32_t> every_minutes{};
};
BOOST_DESCRIBE_STRUCT(SubscriptionFields, (), (url, every_minutes))

/// Calendars that follow a feed of another server. Each change is one commit; the feed itself is
/// looked at by a job, through the egress guard.
class SubscriptionService {
 public:
  using Found = store::Stored<Subscription>;

  SubscriptionService(const store::Ground& ground, CalendarService& calendars,
                      egress::HttpSender& sender, MemoryBudget& memory)
      : ground_(ground), calendars_(calendars), sender_(sender), memory_(memory) {}

  /// A calendar that the visitor owns and the feed fills, from the next run of the job on.
  Result<store::Stored<Calendar>> Subscribe(const store::OpContext& op, const Visitor& visitor,
                                            const CalendarFields& calendar,
                                            const SubscriptionFields& fields);

  /// kNotFound when the calendar follows no feed.
  Result<Found> Load(const store::OpContext& op, const Visitor& visitor, const CalendarId& calendar,
                     Need need) const;

  /// By owners. Another address is looked at soon.
  Result<Found> Update(const store::OpContext& op, const Visitor& visitor,
                       const CalendarId& calendar, const SubscriptionFields& fields);

  /// By writers: the next run of the job looks at it.
  Result<Found> Refresh(const store::OpContext& op, const Visitor& visitor,
                        const CalendarId& calendar);

  /// Looks at those that are due, the longest overdue first, several at once but only a few of one
  /// owner. Whatever is wrong with one of them is put down there.
  Result<std::size_t> RefreshDue(jobs::JobContext& context);

 private:
  Result<std::string> OwnerOf(const CalendarId& calendar) const;
  /// Without their owners.
  Result<std::vector<DueFeed>> FindDue() const;
  Result<void> RefreshOne(jobs::JobContext& context, const Subscription& subscription);
  /// Writes down what becomes of a subscription, unless it follows another feed by now.
  Result<void> Amend(const Subscription& before,
                     const std::function<Subscription(Subscription)>& change);
  /// Nothing was found out: it is looked at again after `rest`.
  Result<void> Postpone(const Subscription& before, std::chrono::minutes rest);
  Result<Found> Save(const store::OpContext& op, const Found& before, Subscription after);

  const store::Ground ground_;
  CalendarService& calendars_;
  egress::HttpSender& sender_;
  MemoryBudget& memory_;
};

/// The address of a feed as it is asked for: http, https, and webcal, which is https. Otherwise
/// kInvalidArgument "url: …".
Result<std::string> ReadFeedUrl(std::string_view text);

}  // namespace atrium::calendar
