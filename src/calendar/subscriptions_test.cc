// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/subscriptions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "base/testing.h"
#include "calendar/entry_walk.h"
#include "calendar/feed_refresh.h"
#include "calendar/room_testing.h"

namespace atrium::calendar {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

std::string File(const std::vector<std::string>& uids) {
  std::string text = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n";
  for (const std::string& uid : uids) {
    text += "BEGIN:VEVENT\r\nUID:" + uid + "\r\nDTSTART;VALUE=DATE:20260302\r\nSUMMARY:" + uid +
            "\r\nEND:VEVENT\r\n";
  }
  return text + "END:VCALENDAR\r\n";
}

class SubscriptionsTest : public testing::RoomTest {
 protected:
  SubscriptionsTest() {
    const auto made = room_.subscriptions.Subscribe(
        {}, ann_, {.name = "Holidays"}, {.url = "https://example.org/a.ics", .every_minutes = 60});
    EXPECT_THAT(made, IsOk());
    followed_ = made ? made->record.id : CalendarId();
  }

  void Say(const std::vector<std::string>& uids) {
    other_server_.answer = egress::OutgoingResponse{.status = 200, .body = File(uids)};
  }
  /// Longer than what passes as small.
  void SayAtLength(const std::string& uid) {
    Say({uid});
    std::string& body = other_server_.answer->body;
    body.insert(body.find("BEGIN:VEVENT"), Padding(MemoryBudget::kSmallBytes));
  }
  static std::string Padding(std::size_t bytes) {
    const std::string line = "X-PADDING:" + std::string(100, 'x') + "\r\n";
    std::string lines;
    while (lines.size() <= bytes) {
      lines += line;
    }
    return lines;
  }
  std::size_t Run() {
    const auto looked_at = room_.subscriptions.RefreshDue(context_);
    EXPECT_THAT(looked_at, IsOk());
    return looked_at.value_or(0);
  }
  Subscription State() {
    const auto found = room_.subscriptions.Load({}, ann_, followed_, Need::kRead);
    EXPECT_THAT(found, IsOk());
    return found ? found->record : Subscription{};
  }
  std::vector<std::string> Titles() {
    std::vector<std::string> titles;
    EntryWalk walk(store_, followed_);
    for (auto page = walk.Next({}); page && !page->empty(); page = walk.Next({})) {
      for (const store::Stored<Entry>& one : *page) {
        titles.push_back(one.record.title);
      }
    }
    return titles;
  }

  CalendarId followed_{};
};

TEST_F(SubscriptionsTest, TheCalendarBecomesWhatTheFeedSays) {
  Say({"a", "b"});
  EXPECT_EQ(Run(), 1U);
  EXPECT_THAT(Titles(), UnorderedElementsAre("a", "b"));
  clock_.Advance(hours(1));
  Say({"b", "c"});
  EXPECT_EQ(Run(), 1U);
  EXPECT_THAT(Titles(), UnorderedElementsAre("b", "c"));
  EXPECT_EQ(State().refreshed_at, clock_.Now());
  EXPECT_EQ(Defects(), 0U);
}

TEST_F(SubscriptionsTest, ItIsLookedAtWhenItIsDueAndNotBefore) {
  Say({"a"});
  EXPECT_EQ(Run(), 1U);
  EXPECT_EQ(Run(), 0U);
  clock_.Advance(minutes(59));
  EXPECT_EQ(Run(), 0U);
  ASSERT_THAT(room_.subscriptions.Refresh({}, ann_, followed_), IsOk());
  EXPECT_EQ(Run(), 1U);
  clock_.Advance(minutes(60));
  EXPECT_EQ(Run(), 1U);
}

TEST_F(SubscriptionsTest, FailuresAreToldAndWaitedFor) {
  other_server_.answer = Fail(ErrorCode::kUnavailable, "no");
  EXPECT_EQ(Run(), 1U);
  EXPECT_EQ(State().last_error, "the other server cannot be reached");
  EXPECT_EQ(State().next_at, clock_.Now() + hours(2));
  clock_.Advance(hours(2));
  EXPECT_EQ(Run(), 1U);
  EXPECT_EQ(State().failures, 2U);
  EXPECT_EQ(State().next_at, clock_.Now() + hours(4));
  clock_.Advance(hours(4));
  Say({"a"});
  EXPECT_EQ(Run(), 1U);
  EXPECT_EQ(State().last_error, "");
  EXPECT_EQ(State().failures, 0U);
}

TEST_F(SubscriptionsTest, WithoutMemoryForWhatArrivesItIsAskedForAgainSoon) {
  Say({"a"});
  Run();
  clock_.Advance(hours(1));
  SayAtLength("b");
  MemoryLease bodies;
  ASSERT_TRUE(memory_.TryGrow(bodies, memory_.Max() / 8 * 3));
  EXPECT_EQ(Run(), 1U);
  EXPECT_THAT(Titles(), ElementsAre("a"));
  EXPECT_EQ(State().failures, 0U);
  EXPECT_EQ(State().last_error, "");
  EXPECT_EQ(State().next_at, clock_.Now() + minutes(1));
  bodies.Release();
  clock_.Advance(minutes(1));
  EXPECT_EQ(Run(), 1U);
  EXPECT_THAT(Titles(), ElementsAre("b"));
  EXPECT_EQ(memory_.Used(), 0U);
}

TEST_F(SubscriptionsTest, WithoutMemoryForWhatIsMadeOfItItIsAskedForAgainSoon) {
  Say({"a"});
  {
    const auto half = memory_.Take(memory_.Max() / 2, {});
    const auto rest = memory_.Take(memory_.Max() / 8 * 3, {});
    ASSERT_THAT(rest, IsOk());
    EXPECT_EQ(Run(), 1U);
  }
  EXPECT_THAT(Titles(), IsEmpty());
  EXPECT_EQ(State().failures, 0U);
  EXPECT_EQ(State().next_at, clock_.Now() + minutes(1));
  clock_.Advance(minutes(1));
  EXPECT_EQ(Run(), 1U);
  EXPECT_THAT(Titles(), ElementsAre("a"));
  EXPECT_EQ(memory_.Used(), 0U);
}

TEST_F(SubscriptionsTest, AFeedThatIsTooLongIsGivenUp) {
  other_server_.answer = egress::OutgoingResponse{.status = 200, .body = Padding(kFeedBytesMax)};
  EXPECT_EQ(Run(), 1U);
  EXPECT_EQ(State().last_error, "the feed is larger than 16 MiB");
  EXPECT_EQ(State().failures, 1U);
  EXPECT_EQ(memory_.Used(), 0U);
}

TEST_F(SubscriptionsTest, ItSaysBackWhatItWasTold) {
  Say({"a"});
  other_server_.answer->headers = {{.name = "etag", .value = "\"1\""}};
  Run();
  clock_.Advance(hours(1));
  other_server_.answer = egress::OutgoingResponse{.status = 304};
  Run();
  ASSERT_THAT(other_server_.asked, SizeIs(2));
  const auto& headers = other_server_.asked.back().headers;
  EXPECT_EQ(headers.back().name, "If-None-Match");
  EXPECT_EQ(headers.back().value, "\"1\"");
  EXPECT_EQ(State().etag, "\"1\"");
  EXPECT_THAT(Titles(), ElementsAre("a"));
}

TEST_F(SubscriptionsTest, AnEmptyCalendarIsOneAndAnEmptyReplyIsNone) {
  Say({"a"});
  Run();
  clock_.Advance(hours(1));
  other_server_.answer = egress::OutgoingResponse{.status = 200};
  Run();
  EXPECT_THAT(Titles(), ElementsAre("a"));
  clock_.Advance(hours(24));
  Say({});
  Run();
  EXPECT_THAT(Titles(), IsEmpty());
}

TEST_F(SubscriptionsTest, AnotherAddressIsLookedAtSoon) {
  Say({"a"});
  other_server_.answer->headers = {{.name = "etag", .value = "\"1\""}};
  Run();
  ASSERT_THAT(room_.subscriptions.Update({}, ann_, followed_, {.url = "webcal://example.com/b"}),
              IsOk());
  EXPECT_EQ(Run(), 1U);
  EXPECT_EQ(other_server_.asked.back().url, "https://example.com/b");
  EXPECT_THAT(other_server_.asked.back().headers, SizeIs(1));
}

TEST_F(SubscriptionsTest, InTheTrashItIsLeftAlone) {
  ASSERT_THAT(room_.calendars.Delete({}, ann_, followed_, Trashing::kKeep, testing::AnyVersion),
              IsOk());
  Run();
  EXPECT_THAT(other_server_.asked, IsEmpty());
  ASSERT_THAT(room_.calendars.Restore({}, ann_, followed_), IsOk());
  EXPECT_EQ(State().failures, 0U);
}

TEST(FeedUrlTest, OnlyTheWebIsAsked) {
  EXPECT_THAT(ReadFeedUrl("WebCal://Example.org/x"), Holds(std::string("https://example.org/x")));
  EXPECT_THAT(ReadFeedUrl("http://example.org/x"), Holds(std::string("http://example.org/x")));
  for (const char* text : {"", "x", "ftp://example.org/", "file:///etc/passwd", "http://a:b@c/"}) {
    EXPECT_THAT(ReadFeedUrl(text), FailsSaying(ErrorCode::kInvalidArgument, "url: "));
  }
}

TEST(WaitTest, GrowsUpToADay) {
  EXPECT_EQ(WaitAfter(0, minutes(60)), minutes(60));
  EXPECT_EQ(WaitAfter(1, minutes(60)), hours(2));
  EXPECT_EQ(WaitAfter(100, minutes(60)), hours(24));
  EXPECT_EQ(WaitAfter(3, minutes(10'080)), minutes(10'080));
}

}  // namespace
}  // namespace atrium::calendar
