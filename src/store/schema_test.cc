// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "store/schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/testing.h"
#include "store/table.h"

namespace atrium::store {
namespace {

using ::testing::ElementsAre;
using ::testing::IsNull;

constexpr Table kEvents{.number = 120, .name = "events"};
constexpr Table kPeople{.number = 110, .name = "people_by_mail"};

TEST(SchemaTest, FindsATableByItsNumberAndByItsName) {
  Schema schema;
  ASSERT_THAT(schema.Add(kEvents), IsOk());
  EXPECT_EQ(schema.Find(120), &kEvents);
  EXPECT_EQ(schema.FindByName("events"), &kEvents);
}

TEST(SchemaTest, WhatWasNotAddedIsNotFound) {
  Schema schema;
  ASSERT_THAT(schema.Add(kEvents), IsOk());
  EXPECT_THAT(schema.Find(119), IsNull());
  EXPECT_THAT(schema.Find(121), IsNull());
  EXPECT_THAT(schema.FindByName("event"), IsNull());
}

TEST(SchemaTest, ListsTablesInTheOrderOfTheirNumbers) {
  Schema schema;
  ASSERT_THAT(schema.Add(kEvents), IsOk());
  ASSERT_THAT(schema.Add(kPeople), IsOk());
  EXPECT_THAT(schema.Tables(), ElementsAre(&kPeople, &kEvents));
}

TEST(SchemaTest, RefusesANumberThatIsTaken) {
  constexpr Table kSame{.number = 120, .name = "tasks"};
  Schema schema;
  ASSERT_THAT(schema.Add(kEvents), IsOk());
  EXPECT_THAT(schema.Add(kSame), FailsSaying(ErrorCode::kAlreadyExists, "the number is taken"));
  EXPECT_THAT(schema.Tables(), ElementsAre(&kEvents));
}

TEST(SchemaTest, RefusesANameThatIsTaken) {
  constexpr Table kSame{.number = 121, .name = "events"};
  Schema schema;
  ASSERT_THAT(schema.Add(kEvents), IsOk());
  EXPECT_THAT(schema.Add(kSame), FailsSaying(ErrorCode::kAlreadyExists, "the name is taken"));
  EXPECT_THAT(schema.Tables(), ElementsAre(&kEvents));
}

TEST(SchemaTest, RefusesNamesOfOtherLetters) {
  for (const std::string_view name : {"", "Events", "events2", "my-events", "événements"}) {
    const Table table{.number = 120, .name = name};
    Schema schema;
    EXPECT_THAT(schema.Add(table), FailsWith(ErrorCode::kInvalidArgument)) << name;
  }
}

TEST(SchemaTest, RefusesTheNumbersOfTheEngines) {
  constexpr Table kLast{.number = 9, .name = "events"};
  constexpr Table kFirst{.number = 10, .name = "events"};
  Schema schema;
  EXPECT_THAT(schema.Add(kLast), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(schema.Add(kFirst), IsOk());
}

}  // namespace
}  // namespace atrium::store
