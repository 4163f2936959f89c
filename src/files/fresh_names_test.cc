// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/fresh_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "almanac/zone.h"
#include "base/error.h"
#include "base/result.h"
#include "base/testing.h"
#include "files/names.h"

namespace atrium::files {
namespace {

using Names = std::set<std::string, std::less<>>;

Result<std::string> FreeAmong(const Names& names, std::string_view wanted) {
  return FreeName(wanted, [&](std::string_view name) { return names.contains(name); });
}

std::string ConflictOf(std::string_view name, std::string_view modifier = "alice@example.com",
                       std::int64_t mtime = 1'794'772'613) {
  return ConflictName(name, {.modifier = modifier, .mtime = mtime, .zone = almanac::Zone::Utc()});
}

TEST(FreshNamesTest, AFreeNameStaysAsItIs) {
  EXPECT_THAT(FreeAmong({"b.txt"}, "a.txt"), Holds(std::string("a.txt")));
}

TEST(FreshNamesTest, ATakenNameGetsTheFirstFreeNumber) {
  EXPECT_THAT(FreeAmong({"a.txt"}, "a.txt"), Holds(std::string("a (1).txt")));
  EXPECT_THAT(FreeAmong({"a.txt", "a (1).txt", "a (3).txt"}, "a.txt"),
              Holds(std::string("a (2).txt")));
  EXPECT_THAT(FreeAmong({"folder"}, "folder"), Holds(std::string("folder (1)")));
  EXPECT_THAT(FreeAmong({"a.tar.gz"}, "a.tar.gz"), Holds(std::string("a.tar (1).gz")));
  EXPECT_THAT(FreeAmong({".hidden"}, ".hidden"), Holds(std::string(".hidden (1)")));
  EXPECT_THAT(FreeAmong({"a (1).txt"}, "a (1).txt"), Holds(std::string("a (1) (1).txt")));
}

TEST(FreshNamesTest, ALongNameIsCutToMakeRoomForItsNumber) {
  const std::string longest = std::string(251, 'x') + ".txt";
  EXPECT_THAT(FreeAmong({longest}, longest), Holds(std::string(247, 'x') + " (1).txt"));
  std::string umlauts;
  for (int i = 0; i < 127; ++i) {
    umlauts += "ü";
  }
  const Result<std::string> free = FreeAmong({umlauts}, umlauts);
  ASSERT_THAT(free, IsOk());
  EXPECT_THAT(CheckName(*free), IsOk());
  const std::string extension = "x." + std::string(253, 'e');
  const Result<std::string> odd = FreeAmong({extension}, extension);
  ASSERT_THAT(odd, IsOk());
  EXPECT_THAT(CheckName(*odd), IsOk());
  EXPECT_TRUE(odd->ends_with(" (1)"));
}

TEST(FreshNamesTest, ThereIsAnEndToTrying) {
  EXPECT_THAT(FreeName("a", [](std::string_view) { return true; }),
              FailsWith(ErrorCode::kLimitExceeded));
}

TEST(FreshNamesTest, ConflictsAreNamedAsClientsKnowThem) {
  EXPECT_EQ(ConflictOf("note.txt"), "note (SFConflict alice@example.com 2026-11-15-19-56-53).txt");
  EXPECT_EQ(ConflictOf("folder"), "folder (SFConflict alice@example.com 2026-11-15-19-56-53)");
  EXPECT_EQ(ConflictOf("a.tar.gz"), "a.tar (SFConflict alice@example.com 2026-11-15-19-56-53).gz");
  EXPECT_EQ(ConflictOf(".bashrc"), " (SFConflict alice@example.com 2026-11-15-19-56-53).bashrc");
  EXPECT_EQ(ConflictOf("a.txt", ""), "a (SFConflict 2026-11-15-19-56-53).txt");
}

TEST(FreshNamesTest, TheTimeOfAConflictIsThatOfTheZone) {
  const almanac::Zone berlin = almanac::Zone::Find("Europe/Berlin").value();
  EXPECT_EQ(ConflictName("a", {.modifier = "b", .mtime = 1'794'772'613, .zone = berlin}),
            "a (SFConflict b 2026-11-15-20-56-53)");
}

TEST(FreshNamesTest, AConflictIsAlwaysAValidName) {
  using std::string_view_literals::operator""sv;
  for (const std::string& name :
       {std::string("a"), std::string(255, 'x'), "x." + std::string(253, 'e'),
        std::string(254, 'x') + ".", std::string("."), std::string("\xE2\x82\xAC")}) {
    for (const std::string_view modifier :
         {""sv, "../../etc/passwd"sv, "a\0b"sv,
          "a very long address of somebody who is not here to explain why it has to be so long, "
          "and so on"sv}) {
      for (const std::int64_t mtime : {std::numeric_limits<std::int64_t>::min(), std::int64_t{0},
                                       std::numeric_limits<std::int64_t>::max()}) {
        const std::string conflict = ConflictOf(name, modifier, mtime);
        EXPECT_THAT(CheckName(conflict), IsOk()) << conflict;
        EXPECT_NE(conflict.find(" (SFConflict "), std::string::npos) << conflict;
      }
    }
  }
}

}  // namespace
}  // namespace atrium::files
