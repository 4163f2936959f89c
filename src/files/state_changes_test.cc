// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/state_changes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "files/past_testing.h"

namespace atrium::files {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

class StateChangesTest : public testing::PastTest {
 protected:
  StateChanges ChangesOf(const CommitId& commit) {
    const auto changes = ListChanges(Ground(), *content_, {}, ann_, {id_, commit});
    EXPECT_THAT(changes, IsOk());
    return changes.value_or(StateChanges());
  }
};

TEST_F(StateChangesTest, EachKindIsToldApart) {
  Write("/a", "1");
  Write("/b", "2");
  Write("/old/c", "3");
  EXPECT_THAT(ChangesOf(Write("/d", "4")).new_files, ElementsAre("/d"));
  EXPECT_THAT(ChangesOf(Write("/a", "11")).changed_files, ElementsAre("/a"));
  EXPECT_THAT(ChangesOf(Rename("/b", "bb")).renamed_files, ElementsAre(Pair("/b", "/bb")));
  EXPECT_THAT(ChangesOf(Remove("/d")).removed_files, ElementsAre("/d"));
  const StateChanges added = ChangesOf(Write("/new/e", "5"));
  EXPECT_THAT(added.new_folders, ElementsAre("/new"));
  EXPECT_THAT(added.new_files, IsEmpty());
  EXPECT_THAT(ChangesOf(Remove("/old")).removed_folders, ElementsAre("/old"));
}

TEST_F(StateChangesTest, TheFirstStateChangedNothing) {
  EXPECT_THAT(ChangesOf(Now().head).new_files, IsEmpty());
}

TEST_F(StateChangesTest, OthersAreToldNothing) {
  EXPECT_THAT(ListChanges(Ground(), *content_, {}, bob_, {id_, Now().head}),
              FailsWith(ErrorCode::kNotFound));
}

}  // namespace
}  // namespace atrium::files
