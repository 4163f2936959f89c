// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/archive_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/testing.h"
#include "files/tree_testing.h"

namespace atrium::files {
namespace {

using testing::UnorderedElementsAre;

std::vector<std::string> PathsIn(MemoryTree& tree, const ObjectId& root) {
  ArchiveNames names(tree, root);
  std::vector<std::string> paths;
  const auto note = [&](const TreeChange& change) -> Result<void> {
    ASSIGN_OR_RETURN(std::string path, names.PathOf(change));
    paths.push_back(std::move(path));
    return {};
  };
  EXPECT_THAT(VisitChanges({tree, ObjectId(), root}, note), IsOk());
  return paths;
}

TEST(ArchiveNamesTest, NamesThatLeadElsewhereAreMadeSafe) {
  EXPECT_EQ(SafeInArchive("..\\..\\x"), ".._.._x");
  EXPECT_EQ(SafeInArchive("C:evil"), "C_evil");
  EXPECT_EQ(SafeInArchive("12:30 notes"), "12:30 notes");
  EXPECT_EQ(SafeInArchive("two\nlines\x7f"), "two_lines_");
  EXPECT_EQ(SafeInArchive("Übung"), "Übung");
}

TEST(ArchiveNamesTest, NoTwoEntriesBecomeOne) {
  MemoryTree tree;
  const ObjectId root = tree.Build(
      {{"/a\\b", "1"}, {"/a\tb", "2"}, {"/a_b", "3"}, {"/d\\e/x", "4"}, {"/d_e/x", "5"}});
  EXPECT_THAT(PathsIn(tree, root), UnorderedElementsAre("a_b", "a_b (1)", "a_b (2)", "d_e", "d_e/x",
                                                        "d_e (1)", "d_e (1)/x"));
}

TEST(ArchiveNamesTest, PathsBelowAreThoseOfTheirFolders) {
  MemoryTree tree;
  const ObjectId root = tree.Build({{"/a\\b/c/d", "1"}, {"/a\\b/e", "2"}, {"/z", "3"}});
  EXPECT_THAT(PathsIn(tree, root), UnorderedElementsAre("a_b", "a_b/c", "a_b/c/d", "a_b/e", "z"));
}

}  // namespace
}  // namespace atrium::files
