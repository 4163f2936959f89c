// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/rocksdb/recent_rows.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace atrium::rocks {
namespace {

// The same stripe.
constexpr std::uint64_t kHashOfA = 7;
constexpr std::uint64_t kHashOfB = 7 + 64;

std::uint64_t HashOf(std::string_view key) {
  return key == "a" ? kHashOfA : key == "b" ? kHashOfB : 64 * std::hash<std::string_view>()(key);
}

class RecentRowsTest : public ::testing::Test {
 protected:
  void Read(std::string_view key, std::string_view value) {
    rows_.Offer(key, HashOf(key), value, rows_.Draw(HashOf(key)));
  }
  std::string Show(std::string_view key) { return ShowAt(key, HashOf(key)); }
  std::string ShowAt(std::string_view key, std::uint64_t hash) {
    std::string shown = "unknown";
    rows_.Find(key, hash, [&](RecentRows::Value value) { shown = value.value_or("absent"); });
    return shown;
  }

  RecentRows rows_{1 << 20};
};

TEST_F(RecentRowsTest, ShowsWhatWasReadBefore) {
  EXPECT_EQ(Show("a"), "unknown");
  Read("a", "1");
  EXPECT_EQ(Show("a"), "1");
  EXPECT_EQ(Show("b"), "unknown");
  EXPECT_EQ(rows_.Hits(), 1U);
  EXPECT_EQ(rows_.Misses(), 2U);
}

TEST_F(RecentRowsTest, ForgetsARowBeforeItIsWritten) {
  Read("a", "1");
  rows_.BeginWrite(kHashOfA);
  EXPECT_EQ(Show("a"), "unknown");
  rows_.EndWrite(kHashOfA);
  EXPECT_EQ(Show("a"), "unknown");
  Read("a", "2");
  EXPECT_EQ(Show("a"), "2");
}

TEST_F(RecentRowsTest, TakesNothingWhileARowIsWritten) {
  rows_.BeginWrite(kHashOfA);
  Read("a", "1");
  rows_.BeginWrite(kHashOfB);
  Read("a", "1");
  rows_.EndWrite(kHashOfA);
  EXPECT_EQ(Show("a"), "unknown");
}

TEST_F(RecentRowsTest, TakesNothingThatWasReadBeforeAWrite) {
  const RecentRows::Ticket ticket = rows_.Draw(kHashOfA);
  rows_.BeginWrite(kHashOfA);
  rows_.EndWrite(kHashOfA);
  rows_.EndWrite(kHashOfA);
  rows_.Offer("a", kHashOfA, "old", ticket);
  EXPECT_EQ(Show("a"), "unknown");
}

TEST_F(RecentRowsTest, AWriteThatNeverEndedEndsWithReopening) {
  Read("a", "1");
  rows_.BeginWrite(kHashOfB);
  const RecentRows::Ticket ticket = rows_.Draw(kHashOfA);
  rows_.Forget();
  rows_.Offer("b", kHashOfB, "old", ticket);
  EXPECT_EQ(Show("a"), "unknown");
  EXPECT_EQ(Show("b"), "unknown");
  Read("b", "2");
  EXPECT_EQ(Show("b"), "2");
}

TEST_F(RecentRowsTest, TellsRowsOfTheSameHashApart) {
  rows_.Offer("a", kHashOfA, "1", rows_.Draw(kHashOfA));
  EXPECT_EQ(ShowAt("c", kHashOfA), "unknown");
  rows_.Offer("c", kHashOfA, "2", rows_.Draw(kHashOfA));
  EXPECT_EQ(Show("a"), "unknown");
  EXPECT_EQ(ShowAt("c", kHashOfA), "2");
}

TEST_F(RecentRowsTest, KnowsWhatIsNotThereUntilItIsWritten) {
  rows_.Offer("a", kHashOfA, std::nullopt, rows_.Draw(kHashOfA));
  EXPECT_EQ(Show("a"), "absent");
  const RecentRows::Ticket ticket = rows_.Draw(kHashOfA);
  rows_.BeginWrite(kHashOfA);
  EXPECT_EQ(Show("a"), "unknown");
  rows_.EndWrite(kHashOfA);
  rows_.Offer("a", kHashOfA, std::nullopt, ticket);
  EXPECT_EQ(Show("a"), "unknown");
  Read("a", "1");
  EXPECT_EQ(Show("a"), "1");
}

TEST_F(RecentRowsTest, ARowThatACompactionRemovesIsGone) {
  Read("a", "1");
  rows_.Drop(kHashOfA);
  EXPECT_EQ(Show("a"), "unknown");
  EXPECT_EQ(rows_.Bytes(), 0U);
}

TEST_F(RecentRowsTest, StaysWithinItsBytesAndKeepsNoLargeRows) {
  const std::string large(64 << 10, 'x');
  Read("large", large);
  EXPECT_EQ(Show("large"), "unknown");
  const std::string medium(8 << 10, 'x');
  for (int i = 0; i < 1000; ++i) {
    Read(std::to_string(i), medium);
  }
  EXPECT_LE(rows_.Bytes(), 1U << 20);
}

TEST_F(RecentRowsTest, KeepsWhatIsReadAgainAndAgain) {
  const std::string medium(1 << 10, 'x');
  // In the stripe of the others, or nothing would push it out.
  Read("hot", "often");
  ASSERT_EQ(HashOf("hot") % 64, HashOf("0") % 64);
  for (int i = 0; i < 10'000; ++i) {
    ASSERT_EQ(Show("hot"), "often") << i;
    Read(std::to_string(i), medium);
  }
  EXPECT_EQ(Show("0"), "unknown");
}

}  // namespace
}  // namespace atrium::rocks
