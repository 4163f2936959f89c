// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/object_intake.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/testing.h"
#include "files/objects.h"
#include "files/room_testing.h"

namespace atrium::files {
namespace {

class ObjectIntakeTest : public testing::RoomTest {
 protected:
  static std::string TextOf(const std::string& name) {
    return Render(Directory::Make({{.id = ObjectIdOf(name), .name = name}}).value());
  }
  static std::string Packed(const std::string& text) {
    std::string packed;
    const std::string deflated = Deflate(text);
    AppendPacked(packed, {.id = ObjectIdOf(text), .deflated = deflated});
    return packed;
  }
  bool Has(const std::string& text) {
    return content_->HasObject({}, library_, ObjectIdOf(text)).value();
  }

  const LibraryId library_{ids_.NewUuid()};
  ObjectIntake intake_{*content_, library_, nullptr};
};

TEST_F(ObjectIntakeTest, ObjectsMayComeInPiecesOfAnySize) {
  const std::string body = Packed(TextOf("a")) + Packed(TextOf("b")) + Packed(TextOf("c"));
  for (const char byte : body) {
    ASSERT_THAT(intake_.Write({}, std::string_view(&byte, 1)), IsOk());
  }
  EXPECT_THAT(intake_.Finish(), IsOk());
  EXPECT_TRUE(Has(TextOf("a")) && Has(TextOf("b")) && Has(TextOf("c")));
}

TEST_F(ObjectIntakeTest, ABodyThatEndsWithinAnObjectIsRefused) {
  const std::string body = Packed(TextOf("a")) + Packed(TextOf("b"));
  ASSERT_THAT(intake_.Write({}, std::string_view(body).substr(0, body.size() - 1)), IsOk());
  EXPECT_THAT(intake_.Finish(), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_TRUE(Has(TextOf("a")));
  EXPECT_FALSE(Has(TextOf("b")));
}

TEST_F(ObjectIntakeTest, AnObjectUnderAnotherNameIsRefused) {
  const std::string deflated = Deflate(TextOf("a"));
  std::string packed;
  AppendPacked(packed, {.id = ObjectIdOf("other"), .deflated = deflated});
  EXPECT_THAT(intake_.Write({}, packed), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_FALSE(content_->HasObject({}, library_, ObjectIdOf("other")).value());
}

TEST_F(ObjectIntakeTest, ABrokenTreeIsRefused) {
  EXPECT_THAT(intake_.Write({}, Packed(R"({"version":1,"type":7})")),
              FailsWith(ErrorCode::kInvalidArgument));
}

TEST_F(ObjectIntakeTest, WhatIsKeptOfAnObjectCounts) {
  MemoryBudget memory(std::size_t{256} << 20);
  {
    ObjectIntake intake(*content_, library_, &memory);
    const std::string body = Packed(TextOf("a"));
    ASSERT_THAT(intake.Write({}, std::string_view(body).substr(0, body.size() - 1)), IsOk());
    EXPECT_EQ(memory.Used(), body.size() - 1);
  }
  EXPECT_EQ(memory.Used(), 0U);
}

TEST_F(ObjectIntakeTest, AnObjectThatGrowsUnusuallyMuchIsTakenAllTheSame) {
  MemoryBudget memory(std::size_t{256} << 20);
  ObjectIntake intake(*content_, library_, &memory);
  std::vector<Dirent> entries;
  for (int i = 0; i < 20'000; ++i) {
    entries.push_back({.id = ObjectIdOf("a"), .name = std::to_string(100'000 + i)});
  }
  const std::string large = Render(Directory::Make(std::move(entries)).value());
  ASSERT_GT(large.size(), 8 * Deflate(large).size());
  EXPECT_THAT(intake.Write({}, Packed(large)), IsOk());
  EXPECT_TRUE(Has(large));
}

TEST_F(ObjectIntakeTest, AnObjectForWhichThereIsNoMemoryIsLeftToBeSentAgain) {
  MemoryBudget memory(1);
  ObjectIntake intake(*content_, library_, &memory);
  EXPECT_THAT(intake.Write({}, Packed(TextOf("a"))), FailsWith(ErrorCode::kUnavailable));
  EXPECT_FALSE(Has(TextOf("a")));
}

TEST_F(ObjectIntakeTest, NothingIsWell) {
  EXPECT_THAT(intake_.Write({}, ""), IsOk());
  EXPECT_THAT(intake_.Finish(), IsOk());
}

}  // namespace
}  // namespace atrium::files
