// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/feed_round.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <map>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/testing.h"

namespace atrium::calendar {
namespace {

using ::testing::Each;
using ::testing::Pair;
using ::testing::SizeIs;

DueFeed FeedOf(std::string_view digit) {
  return {
      .calendar = *CalendarId::Parse("01900000-0000-7000-8000-00000000000" + std::string(digit)),
      .host = std::string(digit)};
}

class FeedRoundTest : public ::testing::Test {
 protected:
  /// All are due until the given pass, and none is done with before that.
  FeedRound RoundOf(const std::vector<DueFeed>& feeds, int passes_max) {
    return FeedRound({.find_due = [this, feeds, passes_max]() -> Result<std::vector<DueFeed>> {
                        const int pass = ++passes_;
                        passes_.notify_all();
                        return pass <= passes_max ? feeds : std::vector<DueFeed>();
                      },
                      .find_owner = [this](const CalendarId& id) -> Result<std::string> {
                        ++owners_asked_[id];
                        return "ann";
                      },
                      .look_at = [this, passes_max](const DueFeed&) -> Result<void> {
                        for (int pass = passes_; pass <= passes_max; pass = passes_) {
                          passes_.wait(pass);
                        }
                        return {};
                      },
                      .pause = std::chrono::milliseconds(1)},
                     clock_, std::stop_token());
  }

  FixedClock clock_{Instant(std::chrono::milliseconds(1'800'000'000'000))};
  std::atomic<int> passes_ = 0;
  std::map<CalendarId, int> owners_asked_;
};

TEST_F(FeedRoundTest, TheOwnerOfAFeedThatWaitsIsNotAskedForAgain) {
  FeedRound round = RoundOf({FeedOf("1"), FeedOf("2"), FeedOf("3"), FeedOf("4")}, 5);
  EXPECT_THAT(round.Run(), Holds(4U));
  EXPECT_THAT(owners_asked_, SizeIs(4));
  EXPECT_THAT(owners_asked_, Each(Pair(::testing::_, 1)));
}

TEST_F(FeedRoundTest, WithoutAnythingDueNobodyIsAskedFor) {
  FeedRound round = RoundOf({}, 1);
  EXPECT_THAT(round.Run(), Holds(0U));
  EXPECT_THAT(owners_asked_, SizeIs(0));
}

}  // namespace
}  // namespace atrium::calendar
