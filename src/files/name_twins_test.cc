// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/name_twins.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "files/objects.h"

namespace atrium::files {
namespace {

// "é" as one letter, and as "e" with an accent behind it.
constexpr const char* kJoined = "caf\xC3\xA9";
constexpr const char* kApart = "cafe\xCC\x81";

Directory FoldersNamed(const std::vector<std::string>& names) {
  Directory directory;
  for (const std::string& name : names) {
    EXPECT_TRUE(directory.Put({.mode = kDirectoryMode, .name = name}));
  }
  return directory;
}

TEST(NameTwinsTest, AccentsAreJoined) {
  EXPECT_EQ(ComposeName(kApart), kJoined);
  EXPECT_EQ(ComposeName(kJoined), kJoined);
  EXPECT_EQ(ComposeName("plain.txt"), "plain.txt");
  EXPECT_EQ(ComposeName("\xE1\x84\x92\xE1\x85\xA1\xE1\x86\xAB"), "\xED\x95\x9C");
  EXPECT_EQ(ComposeName("\xE2\x84\xAA"), "K");
}

TEST(NameTwinsTest, LettersThatOnlyMeanTheSameStayApart) {
  EXPECT_EQ(ComposeName("\xEF\xAC\x81"), "\xEF\xAC\x81");
  EXPECT_EQ(ComposeName("Straße"), "Straße");
}

TEST(NameTwinsTest, ANameThatLooksAlikeIsFound) {
  const Directory apart = FoldersNamed({"a", kApart, "z"});
  const Dirent* twin = FindTwin(apart, kJoined);
  ASSERT_NE(twin, nullptr);
  EXPECT_EQ(twin->name, kApart);
  EXPECT_EQ(FindTwin(FoldersNamed({kJoined}), kApart)->name, kJoined);
  EXPECT_EQ(FindTwin(FoldersNamed({"\xE2\x84\xAA"}), "K")->name, "\xE2\x84\xAA");
  EXPECT_EQ(FindTwin(FoldersNamed({"K"}), "\xE2\x84\xAA")->name, "K");
}

TEST(NameTwinsTest, TheVeryNameComesFirst) {
  const Directory both = FoldersNamed({kApart, kJoined});
  EXPECT_EQ(FindTwin(both, kApart)->name, kApart);
  EXPECT_EQ(FindTwin(both, kJoined)->name, kJoined);
}

TEST(NameTwinsTest, OtherNamesAreNotFound) {
  EXPECT_EQ(FindTwin(FoldersNamed({kApart}), "cafe"), nullptr);
  EXPECT_EQ(FindTwin(FoldersNamed({"cafe"}), kApart), nullptr);
  EXPECT_EQ(FindTwin(FoldersNamed({"Cafe"}), "cafe"), nullptr);
  EXPECT_EQ(FindTwin(Directory(), "cafe"), nullptr);
}

}  // namespace
}  // namespace atrium::files
