// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "base/testing.h"
#include "files/heads.h"
#include "files/heads_testing.h"

namespace atrium::files {
namespace {

using ::testing::ElementsAre;
using testing::HeadsTest;
using ::testing::Pair;

// A store that was restored from a backup does not have what was published after it. Clients do.

class HeadsRestoreTest : public HeadsTest {
 protected:
  /// As a client sees the library that has published this commit.
  Library SeenAt(const Commit& commit) {
    Library seen = Now();
    seen.head = commit.id;
    return seen;
  }
};

TEST_F(HeadsRestoreTest, WhatWasPublishedAfterTheBackupIsKeptWhenItsCommitIsUnknown) {
  ASSERT_THAT(Publish(Now(), {{"a", "alto"}}), IsOk());
  Library lost = Now();
  lost.head = CommitId::Parse(std::string(40, '7')).value();
  ASSERT_THAT(Publish(lost, {{"a", "alto"}, {"b", "bass"}, {"c", "choir"}}, "Added c."), IsOk());
  EXPECT_THAT(Listing(), ElementsAre(Pair("a", "alto"), Pair("b", "bass"), Pair("c", "choir")));
}

TEST_F(HeadsRestoreTest, WhatWasPublishedAfterTheBackupIsKeptWhenItsCommitWasPutBefore) {
  ASSERT_THAT(Publish(Now(), {{"a", "alto"}}), IsOk());
  // The backup was made between putting the commit and publishing it.
  const Commit lost = CommitOn(Now(), Upload({{"a", "alto"}, {"b", "bass"}}), "Added b.");
  ASSERT_THAT(Publish(SeenAt(lost), {{"a", "alto"}, {"b", "bass"}, {"c", "choir"}}, "Added c."),
              IsOk());
  EXPECT_THAT(Listing(), ElementsAre(Pair("a", "alto"), Pair("b", "bass"), Pair("c", "choir")));
}

TEST_F(HeadsRestoreTest, WhatAClientChangedAfterTheBackupIsKeptBesideWhatIsThere) {
  ASSERT_THAT(Publish(Now(), {{"a", "alto"}}), IsOk());
  const Commit lost = CommitOn(Now(), Upload({{"a", "alto, changed"}}), "Changed a.");
  ASSERT_THAT(Publish(SeenAt(lost), {{"a", "alto, changed twice"}}, "Changed a again."), IsOk());
  EXPECT_THAT(Listing(), ::testing::Contains(Pair("a", "alto")));
  EXPECT_THAT(Listing(),
              ::testing::Contains(Pair(::testing::StartsWith("a "), "alto, changed twice")));
}

TEST_F(HeadsRestoreTest, StatesAreKnownAndCommitsThatWereOnlyPutAreNot) {
  const Library seen = Now();
  ASSERT_THAT(Publish(seen, {{"a", "alto"}}), IsOk());
  const Library first = Now();
  const Commit theirs = CommitOn(seen, Upload({{"b", "bass"}}), "Added b.");
  ASSERT_THAT(heads_.Publish({}, author_, id_, theirs.id), IsOk());
  const Library merged = Now();
  for (const CommitId& id : {seen.head, first.head, theirs.id, merged.head}) {
    const auto state = heads_.FindState({}, id_, id);
    ASSERT_THAT(state, IsOk());
    ASSERT_TRUE(state->has_value());
    EXPECT_TRUE((*state)->root.has_value());
  }
  EXPECT_EQ(heads_.FindState({}, id_, merged.head).value()->root, merged.root);
  const Commit put = CommitOn(merged, Upload({{"c", "choir"}}), "Added c.");
  EXPECT_FALSE(heads_.FindState({}, id_, put.id).value().has_value());
  EXPECT_FALSE(
      heads_.FindState({}, id_, CommitId::Parse(std::string(40, '7')).value()).value().has_value());
}

}  // namespace
}  // namespace atrium::files
