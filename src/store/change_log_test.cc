// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "store/change_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>

#include "base/testing.h"
#include "store/change_signals.h"
#include "store/notes_testing.h"

namespace atrium::store {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ChangeLogTest : public ::testing::Test, protected testing::NoteStore {
 protected:
  void Say(const std::string& topic, const std::string& document) {
    Append append = AppendChange(kChanges, topic, document);
    append.keep = keep_;
    ASSERT_THAT(store.Commit(op, {.mutations = {append}}), IsOk());
  }

  ChangePage Read(const std::string& topic, std::uint64_t after, std::size_t limit = 100) {
    const auto page = ReadChanges(store, op, {.topic = topic, .after = after, .limit = limit});
    EXPECT_THAT(page, IsOk());
    return page.value_or(ChangePage());
  }

  std::uint64_t keep_ = kChangesKept;
};

TEST_F(ChangeLogTest, IdsOfATopicCountFromOne) {
  Say("a", "1");
  Say("b", "2");
  Say("a", "3");
  EXPECT_THAT(Read("a", 0).changes, ElementsAre(Change{1, "1"}, Change{2, "3"}));
  EXPECT_THAT(Read("b", 0).changes, ElementsAre(Change{1, "2"}));
  EXPECT_THAT(LastChange(store, op, kChanges, "a"), Holds(2U));
}

TEST_F(ChangeLogTest, ATopicOfNothingIsEmptyAndInStep) {
  const ChangePage page = Read("none", 0);
  EXPECT_THAT(page.changes, IsEmpty());
  EXPECT_FALSE(page.refresh_required);
  EXPECT_EQ(page.last, 0U);
}

TEST_F(ChangeLogTest, AReaderGoesOnBehindWhatItHasSeen) {
  for (const char* text : {"1", "2", "3"}) {
    Say("a", text);
  }
  EXPECT_THAT(Read("a", 1, 1).changes, ElementsAre(Change{2, "2"}));
  EXPECT_EQ(Read("a", 1, 1).last, 3U);
  EXPECT_THAT(Read("a", 3).changes, IsEmpty());
  EXPECT_FALSE(Read("a", 3).refresh_required);
}

TEST_F(ChangeLogTest, AReaderThatFellBehindMustRefresh) {
  keep_ = 2;
  for (const char* text : {"1", "2", "3", "4"}) {
    Say("a", text);
  }
  EXPECT_TRUE(Read("a", 0).refresh_required);
  EXPECT_TRUE(Read("a", 1).refresh_required);
  EXPECT_THAT(Read("a", 1).changes, IsEmpty());
  EXPECT_EQ(Read("a", 1).last, 4U);
  EXPECT_FALSE(Read("a", 2).refresh_required);
  EXPECT_THAT(Read("a", 2).changes, ElementsAre(Change{3, "3"}, Change{4, "4"}));
}

TEST_F(ChangeLogTest, AReaderAheadOfTheLogMustRefresh) {
  Say("a", "1");
  EXPECT_TRUE(Read("a", 7).refresh_required);
  EXPECT_EQ(Read("a", 7).last, 1U);
}

TEST_F(ChangeLogTest, WhoWatchesATopicIsWokenByItsCommitsAlone) {
  int woken = 0;
  {
    const ChangeSignals::Watch watch = store.Signals().Listen(kChanges, "a", [&] { ++woken; });
    Say("b", "1");
    EXPECT_EQ(woken, 0);
    Say("a", "1");
    EXPECT_EQ(woken, 1);
  }
  Say("a", "2");
  EXPECT_EQ(woken, 1);
}

TEST_F(ChangeLogTest, ACommitThatFailsWakesNobody) {
  int woken = 0;
  const ChangeSignals::Watch watch = store.Signals().Listen(kChanges, "a", [&] { ++woken; });
  const Check missing{.table = &testing::kNoteTable,
                      .key = testing::NoteKey("1"),
                      .expect = Expectation::Present()};
  EXPECT_THAT(store.Commit(op, {.mutations = {AppendChange(kChanges, "a", "{}"), missing}}),
              FailsWith(ErrorCode::kConflict));
  EXPECT_EQ(woken, 0);
}

TEST_F(ChangeLogTest, WhatIsWokenFindsTheChange) {
  std::uint64_t seen = 0;
  const ChangeSignals::Watch watch = store.Signals().Listen(
      kChanges, "a", [&] { seen = LastChange(engine, op, kChanges, "a").value_or(0); });
  Say("a", "1");
  EXPECT_EQ(seen, 1U);
}

TEST(ChangeSignalsTest, AWatchThatMovesStaysOne) {
  ChangeSignals signals;
  int woken = 0;
  ChangeSignals::Watch outer;
  {
    ChangeSignals::Watch inner = signals.Listen(kChanges, "a", [&] { ++woken; });
    outer = std::move(inner);
  }
  signals.Announce(kChanges, "a");
  EXPECT_EQ(woken, 1);
  outer = {};
  signals.Announce(kChanges, "a");
  EXPECT_EQ(woken, 1);
}

TEST(ChangeSignalsTest, NobodyIsWokenAfterTheWatchHasEnded) {
  ChangeSignals signals;
  std::atomic<bool> stop = false;
  std::thread announcer([&] {
    while (!stop) {
      signals.Announce(kChanges, "a");
    }
  });
  for (int i = 0; i < 1000; ++i) {
    auto alive = std::make_unique<std::atomic<int>>(0);
    const ChangeSignals::Watch watch =
        signals.Listen(kChanges, "a", [&counter = *alive] { ++counter; });
  }
  stop = true;
  announcer.join();
}

}  // namespace
}  // namespace atrium::store
