// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/feeds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/testing.h"
#include "calendar/export.h"
#include "calendar/room_testing.h"

namespace atrium::calendar {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

class FeedsTest : public testing::RoomTest {
 protected:
  NewFeed Make(const Visitor& visitor) {
    auto made = room_.feeds.Create({}, visitor, calendar_, "Phone", FeedDetail::kFull);
    EXPECT_THAT(made, IsOk());
    return std::move(made).value_or(NewFeed{});
  }
  std::string StateOf(const Feed& feed) {
    const auto tag = room_.feeds.StateOf({}, feed);
    EXPECT_THAT(tag, IsOk());
    return tag ? tag->Render() : "";
  }
  static std::string SecretOf(const NewFeed& made) {
    const std::size_t slash = made.url.rfind('/') + 1;
    return made.url.substr(slash, made.url.size() - slash - std::string_view(".ics").size());
  }
};

TEST_F(FeedsTest, TheSecretIsNotStored) {
  const NewFeed made = Make(ann_);
  EXPECT_THAT(SecretOf(made), SizeIs(43));
  EXPECT_NE(made.feed.hash, SecretOf(made));
  const auto found = room_.feeds.Load({}, SecretOf(made));
  ASSERT_THAT(found, IsOk());
  EXPECT_EQ(found->id, made.feed.id);
  EXPECT_THAT(room_.feeds.Load({}, made.feed.hash), FailsWith(ErrorCode::kNotFound));
}

TEST_F(FeedsTest, APollThatFindsNothingNewReadsTwoRows) {
  const NewFeed made = Make(ann_);
  store::Tally tally;
  const store::OpContext op{.tally = &tally};
  const auto feed = room_.feeds.Load(op, SecretOf(made));
  ASSERT_THAT(feed, IsOk());
  ASSERT_THAT(room_.feeds.StateOf(op, *feed), IsOk());
  EXPECT_EQ(tally.gets + tally.scans, 2U);
}

TEST_F(FeedsTest, ItsStateChangesWithTheCalendarAndItsMembers) {
  const Feed feed = Make(ann_).feed;
  const std::string first = StateOf(feed);
  EXPECT_EQ(StateOf(feed), first);
  Add(AllDay("2026-03-02"));
  const std::string second = StateOf(feed);
  EXPECT_NE(second, first);
  Share(AddVisitor("bob"), MemberRole::kReader);
  EXPECT_NE(StateOf(feed), second);
}

TEST_F(FeedsTest, ItIsDeadWhenItsMakerIsNobody) {
  const Person bob = people_.Add("bob", org_);
  Share(VisitorFor(bob), MemberRole::kWriter);
  const Feed feed = Make(VisitorFor(bob)).feed;
  EXPECT_THAT(room_.feeds.Enter({}, feed), IsOk());
  people_.Remove(bob);
  EXPECT_THAT(room_.feeds.Enter({}, feed), FailsWith(ErrorCode::kNotFound));
}

TEST_F(FeedsTest, ThereIsABound) {
  for (std::size_t i = 0; i < kFeedsOfOne; ++i) {
    Make(ann_);
  }
  EXPECT_THAT(room_.feeds.Create({}, ann_, calendar_, "Phone", FeedDetail::kFull),
              FailsWith(ErrorCode::kLimitExceeded));
}

TEST_F(FeedsTest, AClosedOneIsGone) {
  const NewFeed made = Make(ann_);
  EXPECT_THAT(room_.feeds.Delete({}, ann_, calendar_, "other"), FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(room_.feeds.Delete({}, ann_, calendar_, made.feed.id), IsOk());
  EXPECT_THAT(room_.feeds.Load({}, SecretOf(made)), FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(room_.feeds.List({}, ann_, calendar_), Holds(IsEmpty()));
  EXPECT_EQ(Defects(), 0U);
}

TEST(DispositionTest, NamesAreSafeInAHeader) {
  EXPECT_EQ(DispositionFor("a\r\n\"b/ü"),
            "attachment; filename=\"a___b___.ics\"; filename*=UTF-8''a%0D%0A%22b%2F%C3%BC.ics");
}

}  // namespace
}  // namespace atrium::calendar
