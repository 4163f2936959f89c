// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "calendar/access.h"
#include "calendar/people.h"
#include "calendar/records.h"
#include "http/conditional.h"
#include "store/ground.h"
#include "store/record.h"

namespace atrium::calendar {

struct NewFeed {
  Feed feed{};
  /// Shown once: what is stored does not lead back to it.
  std::string url{};
};

inline constexpr std::size_t kFeedsOfOne = 50;

/// Secret addresses under which a calendar can be read by programs that cannot sign in. Each change
/// is one commit. A feed is dead when its calendar is in the trash, or who made it is no member any
/// more.
class FeedService {
 public:
  FeedService(const store::Ground& ground, const People& people)
      : ground_(ground), people_(people) {}

  /// For writers and owners, as all that follows.
  Result<std::vector<Feed>> List(const store::OpContext& op, const Visitor& visitor,
                                 const CalendarId& calendar) const;

  /// kLimitExceeded when the calendar has too many.
  Result<NewFeed> Create(const store::OpContext& op, const Visitor& visitor,
                         const CalendarId& calendar, const std::string& name, FeedDetail detail);

  Result<void> Delete(const store::OpContext& op, const Visitor& visitor,
                      const CalendarId& calendar, std::string_view feed);

  /// The feed with that secret, alive or not. kNotFound when there is none.
  Result<Feed> Load(const store::OpContext& op, std::string_view secret) const;

  /// Changes whenever anything about the calendar does, its members included: whoever has seen it
  /// has seen the feed, and that it was alive. One read.
  Result<http::ETag> StateOf(const store::OpContext& op, const Feed& feed) const;

  /// The calendar of a feed that is alive; kNotFound when it is not.
  Result<Calendar> Enter(const store::OpContext& op, const Feed& feed) const;

 private:
  const store::Ground ground_;
  const People& people_;
};

}  // namespace atrium::calendar
