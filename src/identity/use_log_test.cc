// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/use_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>

#include "base/testing.h"
#include "identity/room_testing.h"

namespace atrium::identity {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::Knock;
using testing::WithBearer;

class UseLogTest : public testing::RoomTest {
 protected:
  void Use(const std::string& secret, const std::string& client = "192.0.2.1") {
    Knock knock = WithBearer(secret);
    knock.client = client;
    ASSERT_THAT(Identify(knock), IsOk());
  }
  void WriteDown() { ASSERT_THAT(room_.uses.WriteDown(), IsOk()); }
  Session StoredSession(const OpenedSession& opened) {
    return store::Load(store_, {}, Sessions(), HashKey(opened.session.hash)).value().record;
  }
  Token StoredToken(const MadeToken& made) {
    return store::Load(store_, {}, Tokens(), HashKey(made.token.hash)).value().record;
  }

  const store::Stored<User> bob_ = Add({.email = "bob@example.org"});
};

TEST_F(UseLogTest, AFullSessionSlidesWithItsUse) {
  const OpenedSession opened = OpenSession(bob_);
  for (int day = 0; day < 20; ++day) {
    clock_.Advance(hours(24));
    Use(opened.secret);
    WriteDown();
    EXPECT_EQ(StoredSession(opened).expires_at, clock_.Now() + hours(24 * 7));
  }
  clock_.Advance(hours(24 * 7));
  EXPECT_THAT(Identify(WithBearer(opened.secret)), FailsWith(ErrorCode::kUnauthenticated));
}

TEST_F(UseLogTest, ItSlidesFromTheUseOnAndNotFromTheWriting) {
  const OpenedSession opened = OpenSession(bob_);
  clock_.Advance(hours(1));
  const Instant used = clock_.Now();
  Use(opened.secret, "198.51.100.7");
  clock_.Advance(minutes(1));
  WriteDown();
  const Session stored = StoredSession(opened);
  EXPECT_EQ(stored.last_used_at, used);
  EXPECT_EQ(stored.expires_at, used + hours(24 * 7));
  EXPECT_EQ(stored.address, "198.51.100.7");
}

TEST_F(UseLogTest, AProvisionalSessionDoesNotSlide) {
  store::Batch batch;
  const OpenedSession opened = room_.sessions.OpenProvisional(batch, Stranger(), bob_.record);
  ASSERT_THAT(store_.Commit({}, std::move(batch)), IsOk());
  clock_.Advance(minutes(20));
  Use(opened.secret);
  WriteDown();
  EXPECT_EQ(StoredSession(opened).last_used_at, clock_.Now());
  EXPECT_EQ(StoredSession(opened).expires_at, opened.session.expires_at);
}

TEST_F(UseLogTest, ATokenRemembersItsLastUse) {
  const MadeToken made = MakeToken(bob_, {.name = "x"});
  EXPECT_EQ(made.token.last_used_at, std::nullopt);
  Use(made.secret, "198.51.100.7");
  WriteDown();
  EXPECT_EQ(StoredToken(made).last_used_at, clock_.Now());
  EXPECT_EQ(StoredToken(made).last_address, "198.51.100.7");
  EXPECT_EQ(Defects(), 0U);
}

TEST_F(UseLogTest, UsesWithinAMinuteAreNotWorthAWrite) {
  const OpenedSession opened = OpenSession(bob_);
  const auto before = store_.Get({}, kSessionTable, HashKey(opened.session.hash)).value();
  clock_.Advance(kUseResolution - milliseconds(1));
  Use(opened.secret);
  WriteDown();
  EXPECT_EQ(store_.Get({}, kSessionTable, HashKey(opened.session.hash)).value(), before);
  clock_.Advance(milliseconds(1));
  Use(opened.secret);
  WriteDown();
  EXPECT_EQ(StoredSession(opened).last_used_at, clock_.Now());
}

TEST_F(UseLogTest, ASessionThatEndedMeanwhileStaysEnded) {
  const OpenedSession opened = OpenSession(bob_);
  clock_.Advance(minutes(5));
  Use(opened.secret);
  ASSERT_THAT(room_.sessions.EndBySecret({}, ActorFor(bob_.record), opened.secret), IsOk());
  WriteDown();
  EXPECT_THAT(Identify(WithBearer(opened.secret)), FailsWith(ErrorCode::kUnauthenticated));
  EXPECT_EQ(CountRows(kSessionTable), 0U);
}

TEST_F(UseLogTest, ASessionThatEndsDuringTheWritingStaysEnded) {
  const OpenedSession opened = OpenSession(bob_);
  clock_.Advance(minutes(5));
  Use(opened.secret);
  engine_.before_commits.emplace_back([&] {
    ASSERT_THAT(room_.sessions.EndBySecret({}, ActorFor(bob_.record), opened.secret), IsOk());
  });
  WriteDown();
  EXPECT_EQ(CountRows(kSessionTable), 0U);
}

TEST_F(UseLogTest, ACommitThatFailsLosesNoNote) {
  const OpenedSession one = OpenSession(bob_);
  const OpenedSession other = OpenSession(bob_);
  const MadeToken made = MakeToken(bob_, {.name = "x"});
  clock_.Advance(minutes(5));
  Use(one.secret);
  Use(other.secret);
  Use(made.secret);
  const Instant used = clock_.Now();
  engine_.failing_commits = 1;
  EXPECT_THAT(room_.uses.WriteDown(), FailsWith(ErrorCode::kUnavailable));
  clock_.Advance(minutes(1));
  WriteDown();
  EXPECT_EQ(StoredSession(one).last_used_at, used);
  EXPECT_EQ(StoredSession(other).last_used_at, used);
  EXPECT_EQ(StoredToken(made).last_used_at, used);
}

TEST_F(UseLogTest, ANewerNoteOutlivesOneThatCouldNotBeWritten) {
  const OpenedSession opened = OpenSession(bob_);
  clock_.Advance(minutes(5));
  Use(opened.secret);
  engine_.failing_commits = 1;
  engine_.before_commits.emplace_back([&] {
    clock_.Advance(minutes(1));
    Use(opened.secret);
  });
  EXPECT_THAT(room_.uses.WriteDown(), FailsWith(ErrorCode::kUnavailable));
  WriteDown();
  EXPECT_EQ(StoredSession(opened).last_used_at, clock_.Now());
}

TEST_F(UseLogTest, SoManyNotesAreKeptAndNoMore) {
  for (std::size_t i = 0; i < UseLog::kNotesMax + 10; ++i) {
    room_.uses.NoteToken(std::to_string(i), {.at = clock_.Now()});
  }
  const std::size_t before = engine_.gets;
  WriteDown();
  EXPECT_EQ(engine_.gets - before, UseLog::kNotesMax);
}

TEST_F(UseLogTest, SessionsInUseAreCountedOnceUntilTheyAreAskedFor) {
  const OpenedSession one = OpenSession(bob_);
  const OpenedSession other = OpenSession(bob_);
  clock_.Advance(minutes(5));
  Use(one.secret);
  Use(one.secret);
  Use(other.secret);
  WriteDown();
  EXPECT_EQ(room_.uses.TakeSessionCount(), 2U);
  EXPECT_EQ(room_.uses.TakeSessionCount(), 0U);
}

TEST_F(UseLogTest, TheJobWritesNotesDownEveryMinute) {
  const MadeToken made = MakeToken(bob_, {.name = "x"});
  Use(made.secret);
  const jobs::JobSpec job = MakeUseJob(room_.uses);
  EXPECT_EQ(job.name, "identity.note-uses");
  jobs::JobContext context(std::stop_token{});
  ASSERT_THAT(job.run(context), IsOk());
  EXPECT_EQ(StoredToken(made).last_used_at, clock_.Now());
}

}  // namespace
}  // namespace atrium::identity
