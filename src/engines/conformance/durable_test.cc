// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <vector>

#include "engines/conformance/engine_testing.h"
#include "store/op_context_testing.h"

namespace atrium::engines {
namespace {

using std::chrono::hours;
using store::Add;
using store::Append;
using store::Erase;
using store::Expectation;
using store::Key;
using store::KeyedRow;
using store::Put;
using store::Version;

/// What must hold when an engine is closed and opened again. An engine that does not outlive its
/// process goes through the same without the reopening.
class Durable : public EngineTest {
 protected:
  const Key key_{"p", "s"};
};
FOR_ALL_ENGINES(Durable);

TEST_P(Durable, EveryRowIsAsItWas) {
  Committed(Put{&kThings, key_, "1", Expectation::None(), In(hours(1))},
            Put{&kLast, {Bytes("\xff"), Bytes("\0")}, "2"}, Append{&kLog, "l", "3"});
  Committed(Add{&kThings, key_, "n", 5}, Add{&kOthers, {"q", ""}, "m", -5});
  const std::vector<store::ImmutableRow> objects = {{{"h", ""}, "4"}};
  ASSERT_THAT(Store().WriteImmutable(store::kTestOp, kObjects, objects), IsOk());
  const std::vector<KeyedRow> loaded = {
      {.key = {"p", "loaded"}, .row = {.document = "5", .version = {5}}}};
  ASSERT_THAT(Store().Load(store::kTestOp, kThings, loaded), IsOk());

  std::map<std::string_view, std::vector<KeyedRow>> before;
  for (const store::Table* table : kTables) {
    before[table->name] = WalkAll(*table);
  }
  Reopen();
  for (const store::Table* table : kTables) {
    EXPECT_EQ(WalkAll(*table), before[table->name]) << table->name;
  }
}

TEST_P(Durable, ErasedRowsStayErased) {
  Committed(Put{&kThings, key_, "1"});
  Reopen();
  Committed(Erase{&kThings, key_});
  Reopen();
  EXPECT_EQ(Get(kThings, key_), std::nullopt);
}

TEST_P(Durable, NumbersOfALogGoOn) {
  Committed(Append{.table = &kLog, .partition = "l", .document = "a", .keep = 1},
            Append{.table = &kLog, .partition = "l", .document = "b", .keep = 1});
  Reopen();
  const Result<store::Receipt> receipt = Commit(Append{&kLog, "l", "c"});
  ASSERT_THAT(receipt, IsOk());
  EXPECT_THAT(receipt->appended, ::testing::ElementsAre(3));
}

TEST_P(Durable, VersionsGrowAlthoughTheClockWasSetBack) {
  const Version first = Committed(Put{&kThings, key_, "1"});
  Time().Set(Time().Now() - hours(1));
  Reopen();
  EXPECT_GT(Committed(Put{&kThings, key_, "2"}), first);
}

TEST_P(Durable, VersionsGrowAlthoughTheRowIsGoneAndTheClockWasSetBack) {
  const Version first = Committed(Put{&kThings, key_, "1"});
  const Version erased = Committed(Erase{&kThings, key_});
  Time().Set(Time().Now() - hours(1));
  Reopen();
  const Version second = Committed(Put{&kThings, key_, "1"});
  EXPECT_GT(second, first);
  EXPECT_GT(second, erased);
}

TEST_P(Durable, VersionsGrowBeyondLoadedOnesAlthoughTheRowIsGone) {
  const Version future{Committed(Put{&kOthers, key_, "1"}).number + 3'600'000'000};
  const std::vector<KeyedRow> rows = {{.key = key_, .row = {.document = "1", .version = future}}};
  ASSERT_THAT(Store().Load(store::kTestOp, kThings, rows), IsOk());
  Reopen();
  const Version erased = Committed(Erase{&kThings, key_});
  EXPECT_GT(erased, future);
  Reopen();
  EXPECT_GT(Committed(Put{&kThings, key_, "1"}), erased);
}

TEST_P(Durable, VersionsGrowOverImmutableRowsToo) {
  const std::vector<store::ImmutableRow> objects = {{{"h", ""}, "4"}};
  ASSERT_THAT(Store().WriteImmutable(store::kTestOp, kObjects, objects), IsOk());
  const Version first = Get(kObjects, {"h", ""})->version;
  Time().Set(Time().Now() - hours(1));
  Reopen();
  EXPECT_GT(Committed(Put{&kThings, key_, "1"}), first);
}

TEST_P(Durable, ExpectationsHoldAcrossReopening) {
  const Version version = Committed(Put{&kThings, key_, "1"});
  Reopen();
  EXPECT_THAT(Commit(Put{&kThings, key_, "2", Expectation::Absent()}),
              FailsWith(ErrorCode::kConflict));
  EXPECT_THAT(Commit(Put{&kThings, key_, "2", Expectation::At(version)}), IsOk());
}

TEST_P(Durable, WhatExpiredWhileClosedIsGone) {
  Committed(Put{&kThings, key_, "1", Expectation::None(), In(hours(1))},
            Put{&kThings, {"p", "stays"}, "1", Expectation::None(), In(hours(3))});
  Time().Advance(hours(2));
  Reopen();
  EXPECT_EQ(DocumentAt(kThings, key_), "absent");
  EXPECT_EQ(DocumentAt(kThings, {"p", "stays"}), "1");
}

TEST_P(Durable, AFailedCommitIsNotThereAfterReopening) {
  Committed(Put{&kThings, key_, "1"});
  EXPECT_THAT(Commit(Put{&kThings, key_, "2"}, Append{&kLog, "l", "a"},
                     store::Check{&kOthers, key_, Expectation::Present()}),
              FailsWith(ErrorCode::kConflict));
  Reopen();
  EXPECT_EQ(DocumentAt(kThings, key_), "1");
  EXPECT_TRUE(WalkAll(kLog).empty());
}

}  // namespace
}  // namespace atrium::engines
