// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/conditional.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/result.h"
#include "base/testing.h"

namespace atrium::http {

void PrintTo(const ETag& tag, std::ostream* out) {
  *out << tag.Render();
}

namespace {

using ::testing::ElementsAre;
using namespace std::chrono_literals;

ETag Strong(std::string opaque) {
  return ETag::Strong(std::move(opaque)).value();
}

ETag Weak(std::string opaque) {
  return ETag::Weak(std::move(opaque)).value();
}

constexpr std::string_view kBefore = "Sun, 06 Nov 1994 08:49:36 GMT";
constexpr std::string_view kExactly = "Sun, 06 Nov 1994 08:49:37 GMT";
constexpr std::string_view kAfter = "Sun, 06 Nov 1994 08:49:38 GMT";

CurrentState Stored() {
  return {.etag = Strong("v1"),
          .last_modified = std::chrono::sys_days{1994y / 11 / 6} + 8h + 49min + 37s};
}

CurrentState Absent() {
  return {.exists = false};
}

TEST(ETagTest, TagsReadBackAsRendered) {
  EXPECT_EQ(Strong("a,b").Render(), "\"a,b\"");
  EXPECT_EQ(Weak("").Render(), "W/\"\"");
  EXPECT_THAT(ETag::Parse("\"a,b\""), Holds(Strong("a,b")));
  EXPECT_THAT(ETag::Parse("W/\"\""), Holds(Weak("")));
}

TEST(ETagTest, BrokenTagsAreRefused) {
  for (const std::string_view bad :
       {"", "a", "\"", "\"a", "a\"", "w/\"a\"", "W/a", "W/", "W/\"", "W /\"a\"", "\"a\" ",
        "\"a\"b\"", "\"a b\"", "\"a\nb\"", "*", "'a'"}) {
    EXPECT_THAT(ETag::Parse(bad), FailsWith(ErrorCode::kInvalidArgument)) << bad;
  }
  EXPECT_THAT(ETag::Strong("a\"b"), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(ETag::Weak("a\r\nb"), FailsWith(ErrorCode::kInvalidArgument));
}

TEST(ETagTest, ComparisonFollowsTheTableOfTheRfc) {
  EXPECT_FALSE(MatchStrongly(Weak("1"), Weak("1")));
  EXPECT_TRUE(MatchWeakly(Weak("1"), Weak("1")));
  EXPECT_FALSE(MatchWeakly(Weak("1"), Weak("2")));
  EXPECT_FALSE(MatchStrongly(Weak("1"), Strong("1")));
  EXPECT_FALSE(MatchStrongly(Strong("1"), Weak("1")));
  EXPECT_TRUE(MatchWeakly(Weak("1"), Strong("1")));
  EXPECT_TRUE(MatchStrongly(Strong("1"), Strong("1")));
}

TEST(ETagListTest, ListsAndTheStarAreRead) {
  const Result<ETagList> list = ParseETagList(" ,\"a\" , W/\"b,c\",,\"d\", ");
  ASSERT_THAT(list, IsOk());
  EXPECT_FALSE(list->any);
  EXPECT_THAT(list->tags, ElementsAre(Strong("a"), Weak("b,c"), Strong("d")));
  const Result<ETagList> star = ParseETagList(" * ");
  ASSERT_THAT(star, IsOk());
  EXPECT_TRUE(star->any);
}

TEST(ETagListTest, BrokenListsAreRefused) {
  for (const std::string_view bad : {"", " ", ",", "a", "\"a\" \"b\"", "\"a\"\"b\"", "\"a\", *",
                                     "*, \"a\"", "**", "\"a\", b", "\"a\", \"b", "\"a\";\"b\""}) {
    EXPECT_THAT(ParseETagList(bad), FailsWith(ErrorCode::kInvalidArgument)) << bad;
  }
}

TEST(ETagListTest, TooManyTagsAreRefused) {
  std::string text = "\"a\"";
  for (std::size_t i = 1; i < kETagsMax; ++i) {
    text += ",\"a\"";
  }
  EXPECT_THAT(ParseETagList(text), IsOk());
  EXPECT_THAT(ParseETagList(text + ",\"a\""), FailsWith(ErrorCode::kLimitExceeded));
}

constexpr auto kProceed = Verdict::kProceed;
constexpr auto kNotModified = Verdict::kNotModified;
constexpr auto kFailed = Verdict::kPreconditionFailed;

/// The conditions, and what they say to a read and to a write.
using Cases = std::vector<std::tuple<Preconditions, Verdict, Verdict>>;

void ExpectVerdicts(const Cases& cases, const CurrentState& current) {
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto& [preconditions, read, write] = cases[i];
    EXPECT_EQ(Evaluate(preconditions, Intent::kRead, current), read) << "case " << i;
    EXPECT_EQ(Evaluate(preconditions, Intent::kWrite, current), write) << "case " << i;
  }
}

TEST(EvaluateTest, NoConditionsLetEverythingThrough) {
  ExpectVerdicts({{{}, kProceed, kProceed}}, Stored());
  ExpectVerdicts({{{}, kProceed, kProceed}}, Absent());
}

TEST(EvaluateTest, IfMatchComparesStrongly) {
  ExpectVerdicts(
      {
          {{.if_match = "\"v1\""}, kProceed, kProceed},
          {{.if_match = "\"v0\", \"v1\""}, kProceed, kProceed},
          {{.if_match = "*"}, kProceed, kProceed},
          {{.if_match = "W/\"v1\""}, kFailed, kFailed},
          {{.if_match = "\"v2\""}, kFailed, kFailed},
          {{.if_match = "v1"}, kFailed, kFailed},
          {{.if_match = ""}, kFailed, kFailed},
      },
      Stored());
}

TEST(EvaluateTest, IfNoneMatchComparesWeakly) {
  ExpectVerdicts(
      {
          {{.if_none_match = "\"v1\""}, kNotModified, kFailed},
          {{.if_none_match = "W/\"v1\""}, kNotModified, kFailed},
          {{.if_none_match = "\"v0\",\"v1\""}, kNotModified, kFailed},
          {{.if_none_match = "*"}, kNotModified, kFailed},
          {{.if_none_match = "\"v2\""}, kProceed, kProceed},
          {{.if_none_match = "v1"}, kProceed, kFailed},
      },
      Stored());
}

TEST(EvaluateTest, NothingStoredMatchesNothing) {
  ExpectVerdicts(
      {
          {{.if_match = "*"}, kFailed, kFailed},
          {{.if_match = "\"v1\""}, kFailed, kFailed},
          {{.if_none_match = "*"}, kProceed, kProceed},
          {{.if_none_match = "\"v1\""}, kProceed, kProceed},
          {{.if_unmodified_since = kBefore}, kProceed, kProceed},
          {{.if_modified_since = kAfter}, kProceed, kProceed},
      },
      Absent());
}

TEST(EvaluateTest, TheStarMatchesWhatHasNoTag) {
  const CurrentState untagged;
  ExpectVerdicts(
      {
          {{.if_match = "*"}, kProceed, kProceed},
          {{.if_match = "\"v1\""}, kFailed, kFailed},
          {{.if_none_match = "*"}, kNotModified, kFailed},
          {{.if_none_match = "\"v1\""}, kProceed, kProceed},
      },
      untagged);
}

TEST(EvaluateTest, DatesAreComparedAndBadOnesIgnored) {
  ExpectVerdicts(
      {
          {{.if_modified_since = kBefore}, kProceed, kProceed},
          {{.if_modified_since = kExactly}, kNotModified, kProceed},
          {{.if_modified_since = kAfter}, kNotModified, kProceed},
          {{.if_modified_since = "yesterday"}, kProceed, kProceed},
          {{.if_unmodified_since = kBefore}, kFailed, kFailed},
          {{.if_unmodified_since = kExactly}, kProceed, kProceed},
          {{.if_unmodified_since = kAfter}, kProceed, kProceed},
          {{.if_unmodified_since = "yesterday"}, kProceed, kProceed},
      },
      Stored());
}

TEST(EvaluateTest, TagsGoBeforeDates) {
  ExpectVerdicts(
      {
          {{.if_match = "\"v1\"", .if_unmodified_since = kBefore}, kProceed, kProceed},
          {{.if_none_match = "\"v2\"", .if_modified_since = kAfter}, kProceed, kProceed},
          {{.if_none_match = "\"v1\"", .if_modified_since = kBefore}, kNotModified, kFailed},
      },
      Stored());
}

TEST(EvaluateTest, IfMatchGoesBeforeIfNoneMatch) {
  ExpectVerdicts(
      {
          {{.if_match = "\"v2\"", .if_none_match = "\"v1\""}, kFailed, kFailed},
          {{.if_match = "\"v1\"", .if_none_match = "\"v1\""}, kNotModified, kFailed},
          {{.if_modified_since = kAfter, .if_unmodified_since = kBefore}, kFailed, kFailed},
      },
      Stored());
}

TEST(IfRangeTest, OnlyAnExactStrongValidatorHolds) {
  EXPECT_TRUE(IfRangeHolds("\"v1\"", Stored()));
  EXPECT_TRUE(IfRangeHolds(kExactly, Stored()));
  for (const std::string_view other :
       {std::string_view("W/\"v1\""), std::string_view("\"v2\""), kBefore, kAfter,
        std::string_view(), std::string_view("*")}) {
    EXPECT_FALSE(IfRangeHolds(other, Stored())) << other;
  }
  EXPECT_FALSE(IfRangeHolds("W/\"v1\"", {.etag = Weak("v1")}));
  EXPECT_FALSE(IfRangeHolds("\"v1\"", Absent()));
}

}  // namespace
}  // namespace atrium::http
