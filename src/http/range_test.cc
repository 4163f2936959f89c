// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/range.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/testing.h"

namespace atrium::http {
namespace {

using Kind = RangeChoice::Kind;

/// The header, and the parts as Shown() writes them.
using Cases = std::vector<std::pair<std::string_view, std::string_view>>;

/// "0-1 7-9", or "whole", or "unsatisfiable".
std::string Shown(const RangeChoice& choice) {
  if (choice.kind != Kind::kParts) {
    EXPECT_TRUE(choice.parts.empty());
    return choice.kind == Kind::kWhole ? "whole" : "unsatisfiable";
  }
  std::string text;
  for (const ByteRange& part : choice.parts) {
    text +=
        (text.empty() ? "" : " ") + std::to_string(part.first) + "-" + std::to_string(part.last);
  }
  return text;
}

TEST(RangeTest, SatisfiableRangesOfTenBytes) {
  const Cases cases = {
      {"bytes=0-0", "0-0"},
      {"bytes=2-5", "2-5"},
      {"bytes=2-", "2-9"},
      {"bytes=-3", "7-9"},
      {"bytes=-99", "0-9"},
      {"bytes=5-99", "5-9"},
      {"bytes=0-99999999999999999999999", "0-9"},
      {"BYTES=1-2", "1-2"},
      {"bytes= 1-2 ,\t7-7 ", "1-2 7-7"},
      {"bytes=,,1-2,,", "1-2"},
      {"bytes=7-8,0-1", "7-8 0-1"},
      {"bytes=20-30,0-1", "0-1"},
      {"bytes=-0,0-1", "0-1"},
  };
  for (const auto& [header, parts] : cases) {
    EXPECT_EQ(Shown(ParseRange(header, 10)), parts) << header;
  }
}

TEST(RangeTest, OverlappingAndTouchingRangesAreJoinedWhereTheFirstStood) {
  const Cases cases = {
      {"bytes=0-3,2-5", "0-5"},
      {"bytes=0-3,4-5", "0-5"},
      {"bytes=0-3,5-6", "0-3 5-6"},
      {"bytes=8-9,0-1,1-2", "8-9 0-2"},
      {"bytes=0-1,4-5,8-9,1-8", "0-9"},
      {"bytes=0-,0-,0-", "0-9"},
      {"bytes=6-6,0-0,2-2,1-1", "6-6 0-2"},
  };
  for (const auto& [header, parts] : cases) {
    EXPECT_EQ(Shown(ParseRange(header, 10)), parts) << header;
  }
}

TEST(RangeTest, WhatIsNotARangeOfBytesMeansTheWholeBody) {
  for (const std::string_view header :
       {"", "bytes", "bytes=", "bytes=,", "bytes=5", "bytes=-", "bytes=5-2", "bytes=a-b",
        "bytes=1-2x", "bytes=1-2;3-4", "bytes=0-1,x", "bytes=--1", "bytes=1--2", "bytes=+1-2",
        "items=0-1", "bytes:0-1", "bytes=1 -2", "bytes=1-2-3"}) {
    EXPECT_EQ(ParseRange(header, 10).kind, Kind::kWhole) << header;
  }
}

TEST(RangeTest, RangesBehindTheEndAreUnsatisfiable) {
  for (const std::string_view header :
       {"bytes=10-", "bytes=10-20", "bytes=-0", "bytes=99999999999999999999-", "bytes=10-,11-"}) {
    EXPECT_EQ(Shown(ParseRange(header, 10)), "unsatisfiable") << header;
  }
}

TEST(RangeTest, AnEmptyBodyHasNoBytesToCut) {
  EXPECT_EQ(ParseRange("bytes=0-", 0).kind, Kind::kUnsatisfiable);
  EXPECT_EQ(ParseRange("bytes=-0", 0).kind, Kind::kUnsatisfiable);
  EXPECT_EQ(ParseRange("bytes=-5", 0).kind, Kind::kWhole);
}

TEST(RangeTest, MoreThanSixteenRangesAreIgnored) {
  std::string header = "bytes=0-0";
  for (std::size_t i = 1; i < kRangesMax; ++i) {
    header += "," + std::to_string(2 * i) + "-" + std::to_string(2 * i);
  }
  EXPECT_EQ(ParseRange(header, 100).parts.size(), kRangesMax);
  EXPECT_EQ(ParseRange(header + ",90-90", 100).kind, Kind::kWhole);
}

TEST(RangeTest, TheLargestBodyOverflowsNothing) {
  constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(Shown(ParseRange("bytes=0-,-1", kMax)), "0-18446744073709551614");
  EXPECT_EQ(ParseRange("bytes=18446744073709551615-", kMax).kind, Kind::kUnsatisfiable);
}

TEST(RangeTest, ContentRangeIsRendered) {
  EXPECT_EQ(RenderContentRange({.first = 0, .last = 99}, 1234), "bytes 0-99/1234");
  EXPECT_EQ(RenderUnsatisfiedRange(1234), "bytes */1234");
}

TEST(ContentRangeTest, SaysWhichPartOfTheWholeABodyIs) {
  EXPECT_THAT(ParseContentRange("bytes 0-99/1234"),
              Holds(ContentRange{.part = {.first = 0, .last = 99}, .size = 1234}));
  EXPECT_THAT(ParseContentRange("Bytes 5-5/6"),
              Holds(ContentRange{.part = {.first = 5, .last = 5}, .size = 6}));
  EXPECT_THAT(ParseContentRange("bytes 7-8/*"),
              Holds(ContentRange{.part = {.first = 7, .last = 8}}));
}

TEST(ContentRangeTest, RefusesWhatIsNoPart) {
  for (const std::string_view header :
       {"", "bytes", "bytes 0-99", "bytes 0-99/", "bytes=0-99/100", "bytes */100", "bytes -5/100",
        "bytes 5-/100", "bytes 9-5/100", "bytes 0-100/100", "items 0-9/10", "bytes 0-9/1 0",
        "bytes 0-9/10/10", "bytes 0-18446744073709551616/*", "bytes 0-1/99999999999999999999"}) {
    EXPECT_THAT(ParseContentRange(header), FailsWith(ErrorCode::kInvalidArgument)) << header;
  }
}

}  // namespace
}  // namespace atrium::http
