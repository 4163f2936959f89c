// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/session_service.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>

#include "base/testing.h"
#include "identity/room_testing.h"
#include "identity/secret_token.h"

namespace atrium::identity {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::Pair;
using testing::WithBearer;

class SessionServiceTest : public testing::RoomTest {
 protected:
  OpenedSession OpenProvisional(const store::Stored<User>& user) {
    store::Batch batch;
    OpenedSession opened = room_.sessions.OpenProvisional(batch, Stranger(), user.record);
    EXPECT_THAT(store_.Commit({}, std::move(batch)), IsOk());
    return opened;
  }
  OpenedSession OpenForGuest() {
    store::Batch batch;
    OpenedSession opened = room_.sessions.OpenForGuest(
        batch, Stranger(),
        {.org = DefaultOrg(), .name = "Gus", .email = "gus@example.org", .group = "hikers"});
    EXPECT_THAT(store_.Commit({}, std::move(batch)), IsOk());
    return opened;
  }
  /// Works until `lifetime` is over, and not any more then.
  void ExpectToEndAfter(const OpenedSession& opened, milliseconds lifetime) {
    EXPECT_EQ(opened.session.expires_at, clock_.Now() + lifetime);
    clock_.Advance(lifetime - milliseconds(1));
    EXPECT_THAT(Identify(WithBearer(opened.secret)), IsOk());
    clock_.Advance(milliseconds(1));
    EXPECT_THAT(Identify(WithBearer(opened.secret)), FailsWith(ErrorCode::kUnauthenticated));
  }

  store::Stored<User> bob_ = Add({.email = "bob@example.org"});
};

TEST_F(SessionServiceTest, AFullSessionEndsAWeekAfterItsLastUse) {
  ExpectToEndAfter(OpenSession(bob_), hours(24 * 7));
  EXPECT_THAT(room_.sessions.List({}, bob_.record), Holds(IsEmpty()));
}

TEST_F(SessionServiceTest, AProvisionalSessionEndsAfterHalfAnHour) {
  ExpectToEndAfter(OpenProvisional(bob_), minutes(30));
}

TEST_F(SessionServiceTest, AGuestLeavesAfterHalfAnHour) {
  ExpectToEndAfter(OpenForGuest(), minutes(30));
}

TEST_F(SessionServiceTest, ASessionRemembersWhereItWasOpenedAndTheLogWhoOpenedIt) {
  const OpenedSession opened = OpenSession(bob_);
  EXPECT_EQ(KindOf(opened.secret), TokenKind::kSession);
  EXPECT_EQ(opened.session.hash, HashSecret(opened.secret));
  EXPECT_EQ(opened.session.address, "192.0.2.1");
  EXPECT_EQ(opened.session.agent, "a browser");
  EXPECT_THAT(LastLine(), AllOf(Field(&AuditLine::action, "session.opened"),
                                Field(&AuditLine::actor, "user:" + bob_.record.id.Render()),
                                Field(&AuditLine::label, "bob@example.org"),
                                Field(&AuditLine::target, "session:" + opened.session.id),
                                Field(&AuditLine::address, "192.0.2.1"),
                                Field(&AuditLine::detail, ElementsAre(Pair("by", "password")))));
}

TEST_F(SessionServiceTest, AGuestIsKnownByTheirGroup) {
  const OpenedSession opened = OpenForGuest();
  EXPECT_EQ(KindOf(opened.secret), TokenKind::kGuestSession);
  const auto caller = Identify(WithBearer(opened.secret)).value();
  EXPECT_EQ(caller->credential, api::Credential::kGuestSession);
  EXPECT_EQ(caller->guest_group, "hikers");
  EXPECT_EQ(caller->label, "Gus");
  EXPECT_EQ(caller->role, Role::kGuest);
  EXPECT_EQ(caller->user, std::nullopt);
  EXPECT_THAT(
      LastLine(),
      AllOf(Field(&AuditLine::action, "session.opened"),
            Field(&AuditLine::detail,
                  ElementsAre(Pair("by", "guest"), Pair("group", "hikers"), Pair("name", "Gus")))));
}

TEST_F(SessionServiceTest, TheSecretIsNotStored) {
  const OpenedSession opened = OpenSession(bob_);
  store::FunctionSink sink(
      [&](const store::RowView& row) { EXPECT_FALSE(row.document.contains(opened.secret)); });
  ASSERT_THAT(store_.Walk({}, {.table = &kSessionTable}, sink), IsOk());
}

TEST_F(SessionServiceTest, ListsOnesOwnNewestFirst) {
  const OpenedSession first = OpenSession(bob_);
  const OpenedSession second = OpenProvisional(bob_);
  OpenSession(ann_);
  EXPECT_THAT(room_.sessions.List({}, bob_.record),
              Holds(ElementsAre(Field(&Session::id, second.session.id),
                                Field(&Session::id, first.session.id))));
}

TEST_F(SessionServiceTest, EndsOneOfOnesOwn) {
  const OpenedSession first = OpenSession(bob_);
  const OpenedSession second = OpenSession(bob_);
  EXPECT_EQ(CommitsOf([&](const store::OpContext& op) {
              return room_.sessions.End(op, ActorFor(bob_.record), bob_.record, first.session.id);
            }),
            1U);
  EXPECT_THAT(Identify(WithBearer(first.secret)), FailsWith(ErrorCode::kUnauthenticated));
  EXPECT_THAT(Identify(WithBearer(second.secret)), IsOk());
  EXPECT_THAT(LastLine(), AllOf(Field(&AuditLine::action, "session.ended"),
                                Field(&AuditLine::target, "session:" + first.session.id)));
  EXPECT_THAT(room_.sessions.End({}, ActorFor(bob_.record), bob_.record, first.session.id),
              FailsWith(ErrorCode::kNotFound));
}

TEST_F(SessionServiceTest, NobodyEndsTheSessionsOfOthers) {
  const OpenedSession theirs = OpenSession(ann_);
  EXPECT_THAT(room_.sessions.End({}, ActorFor(bob_.record), bob_.record, theirs.session.id),
              FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(Identify(WithBearer(theirs.secret)), IsOk());
}

TEST_F(SessionServiceTest, ASessionInUseEndsAllTheSame) {
  const OpenedSession opened = OpenSession(bob_);
  engine_.before_commits.emplace_back([&] {
    room_.uses.NoteSession(opened.session.hash, {.at = clock_.Now() + minutes(1)});
    ASSERT_THAT(room_.uses.WriteDown(), IsOk());
  });
  EXPECT_THAT(room_.sessions.End({}, ActorFor(bob_.record), bob_.record, opened.session.id),
              IsOk());
  EXPECT_THAT(Identify(WithBearer(opened.secret)), FailsWith(ErrorCode::kUnauthenticated));
}

TEST_F(SessionServiceTest, SigningOutTwiceIsSigningOut) {
  const OpenedSession opened = OpenSession(bob_);
  EXPECT_EQ(CommitsOf([&](const store::OpContext& op) {
              return room_.sessions.EndBySecret(op, ActorFor(bob_.record), opened.secret);
            }),
            1U);
  EXPECT_THAT(room_.sessions.EndBySecret({}, ActorFor(bob_.record), opened.secret), IsOk());
  EXPECT_EQ(Defects(), 0U);
}

TEST_F(SessionServiceTest, EndingAllEndsSessionsAndLeavesTokens) {
  const OpenedSession first = OpenSession(bob_);
  const OpenedSession second = OpenSession(bob_);
  const MadeToken token = MakeToken(bob_, {.name = "script"});
  EXPECT_EQ(CommitsOf([&](const store::OpContext& op) {
              return room_.sessions.EndAll(op, ActorFor(bob_.record), bob_.record.id);
            }),
            1U);
  EXPECT_THAT(Identify(WithBearer(first.secret)), FailsWith(ErrorCode::kUnauthenticated));
  EXPECT_THAT(Identify(WithBearer(second.secret)), FailsWith(ErrorCode::kUnauthenticated));
  EXPECT_THAT(Identify(WithBearer(token.secret)), IsOk());
  EXPECT_THAT(room_.sessions.List({}, Reload(bob_).record), Holds(IsEmpty()));
  EXPECT_THAT(LastLine(), AllOf(Field(&AuditLine::action, "session.all_ended"),
                                Field(&AuditLine::target, TargetOf(bob_.record.id))));
  EXPECT_THAT(Identify(WithBearer(OpenSession(bob_).secret)), IsOk());
}

TEST_F(SessionServiceTest, EndingAllBearsAPersonWhoChangesMeanwhile) {
  engine_.before_commits.emplace_back([&] { Change(bob_, {.name = "Robert"}); });
  EXPECT_THAT(room_.sessions.EndAll({}, ActorFor(bob_.record), bob_.record.id), IsOk());
  EXPECT_EQ(Reload(bob_).record.name, "Robert");
  EXPECT_EQ(Reload(bob_).record.session_generation, 1U);
}

}  // namespace
}  // namespace atrium::identity
