// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/tree_path.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/error.h"
#include "base/result.h"
#include "base/testing.h"
#include "files/tree.h"

namespace atrium::files {
namespace {

using testing::ElementsAre;

TreePath Path(std::string_view text) {
  return TreePath::Parse(text).value();
}

TEST(TreePathTest, PartsAreBetweenSlashes) {
  const TreePath path = Path("/a/b c/ü.txt");
  EXPECT_THAT(path.Parts(), ElementsAre("a", "b c", "ü.txt"));
  EXPECT_EQ(path.Render(), "/a/b c/ü.txt");
  EXPECT_EQ(path.Name(), "ü.txt");
  EXPECT_EQ(path.Parent(), Path("/a/b c"));
}

TEST(TreePathTest, CarelessSlashesMeanTheSame) {
  for (const char* text : {"a/b", "/a/b/", "//a///b//", "a//b"}) {
    EXPECT_EQ(Path(text).Render(), "/a/b");
  }
}

TEST(TreePathTest, TheRootHasNoParts) {
  for (const char* text : {"", "/", "//"}) {
    EXPECT_TRUE(Path(text).IsRoot());
    EXPECT_EQ(Path(text).Render(), "/");
  }
  EXPECT_EQ(TreePath(), Path("/"));
}

TEST(TreePathTest, PartsThatAreNoNamesAreRefused) {
  using std::string_view_literals::operator""sv;
  for (const std::string_view text :
       {"/a/../b"sv, ".."sv, "/./a"sv, "/a\0b"sv, "/caf\xE9"sv, "/a/."sv}) {
    EXPECT_THAT(TreePath::Parse(text), FailsSaying(ErrorCode::kInvalidArgument, "path: name: "));
  }
  EXPECT_THAT(TreePath().Child("a/b"), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(Path("/a").Child("b"), Holds(Path("/a/b")));
}

TEST(TreePathTest, PathsHaveALengthAndADepth) {
  std::string deep;
  for (std::size_t i = 0; i < kTreeDepthMax; ++i) {
    deep += "/d";
  }
  EXPECT_THAT(TreePath::Parse(deep), IsOk());
  EXPECT_THAT(TreePath::Parse(deep + "/d"), FailsWith(ErrorCode::kLimitExceeded));
  EXPECT_THAT(TreePath::Parse(std::string(kPathBytesMax + 1, '/')),
              FailsWith(ErrorCode::kLimitExceeded));
}

TEST(TreePathTest, AFolderContainsItselfAndWhatIsInIt) {
  EXPECT_TRUE(Path("/a/b").IsWithin(Path("/a")));
  EXPECT_TRUE(Path("/a").IsWithin(Path("/a")));
  EXPECT_TRUE(Path("/a").IsWithin(TreePath()));
  EXPECT_FALSE(Path("/ab").IsWithin(Path("/a")));
  EXPECT_FALSE(Path("/a").IsWithin(Path("/a/b")));
}

}  // namespace
}  // namespace atrium::files
