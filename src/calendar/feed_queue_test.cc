// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/feed_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "base/uuid.h"

namespace atrium::calendar {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class FeedQueueTest : public ::testing::Test {
 protected:
  DueFeed Make(const std::string& owner, const std::string& host) {
    const std::string digits = std::to_string(100'000 + made_++);
    return {.calendar = *CalendarId::Parse("01900000-0000-7000-8000-000000" + digits),
            .owner = owner,
            .host = host};
  }

  /// The owners of all that can be taken now, in order.
  std::vector<std::string> TakeAll() {
    std::vector<std::string> owners;
    while (std::optional<DueFeed> feed = queue_.Take()) {
      owners.push_back(feed->owner);
      taken_.push_back(*std::move(feed));
    }
    return owners;
  }

  FeedQueue queue_{{.of_owner = 2, .of_host = 3}};
  std::vector<DueFeed> taken_;
  int made_ = 0;
};

TEST_F(FeedQueueTest, WhatIsDueFirstIsTakenFirst) {
  for (const char* owner : {"ann", "bob", "cat"}) {
    queue_.Add(Make(owner, owner));
  }
  EXPECT_THAT(TakeAll(), ElementsAre("ann", "bob", "cat"));
}

TEST_F(FeedQueueTest, OneOwnerHasNoMoreThanAShare) {
  for (const char* owner : {"ann", "ann", "ann", "ann", "bob"}) {
    queue_.Add(Make(owner, owner + std::to_string(made_)));
  }
  EXPECT_THAT(TakeAll(), ElementsAre("ann", "ann", "bob"));
  EXPECT_THAT(TakeAll(), IsEmpty());
  queue_.Finish(taken_[0]);
  EXPECT_THAT(TakeAll(), ElementsAre("ann"));
}

TEST_F(FeedQueueTest, OneHostHasNoMoreThanAShare) {
  for (const char* owner : {"ann", "bob", "cat", "dan"}) {
    queue_.Add(Make(owner, "slow.example"));
  }
  queue_.Add(Make("eve", "quick.example"));
  EXPECT_THAT(TakeAll(), ElementsAre("ann", "bob", "cat", "eve"));
}

TEST_F(FeedQueueTest, WhatWaitsOrIsLookedAtIsNotAddedAgain) {
  const DueFeed feed = Make("ann", "a");
  EXPECT_TRUE(queue_.Add(feed));
  EXPECT_FALSE(queue_.Add(feed));
  EXPECT_THAT(TakeAll(), ElementsAre("ann"));
  EXPECT_FALSE(queue_.Add(feed));
  EXPECT_FALSE(queue_.IsEmpty());
  EXPECT_TRUE(queue_.Knows(feed.calendar));
  queue_.Finish(feed);
  EXPECT_FALSE(queue_.Knows(feed.calendar));
  EXPECT_TRUE(queue_.IsEmpty());
  EXPECT_TRUE(queue_.Add(feed));
}

}  // namespace
}  // namespace atrium::calendar
