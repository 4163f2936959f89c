// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "base/strong_id.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <concepts>
#include <map>
#include <string>
#include <type_traits>
#include <unordered_set>

#include "base/testing.h"
#include "base/ulid.h"
#include "base/uuid.h"

namespace atrium {
namespace {

using CalendarId = StrongId<struct CalendarTag, Uuid>;
using EventId = StrongId<struct EventTag, Uuid>;
using UserId = StrongId<struct UserTag>;
using ChangeId = StrongId<struct ChangeTag, Ulid>;

constexpr const char* kText = "919108f7-52d1-4320-9bac-f847db4148a8";

static_assert(!std::is_convertible_v<CalendarId, EventId>);
static_assert(!std::is_constructible_v<CalendarId, EventId>);
static_assert(!std::equality_comparable_with<CalendarId, EventId>);
static_assert(!std::is_convertible_v<Uuid, CalendarId>);
static_assert(!std::is_convertible_v<std::string, UserId>);
static_assert(!std::is_convertible_v<CalendarId, Uuid>);

TEST(StrongIdTest, ParsesAndRendersAsItsRepresentation) {
  ASSERT_THAT(CalendarId::Parse(kText), IsOk());
  EXPECT_EQ(CalendarId::Parse(kText)->Render(), kText);
  EXPECT_EQ(ChangeId().Render(), "00000000000000000000000000");
  EXPECT_EQ(UserId("ann").Render(), "ann");
}

TEST(StrongIdTest, RefusesWhatItsRepresentationRefuses) {
  EXPECT_THAT(CalendarId::Parse("ann"), FailsSaying(ErrorCode::kInvalidArgument, "UUID"));
  EXPECT_THAT(ChangeId::Parse(kText), FailsSaying(ErrorCode::kInvalidArgument, "ULID"));
}

TEST(StrongIdTest, ComparesByValue) {
  EXPECT_EQ(UserId("ann"), UserId("ann"));
  EXPECT_NE(UserId("ann"), UserId("bob"));
  EXPECT_LT(UserId("ann"), UserId("bob"));
  EXPECT_EQ(CalendarId(), CalendarId(Uuid()));
}

TEST(StrongIdTest, IsAKeyOfMapsAndSets) {
  const std::map<UserId, int> ages = {{UserId("ann"), 30}, {UserId("bob"), 40}};
  EXPECT_EQ(ages.at(UserId("bob")), 40);
  const std::unordered_set<CalendarId> set = {CalendarId(), CalendarId::Parse(kText).value()};
  EXPECT_TRUE(set.contains(CalendarId::Parse(kText).value()));
}

}  // namespace
}  // namespace atrium
