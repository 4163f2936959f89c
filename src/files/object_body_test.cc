// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/object_body.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/testing.h"
#include "files/keys.h"
#include "files/objects.h"
#include "files/room_testing.h"
#include "files/tree_memory.h"
#include "store/store.h"

namespace atrium::files {
namespace {

using testing::Noise;
using Source = std::unique_ptr<http::BodySource>;

/// Content does not look into objects, so any text will do.
class ObjectBodyTest : public testing::RoomTest {
 protected:
  StoredObject Put(const std::string& text, const std::string& deflated) {
    const ObjectId id = ObjectIdOf(text);
    const PackedObject packed{.id = id, .deflated = deflated};
    EXPECT_THAT(content_->PutObjects({}, library_, std::vector{packed}), IsOk());
    return content_->OpenObject({}, library_, id).value().value();
  }
  StoredObject Put(const std::string& text) { return Put(text, Deflate(text)); }

  /// All of it, which comes in pieces of bounded length.
  static std::string Read(http::BodySource& source) {
    std::string all;
    for (auto piece = source.Next(); piece && *piece; piece = source.Next()) {
      EXPECT_LE((*piece)->size(), std::size_t{64} << 10);
      all += **piece;
    }
    EXPECT_THAT(source.Next(), Holds(std::nullopt));
    return all;
  }

  const LibraryId library_{ids_.NewUuid()};
};

TEST_F(ObjectBodyTest, AShortTextIsThereAtOnce) {
  const auto text = ObjectText::Open(*content_, Put("short"));
  ASSERT_THAT(text, IsOk());
  EXPECT_EQ(std::get<std::string>(*text), "short");
}

TEST_F(ObjectBodyTest, ALongTextComesInPiecesAndSaysHowLongItIs) {
  for (const std::string& text : {std::string(8'000'000, 'x'), Noise(1'000'000)}) {
    const auto body = ObjectText::Open(*content_, Put(text));
    ASSERT_THAT(body, IsOk());
    http::BodySource& source = *std::get<Source>(*body);
    EXPECT_EQ(source.Length(), text.size());
    EXPECT_EQ(Read(source), text);
  }
}

TEST_F(ObjectBodyTest, WhatIsNoTextIsCorrupt) {
  const std::string whole = Deflate(Noise(200'000));
  for (const std::string& wrong : {Noise(100), Noise(100'000), whole.substr(0, 150'000)}) {
    const StoredObject stored = Put("text " + std::to_string(wrong.size()), wrong);
    EXPECT_THAT(ObjectText::Open(*content_, stored), FailsWith(ErrorCode::kCorrupt));
  }
}

TEST_F(ObjectBodyTest, APackEndsWithTheObjectAsItWasPut) {
  const std::string deflated = Noise(500'000);
  PackBody pack(*content_, "begin", Put("long", deflated));
  EXPECT_EQ(pack.Length(), 500'005U);
  EXPECT_EQ(Read(pack), "begin" + deflated);
}

TEST_F(ObjectBodyTest, AHeldTextKeepsItsMemoryUntilItIsSent) {
  MemoryBudget& budget = content_->MemoryForTrees();
  {
    HeldText text("[1,2]", TakeForTree(budget, 5 << 20).value());
    EXPECT_EQ(text.Length(), 5U);
    EXPECT_EQ(Read(text), "[1,2]");
    EXPECT_EQ(budget.Used(), std::size_t{5} << 20);
  }
  EXPECT_EQ(budget.Used(), 0U);
}

TEST_F(ObjectBodyTest, ARowThatIsGoneBreaksItOff) {
  const StoredObject stored = Put("long", Noise(500'000));
  store::WriteSet writes;
  writes.mutations.push_back(store::Erase{
      .table = &kObjectTable, .key = ObjectPieceKey(library_, stored.id, stored.spelling, 1)});
  ASSERT_THAT(store_.Commit({}, std::move(writes)), IsOk());
  PackBody pack(*content_, {}, stored);
  ASSERT_THAT(pack.Next(), IsOk());
  EXPECT_THAT(pack.Next(), FailsWith(ErrorCode::kCorrupt));
}

}  // namespace
}  // namespace atrium::files
