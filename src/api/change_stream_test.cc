// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "api/change_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/testing.h"
#include "store/notes_testing.h"

namespace atrium::api {
namespace {

class ChangeStreamTest : public ::testing::Test, protected store::testing::NoteStore {
 protected:
  void Say(const std::string& document, std::uint64_t keep = 0) {
    store::Append append = store::AppendChange(store::kChanges, "t", document);
    append.keep = keep;
    ASSERT_THAT(store.Commit(op, {.mutations = {append}}), IsOk());
  }

  /// What the stream gives at once; `woken_` counts how often it asked to be read again.
  std::string Next(http::EventSource& stream) {
    const auto piece = stream.Next([this] { ++woken_; });
    EXPECT_THAT(piece, IsOk());
    return piece && *piece ? **piece : "";
  }

  int woken_ = 0;
};

TEST_F(ChangeStreamTest, GivesWhatComesFromNowOn) {
  Say("1");
  const auto stream = FollowChanges(store, clock, {.topic = "t"});
  EXPECT_EQ(Next(*stream), "");
  Say("2");
  EXPECT_EQ(woken_, 1);
  EXPECT_EQ(Next(*stream), "id: 2\nevent: change\ndata: 2\n\n");
  EXPECT_EQ(Next(*stream), "");
}

TEST_F(ChangeStreamTest, GoesOnBehindWhatTheListenerHasSeen) {
  for (const char* text : {"1", "2", "3"}) {
    Say(text);
  }
  const auto stream = FollowChanges(store, clock, {.topic = "t", .after = 1});
  EXPECT_EQ(Next(*stream), "id: 2\nevent: change\ndata: 2\n\nid: 3\nevent: change\ndata: 3\n\n");
}

TEST_F(ChangeStreamTest, ALongAbsenceIsCaughtUpPieceByPiece) {
  for (int i = 0; i < 150; ++i) {
    Say("x");
  }
  const auto stream = FollowChanges(store, clock, {.topic = "t", .after = 0});
  EXPECT_THAT(Next(*stream), ::testing::HasSubstr("id: 100\n"));
  EXPECT_EQ(woken_, 1);
  EXPECT_THAT(Next(*stream), ::testing::HasSubstr("id: 150\n"));
  EXPECT_EQ(woken_, 1);
}

TEST_F(ChangeStreamTest, AListenerThatFellBehindIsToldToRefresh) {
  for (const char* text : {"1", "2", "3"}) {
    Say(text, 1);
  }
  const auto stream = FollowChanges(store, clock, {.topic = "t", .after = 1});
  EXPECT_EQ(Next(*stream), "id: 3\nevent: refresh_required\ndata: {}\n\n");
  Say("4");
  EXPECT_EQ(Next(*stream), "id: 4\nevent: change\ndata: 4\n\n");
}

TEST_F(ChangeStreamTest, ARoomMayRenderItsOwnEvents) {
  Say("1");
  const auto stream = FollowChanges(
      store, clock, {.topic = "t", .after = 0, .render = [](const store::Change& change) {
                       return http::RenderEvent(std::to_string(change.id), "note_added",
                                                change.document);
                     }});
  EXPECT_EQ(Next(*stream), "id: 1\nevent: note_added\ndata: 1\n\n");
}

TEST_F(ChangeStreamTest, AStreamThatEndedIsNotWoken) {
  auto stream = FollowChanges(store, clock, {.topic = "t"});
  Next(*stream);
  stream.reset();
  Say("1");
  EXPECT_EQ(woken_, 0);
}

TEST(LastEventIdTest, ComesFromTheHeaderOrTheQuery) {
  http::Request request;
  EXPECT_THAT(LastEventId(request), Holds(::testing::Eq(std::nullopt)));
  request.query = "last_event_id=5";
  EXPECT_THAT(LastEventId(request), Holds(::testing::Optional(5U)));
  request.headers.Add("last-event-id", "7");
  EXPECT_THAT(LastEventId(request), Holds(::testing::Optional(7U)));
}

TEST(LastEventIdTest, MustBeANumber) {
  http::Request request;
  request.query = "last_event_id=x";
  EXPECT_THAT(LastEventId(request), FailsWith(ErrorCode::kInvalidArgument));
  request.headers.Add("Last-Event-ID", "-1");
  EXPECT_THAT(LastEventId(request), FailsWith(ErrorCode::kInvalidArgument));
}

}  // namespace
}  // namespace atrium::api
