// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "store/limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/testing.h"

namespace atrium::store {
namespace {

constexpr Table kPeople{.number = 900, .name = "people"};
constexpr Table kPets{.number = 901, .name = "pets", .group = 900};
constexpr Table kObjects{.number = 902, .name = "objects", .kind = TableKind::kImmutable};
constexpr Table kLists{.number = 903, .name = "lists", .kind = TableKind::kDerived};
constexpr Table kChanges{.number = 904, .name = "changes", .kind = TableKind::kLog};

Key Named(std::string partition, std::string sort = "") {
  return {.partition = std::move(partition), .sort = std::move(sort)};
}

Put PutOf(Key key, std::size_t bytes = 2) {
  return {.table = &kPeople, .key = std::move(key), .document = std::string(bytes, 'x')};
}

TEST(LimitsTest, NothingIsNoCommit) {
  EXPECT_THAT(CheckLimits({}), FailsWith(ErrorCode::kInvalidArgument));
}

TEST(LimitsTest, OneHundredRowsAreTheMost) {
  WriteSet writes;
  for (int i = 0; i < 100; ++i) {
    writes.mutations.emplace_back(PutOf(Named("p", std::to_string(i))));
  }
  EXPECT_THAT(CheckLimits(writes), IsOk());
  writes.mutations.emplace_back(PutOf(Named("p", "more")));
  EXPECT_THAT(CheckLimits(writes), FailsWith(ErrorCode::kLimitExceeded));
}

TEST(LimitsTest, SixtyFourKibibytesAreTheLongestDocument) {
  EXPECT_THAT(CheckLimits({{PutOf(Named("p"), kDocumentBytesMax)}}), IsOk());
  EXPECT_THAT(CheckLimits({{PutOf(Named("p"), kDocumentBytesMax + 1)}}),
              FailsWith(ErrorCode::kLimitExceeded));
}

TEST(LimitsTest, OneMebibyteIsTheLargestCommit) {
  WriteSet writes;
  for (int i = 0; i < 16; ++i) {
    writes.mutations.emplace_back(PutOf(Named("p", std::to_string(i)), kDocumentBytesMax));
  }
  EXPECT_THAT(CheckLimits(writes), FailsWith(ErrorCode::kLimitExceeded));
}

TEST(LimitsTest, SixteenPartitionsAreTheMost) {
  WriteSet writes;
  for (int i = 0; i < 16; ++i) {
    writes.mutations.emplace_back(PutOf(Named("p" + std::to_string(i))));
  }
  EXPECT_THAT(CheckLimits(writes), IsOk());
  writes.mutations.emplace_back(PutOf(Named("one more")));
  EXPECT_THAT(CheckLimits(writes), FailsWith(ErrorCode::kLimitExceeded));
}

TEST(LimitsTest, TablesOfOneGroupShareTheirPartitions) {
  WriteSet writes;
  for (int i = 0; i < 16; ++i) {
    writes.mutations.emplace_back(PutOf(Named("p" + std::to_string(i))));
    writes.mutations.emplace_back(
        Put{.table = &kPets, .key = Named("p" + std::to_string(i)), .document = "{}"});
  }
  EXPECT_THAT(CheckLimits(writes), IsOk());
}

TEST(LimitsTest, PartitionsOfDerivedRowsAreNotCounted) {
  WriteSet writes;
  for (int i = 0; i < 50; ++i) {
    writes.mutations.emplace_back(
        Put{.table = &kLists, .key = Named("p" + std::to_string(i)), .document = "{}"});
  }
  EXPECT_THAT(CheckLimits(writes), IsOk());
}

TEST(LimitsTest, KeyPartsAreBounded) {
  EXPECT_THAT(CheckLimits({{PutOf(Named(""))}}), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(CheckLimits({{PutOf(Named(std::string(512, 'p'), std::string(512, 's')))}}), IsOk());
  EXPECT_THAT(CheckLimits({{PutOf(Named(std::string(513, 'p')))}}),
              FailsWith(ErrorCode::kLimitExceeded));
  EXPECT_THAT(CheckLimits({{PutOf(Named("p", std::string(513, 's')))}}),
              FailsWith(ErrorCode::kLimitExceeded));
}

TEST(LimitsTest, ARowIsNamedOnce) {
  EXPECT_THAT(CheckLimits({{PutOf(Named("p")), Erase{.table = &kPeople, .key = Named("p")}}}),
              FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(CheckLimits({{PutOf(Named("p")), Erase{.table = &kPets, .key = Named("p")}}}),
              IsOk());
}

TEST(LimitsTest, SeveralCountersOfOneRowMayBeAddedTo) {
  const Add bytes{.table = &kPeople, .key = Named("p"), .counter = "bytes", .delta = 1};
  const Add files{.table = &kPeople, .key = Named("p"), .counter = "files", .delta = 1};
  EXPECT_THAT(CheckLimits({{bytes, files}}), IsOk());
  EXPECT_THAT(CheckLimits({{bytes, files, bytes}}), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(CheckLimits({{bytes, files, PutOf(Named("p"))}}),
              FailsWith(ErrorCode::kInvalidArgument));
}

TEST(LimitsTest, ImmutableRowsAreOnlyErasedByACommit) {
  EXPECT_THAT(CheckLimits({{Put{.table = &kObjects, .key = Named("p"), .document = "{}"}}}),
              FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(CheckLimits({{Erase{.table = &kObjects, .key = Named("p")}}}), IsOk());
  const std::vector<ImmutableRow> rows = {{.key = Named("p"), .document = "{}"}};
  EXPECT_THAT(CheckImmutable(kObjects, rows), IsOk());
  EXPECT_THAT(CheckImmutable(kPeople, rows), FailsWith(ErrorCode::kInvalidArgument));
}

TEST(LimitsTest, DerivedRowsExpectNothing) {
  Put put{.table = &kLists, .key = Named("p"), .document = "{}"};
  EXPECT_THAT(CheckLimits({{put}}), IsOk());
  put.expect = Expectation::Absent();
  EXPECT_THAT(CheckLimits({{put}}), FailsWith(ErrorCode::kInvalidArgument));
}

TEST(LimitsTest, ALogIsOnlyAppendedTo) {
  const Append append{.table = &kChanges, .partition = "p", .document = "{}"};
  EXPECT_THAT(CheckLimits({{append, append}}), IsOk());
  EXPECT_THAT(CheckLimits({{Erase{.table = &kChanges, .key = Named("p")}}}),
              FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(CheckLimits({{Append{.table = &kPeople, .partition = "p", .document = "{}"}}}),
              FailsWith(ErrorCode::kInvalidArgument));
}

TEST(LimitsTest, APageHasBetweenOneAndAThousandRows) {
  EXPECT_THAT(CheckScan({.table = &kPeople, .partition = "p", .limit = 1000}), IsOk());
  EXPECT_THAT(CheckScan({.table = &kPeople, .partition = "p", .limit = 0}),
              FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(CheckScan({.table = &kPeople, .partition = "p", .limit = 1001}),
              FailsWith(ErrorCode::kInvalidArgument));
}

}  // namespace
}  // namespace atrium::store
