// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "base/id_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <mutex>
#include <set>
#include <thread>
#include <tuple>
#include <vector>

#include "base/clock.h"

namespace atrium {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using ::testing::SizeIs;

constexpr Instant kStart(milliseconds(1'763'246'040'123));

class SystemIdSourceTest : public ::testing::Test {
 protected:
  FixedClock clock_{kStart};
  SystemIdSource ids_{clock_};
};

bool HasRfcVariant(const Uuid& uuid) {
  return (uuid.bytes[8] & std::byte{0xc0}) == std::byte{0x80};
}

TEST_F(SystemIdSourceTest, UuidsAreRandomAndMarked) {
  std::set<Uuid> seen;
  for (int i = 0; i < 1000; ++i) {
    const Uuid uuid = ids_.NewUuid();
    EXPECT_EQ(uuid.Version(), 4);
    EXPECT_TRUE(HasRfcVariant(uuid));
    seen.insert(uuid);
  }
  EXPECT_THAT(seen, SizeIs(1000));
}

TEST_F(SystemIdSourceTest, TimeUuidsAreMarkedAndBeginWithTheTime) {
  const Uuid uuid = ids_.NewTimeUuid();
  EXPECT_EQ(uuid.Version(), 7);
  EXPECT_TRUE(HasRfcVariant(uuid));
  EXPECT_EQ(uuid.Render().substr(0, 13), "019a89a7-643b");
}

TEST_F(SystemIdSourceTest, UlidsCarryTheTime) {
  EXPECT_EQ(ids_.NewUlid().Time(), kStart);
}

TEST_F(SystemIdSourceTest, IdsGrowWhileTheClockStandsStill) {
  Uuid uuid = ids_.NewTimeUuid();
  Ulid ulid = ids_.NewUlid();
  for (int i = 0; i < 10'000; ++i) {
    const Uuid next_uuid = ids_.NewTimeUuid();
    const Ulid next_ulid = ids_.NewUlid();
    ASSERT_LT(uuid, next_uuid);
    ASSERT_LT(ulid, next_ulid);
    uuid = next_uuid;
    ulid = next_ulid;
  }
  EXPECT_EQ(ulid.Time(), kStart);
  EXPECT_EQ(uuid.Version(), 7);
  EXPECT_TRUE(HasRfcVariant(uuid));
}

TEST_F(SystemIdSourceTest, IdsGrowWhenTheClockJumpsBack) {
  const Uuid uuid = ids_.NewTimeUuid();
  const Ulid ulid = ids_.NewUlid();
  clock_.Set(kStart - hours(1));
  EXPECT_LT(uuid, ids_.NewTimeUuid());
  const Ulid next = ids_.NewUlid();
  EXPECT_LT(ulid, next);
  EXPECT_EQ(next.Time(), kStart);
}

TEST_F(SystemIdSourceTest, IdsFollowTheClockForward) {
  const Ulid ulid = ids_.NewUlid();
  clock_.Advance(milliseconds(1));
  const Ulid next = ids_.NewUlid();
  EXPECT_LT(ulid, next);
  EXPECT_EQ(next.Time(), kStart + milliseconds(1));
}

TEST_F(SystemIdSourceTest, AClockBeforeTheEpochCountsAsTheEpoch) {
  clock_.Set(Instant(milliseconds(-5)));
  EXPECT_EQ(ids_.NewUlid().Time(), Instant());
}

TEST_F(SystemIdSourceTest, ManyThreadsNeverShareAnId) {
  std::mutex mutex;
  std::set<Uuid> uuids;
  std::set<Ulid> ulids;
  std::vector<std::jthread> threads;
  threads.reserve(4);
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 500; ++n) {
        const Uuid uuid = ids_.NewTimeUuid();
        const Ulid ulid = ids_.NewUlid();
        const std::scoped_lock lock(mutex);
        uuids.insert(uuid);
        ulids.insert(ulid);
      }
    });
  }
  threads.clear();
  EXPECT_THAT(uuids, SizeIs(2000));
  EXPECT_THAT(ulids, SizeIs(2000));
}

bool Less(const MonotonicTime::Reading& a, const MonotonicTime::Reading& b) {
  return std::tie(a.milliseconds, a.tail.high, a.tail.low) <
         std::tie(b.milliseconds, b.tail.high, b.tail.low);
}

TEST(MonotonicTimeTest, AFullTailBorrowsTheNextMillisecond) {
  // Two bits above a 33-bit part, which each step fills at least a quarter on average.
  MonotonicTime time({.high = 0x3, .low = 0x1'ffff'ffff});
  MonotonicTime::Reading last = time.Next(kStart);
  const std::uint64_t first_millisecond = last.milliseconds;
  for (int i = 0; i < 1000; ++i) {
    const MonotonicTime::Reading next = time.Next(kStart);
    ASSERT_TRUE(Less(last, next));
    ASSERT_LE(next.tail.high, 0x3);
    ASSERT_LE(next.tail.low, 0x1'ffff'ffff);
    last = next;
  }
  EXPECT_GT(last.milliseconds, first_millisecond);
}

TEST(MonotonicTimeTest, CatchesUpOnceTheClockPassesTheBorrowedTime) {
  MonotonicTime time({.high = 0x0, .low = 0x1'ffff'ffff});
  MonotonicTime::Reading last = time.Next(kStart);
  for (int i = 0; i < 100; ++i) {
    last = time.Next(kStart);
  }
  const MonotonicTime::Reading later = time.Next(kStart + hours(1));
  EXPECT_TRUE(Less(last, later));
  EXPECT_EQ(Instant(milliseconds(later.milliseconds)), kStart + hours(1));
}

TEST(FixedIdSourceTest, CountsEachKindFromOne) {
  FixedIdSource ids;
  EXPECT_EQ(ids.NewUuid().Render(), "00000000-0000-4000-8000-000000000001");
  EXPECT_EQ(ids.NewUuid().Render(), "00000000-0000-4000-8000-000000000002");
  EXPECT_EQ(ids.NewTimeUuid().Render(), "00000000-0000-7000-8000-000000000001");
  EXPECT_EQ(ids.NewUlid().Render(), "00000000000000000000000001");
  EXPECT_EQ(ids.NewUlid().Render(), "00000000000000000000000002");
}

TEST(FixedIdSourceTest, TwoSourcesAgree) {
  FixedIdSource one;
  FixedIdSource other;
  EXPECT_EQ(one.NewTimeUuid(), other.NewTimeUuid());
  EXPECT_EQ(one.NewUlid(), other.NewUlid());
}

}  // namespace
}  // namespace atrium
