// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error.h"
#include "base/result.h"
#include "base/testing.h"
#include "files/tree_testing.h"

namespace atrium::files {
namespace {

using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;

TEST(TreeTest, TheZeroIdIsEmptyAndNeverLoaded) {
  MemoryTree tree;
  const auto directory = tree.ReadDirectory(ObjectId());
  ASSERT_THAT(directory, IsOk());
  EXPECT_TRUE((*directory)->empty());
  EXPECT_THAT(tree.ReadFile(ObjectId()), Holds(FileObject()));
  EXPECT_THAT(tree.ReadDirectory(ObjectIdOf("nothing")), FailsWith(ErrorCode::kCorrupt));
}

TEST(TreeTest, WhatIsEmptyIsNotStored) {
  CollectedObjects collected;
  EXPECT_THAT(collected.Write(Directory()), Holds(ObjectId()));
  EXPECT_THAT(collected.Write(FileObject()), Holds(ObjectId()));
  EXPECT_THAT(collected.Objects(), IsEmpty());
}

TEST(TreeTest, EachObjectIsCollectedOnceUnderTheIdOfItsText) {
  CollectedObjects collected;
  const FileObject file{.blocks = {BlockIdOf("hello world")}, .size = 11};
  const Result<ObjectId> id = collected.Write(file);
  EXPECT_THAT(id, Holds(ObjectIdOf(file)));
  EXPECT_EQ(id->Render(), "aab9a78455aaf01c2779ecc7288ca3c500171b50");
  EXPECT_THAT(collected.Write(file), Holds(*id));
  EXPECT_THAT(collected.Objects(), ElementsAre(Field(&NewObject::text, Render(file))));
}

TEST(TreeTest, AnObjectThatIsTooLongIsNotWritten) {
  CollectedObjects collected;
  const FileObject file{.blocks = std::vector<BlockId>(kObjectBytesMax / 44 + 1, BlockIdOf("x")),
                        .size = 1};
  EXPECT_THAT(collected.Write(file), FailsWith(ErrorCode::kLimitExceeded));
}

}  // namespace
}  // namespace atrium::files
