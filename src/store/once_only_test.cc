// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "store/once_only.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/hex.h"
#include "base/testing.h"
#include "store/notes_testing.h"

namespace atrium::store {
namespace {

using testing::Note;
using testing::Notes;

class OnceOnlyTest : public ::testing::Test, protected testing::NoteStore {
 protected:
  OnceOnly Named(std::string_view key, std::string_view digest = "d",
                 std::string_view principal = "ann") {
    return {{.principal = principal, .key = key, .digest = digest}, clock};
  }

  Result<Receipt> Create(OnceOnly& once, const Note& note) {
    OpContext named = op;
    named.once = &once;
    Batch batch;
    batch.Create(Notes(), note);
    return store.Commit(named, std::move(batch));
  }

  std::optional<Replay> ReplayOf(OnceOnly once) {
    const auto replay = once.FindReplay(store, op);
    EXPECT_THAT(replay, IsOk());
    return replay.value_or(std::nullopt);
  }
};

TEST_F(OnceOnlyTest, AnAnswerIsKeptWithTheCommit) {
  EXPECT_FALSE(ReplayOf(Named("k")));
  OnceOnly once = Named("k");
  const auto receipt = Create(once, {.id = "1", .folder = "f"});
  ASSERT_THAT(receipt, IsOk());
  const std::optional<Replay> replay = ReplayOf(Named("k"));
  ASSERT_TRUE(replay);
  EXPECT_EQ(replay->answer,
            (Answer{.status = 201, .body = R"({"id":"1","folder":"f","title":"","tags":[]})"}));
  EXPECT_EQ(replay->version, receipt->version);
  EXPECT_FALSE(replay->other_request);
}

TEST_F(OnceOnlyTest, AClaimHasItsGoldenBytes) {
  OnceOnly once = Named("k", "00ff");
  ASSERT_THAT(Create(once, {.id = "1", .folder = "f"}), IsOk());
  FunctionSink sink([](const RowView& row) {
    EXPECT_EQ(EncodeHex(row.key.partition),
              "063ee368a5e29a54e809f6807f90ace5ee749e00aec1f91a9f69b30e0df40427");
    EXPECT_EQ(row.key.sort, "");
    EXPECT_EQ(row.document, R"({"digest":"00ff","status":201,"body":)"
                            R"("{\"id\":\"1\",\"folder\":\"f\",\"title\":\"\",\"tags\":[]}"})");
  });
  ASSERT_THAT(store.Walk(op, {.table = &kClaims}, sink), IsOk());
}

TEST_F(OnceOnlyTest, ACommitThatFailsKeepsNothing) {
  OnceOnly first = Named("k");
  ASSERT_THAT(Create(first, {.id = "1", .folder = "f"}), IsOk());
  OnceOnly other = Named("other");
  EXPECT_THAT(Create(other, {.id = "1", .folder = "f"}), FailsWith(ErrorCode::kConflict));
  EXPECT_FALSE(other.GetReplay());
  EXPECT_FALSE(ReplayOf(Named("other")));
}

TEST_F(OnceOnlyTest, OfTwoAtOnceTheSlowerLearnsTheAnswerOfTheQuicker) {
  OnceOnly quick = Named("k");
  OnceOnly slow = Named("k");
  ASSERT_THAT(Create(quick, {.id = "1", .folder = "f"}), IsOk());
  EXPECT_THAT(Create(slow, {.id = "2", .folder = "f"}), FailsWith(ErrorCode::kConflict));
  ASSERT_TRUE(slow.GetReplay());
  EXPECT_EQ(slow.GetReplay()->answer.status, 201);
  EXPECT_THAT(Find(store, op, Notes(), testing::NoteKey("2")), Holds(::testing::Eq(std::nullopt)));
}

TEST_F(OnceOnlyTest, TheSameNameForAnotherRequestIsNoticed) {
  OnceOnly once = Named("k", "one body");
  ASSERT_THAT(Create(once, {.id = "1", .folder = "f"}), IsOk());
  EXPECT_TRUE(ReplayOf(Named("k", "another body"))->other_request);
}

TEST_F(OnceOnlyTest, NamesOfDifferentCallersNeverMeet) {
  OnceOnly once = Named("k");
  ASSERT_THAT(Create(once, {.id = "1", .folder = "f"}), IsOk());
  EXPECT_FALSE(ReplayOf(Named("k", "d", "bob")));
  EXPECT_FALSE(ReplayOf(Named("", "d", "annk")));
}

TEST_F(OnceOnlyTest, IsForgottenAfterADay) {
  OnceOnly once = Named("k");
  ASSERT_THAT(Create(once, {.id = "1", .folder = "f"}), IsOk());
  clock.Advance(kClaimsKept - std::chrono::milliseconds(1));
  EXPECT_TRUE(ReplayOf(Named("k")));
  clock.Advance(std::chrono::milliseconds(1));
  EXPECT_FALSE(ReplayOf(Named("k")));
}

TEST_F(OnceOnlyTest, AnAnswerTooLongIsRememberedWithoutItsBody) {
  OnceOnly once = Named("k");
  OpContext named = op;
  named.once = &once;
  Batch batch;
  batch.Create(Notes(), Note{.id = "1", .folder = "f"});
  batch.SetAnswer({.status = 200, .body = std::string(70'000, '"')});
  ASSERT_THAT(store.Commit(named, std::move(batch)), IsOk());
  EXPECT_EQ(ReplayOf(Named("k"))->answer, (Answer{.status = 200}));
}

TEST_F(OnceOnlyTest, AFullWriteSetHasRoomForItsClaim) {
  OnceOnly once = Named("k");
  OpContext named = op;
  named.once = &once;
  WriteSet writes;
  for (int i = 0; i < 100; ++i) {
    writes.mutations.emplace_back(Put{.table = &testing::kNoteTable,
                                      .key = {.partition = "p", .sort = std::to_string(i)},
                                      .document = "{}"});
  }
  EXPECT_THAT(store.Commit(named, std::move(writes)), IsOk());
  EXPECT_TRUE(ReplayOf(Named("k")));
}

}  // namespace
}  // namespace atrium::store
