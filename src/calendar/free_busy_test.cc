// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/free_busy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <string_view>

#include "base/testing.h"
#include "calendar/room_testing.h"

namespace atrium::calendar {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Instant Moment(std::string_view text) {
  return ParseInstant(text).value();
}

class FreeBusyTest : public testing::RoomTest {
 protected:
  Result<FreeBusy> Ask(const std::string& user) {
    return FindFreeBusy(room_.ground, people_, {}, ann_,
                        {.users = {user},
                         .from = Moment("2026-03-02T00:00:00Z"),
                         .to = Moment("2026-03-04T00:00:00Z")});
  }
};

TEST_F(FreeBusyTest, DaysAreThoseOfThePerson) {
  Add(AllDay("2026-03-03"));
  const auto found = Ask(ann_.label);
  ASSERT_THAT(found, IsOk());
  ASSERT_THAT(found->people, SizeIs(1));
  EXPECT_THAT(found->people[0].busy, ElementsAre(BusyTime{.start = Moment("2026-03-02T23:00:00Z"),
                                                          .end = Moment("2026-03-03T23:00:00Z")}));
}

TEST_F(FreeBusyTest, PeopleOfOtherOrganisationsAreUnknown) {
  const Person eve = people_.Add("eve", OrgId(ids_.NewUuid()));
  const auto found = Ask(eve.id.Render());
  ASSERT_THAT(found, IsOk());
  EXPECT_THAT(found->people, IsEmpty());
  EXPECT_THAT(found->unknown, ElementsAre(eve.id.Render()));
}

TEST_F(FreeBusyTest, CalendarsThatOneOnlyWritesInDoNotCount) {
  const Visitor bob = AddVisitor("bob");
  Share(bob, MemberRole::kWriter);
  Add(AllDay("2026-03-03"));
  const auto found = Ask(bob.label);
  ASSERT_THAT(found, IsOk());
  EXPECT_THAT(found->people[0].busy, IsEmpty());
}

TEST(JoinedTest, WhatOverlapsOrTouchesIsOne) {
  const auto at = [](int minute) { return Instant(std::chrono::minutes(minute)); };
  EXPECT_THAT(Joined({{.start = at(30), .end = at(40)},
                      {.start = at(0), .end = at(20)},
                      {.start = at(5), .end = at(10)},
                      {.start = at(20), .end = at(25)}}),
              ElementsAre(BusyTime{.start = at(0), .end = at(25)},
                          BusyTime{.start = at(30), .end = at(40)}));
  EXPECT_THAT(Joined({}), IsEmpty());
}

}  // namespace
}  // namespace atrium::calendar
