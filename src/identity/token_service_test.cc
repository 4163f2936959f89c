// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/token_service.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "base/testing.h"
#include "identity/room_testing.h"
#include "identity/secret_token.h"

namespace atrium::identity {
namespace {

using std::chrono::hours;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::Pair;
using testing::WithBearer;

using Texts = std::vector<std::string>;

class TokenServiceTest : public testing::RoomTest {
 protected:
  Result<MadeToken> Create(const NewToken& wanted, const Texts& held = {"*"}) {
    return room_.tokens.Create({}, ActorFor(bob_.record), bob_.record,
                               api::Scopes::Parse(held).value(), wanted);
  }

  const store::Stored<User> bob_ = Add({.email = "bob@example.org"});
};

TEST_F(TokenServiceTest, EachTypeHasItsFormAndItsUsualScopes) {
  const MadeToken api = MakeToken(bob_, {.name = "a", .type = TokenType::kApi});
  const MadeToken personal = MakeToken(bob_, {.name = "p", .type = TokenType::kPersonal});
  const MadeToken app = MakeToken(bob_, {.name = "c", .type = TokenType::kAppPassword});
  EXPECT_EQ(KindOf(api.secret), TokenKind::kApi);
  EXPECT_EQ(KindOf(personal.secret), TokenKind::kPersonal);
  EXPECT_EQ(KindOf(app.secret), TokenKind::kAppPassword);
  EXPECT_THAT(api.token.scopes, ElementsAre("account:read", "files:write"));
  EXPECT_THAT(personal.token.scopes, ElementsAre("account:read"));
  EXPECT_THAT(app.token.scopes, ElementsAre("account:read", "calendars:write", "files:write"));
}

TEST_F(TokenServiceTest, ATokenAndItsLineAreOneCommit) {
  std::string id;
  EXPECT_EQ(CommitsOf([&](const store::OpContext& op) {
              auto made = room_.tokens.Create(op, ActorFor(bob_.record), bob_.record,
                                              api::Scopes::All(), {.name = "script"});
              id = made.value().token.id;
              return made;
            }),
            1U);
  EXPECT_THAT(
      LastLine(),
      AllOf(Field(&AuditLine::action, "token.created"), Field(&AuditLine::target, "token:" + id),
            Field(&AuditLine::detail,
                  ElementsAre(Pair("name", "script"), Pair("owner", "bob@example.org")))));
  EXPECT_EQ(Defects(), 0U);
}

TEST_F(TokenServiceTest, NobodyGivesAwayMoreThanTheyHave) {
  EXPECT_THAT(Create({.name = "x", .scopes = Texts{"files:write"}}, {"files:read"}),
              FailsSaying(ErrorCode::kPermissionDenied, "scopes"));
  EXPECT_THAT(Create({.name = "x"}, {"files:write"}), FailsWith(ErrorCode::kPermissionDenied));
  EXPECT_THAT(Create({.name = "x", .scopes = Texts{"files:read"}}, {"files:write"}), IsOk());
}

TEST_F(TokenServiceTest, WhatIsWrongIsSaid) {
  EXPECT_THAT(Create({}), FailsSaying(ErrorCode::kInvalidArgument, "name"));
  EXPECT_THAT(Create({.name = std::string(201, 'n')}),
              FailsSaying(ErrorCode::kInvalidArgument, "name"));
  EXPECT_THAT(Create({.name = "x", .scopes = Texts{"everything"}}),
              FailsSaying(ErrorCode::kInvalidArgument, "everything"));
  EXPECT_THAT(Create({.name = "x", .expires_at = clock_.Now()}),
              FailsSaying(ErrorCode::kInvalidArgument, "expires_at"));
}

TEST_F(TokenServiceTest, ATokenEndsWhenItWasToEnd) {
  const MadeToken made = MakeToken(bob_, {.name = "x", .expires_at = clock_.Now() + hours(1)});
  EXPECT_THAT(Identify(WithBearer(made.secret)), IsOk());
  clock_.Advance(hours(1));
  EXPECT_THAT(Identify(WithBearer(made.secret)), FailsWith(ErrorCode::kUnauthenticated));
  EXPECT_THAT(room_.tokens.List({}, bob_.record), Holds(IsEmpty()));
}

TEST_F(TokenServiceTest, ListsOnesOwnNewestFirst) {
  const MadeToken first = MakeToken(bob_, {.name = "first"});
  const MadeToken second = MakeToken(bob_, {.name = "second"});
  MakeToken(ann_, {.name = "theirs"});
  EXPECT_THAT(room_.tokens.List({}, bob_.record),
              Holds(ElementsAre(Field(&Token::name, "second"), Field(&Token::name, "first"))));
}

TEST_F(TokenServiceTest, EndsOneOfOnesOwn) {
  const MadeToken made = MakeToken(bob_, {.name = "script"});
  const MadeToken theirs = MakeToken(ann_, {.name = "theirs"});
  EXPECT_EQ(CommitsOf([&](const store::OpContext& op) {
              return room_.tokens.End(op, ActorFor(bob_.record), bob_.record, made.token.id);
            }),
            1U);
  EXPECT_THAT(Identify(WithBearer(made.secret)), FailsWith(ErrorCode::kUnauthenticated));
  EXPECT_THAT(LastLine(), AllOf(Field(&AuditLine::action, "token.ended"),
                                Field(&AuditLine::target, "token:" + made.token.id)));
  EXPECT_THAT(room_.tokens.End({}, ActorFor(bob_.record), bob_.record, made.token.id),
              FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(room_.tokens.End({}, ActorFor(bob_.record), bob_.record, theirs.token.id),
              FailsWith(ErrorCode::kNotFound));
}

TEST_F(TokenServiceTest, ATokenInUseEndsAllTheSame) {
  const MadeToken made = MakeToken(bob_, {.name = "script"});
  engine_.before_commits.emplace_back([&] {
    room_.uses.NoteToken(made.token.hash, {.at = clock_.Now()});
    ASSERT_THAT(room_.uses.WriteDown(), IsOk());
  });
  EXPECT_THAT(room_.tokens.End({}, ActorFor(bob_.record), bob_.record, made.token.id), IsOk());
}

TEST_F(TokenServiceTest, ATokenMadeWhileThePasswordChangesIsWorthNothing) {
  const User before = bob_.record;
  ASSERT_THAT(room_.accounts.SetPassword({}, Operator(), Reload(bob_), testing::kPassword), IsOk());
  const auto made =
      room_.tokens.Create({}, ActorFor(before), before, api::Scopes::All(), {.name = "late"});
  ASSERT_THAT(made, IsOk());
  EXPECT_THAT(Identify(WithBearer(made->secret)), FailsWith(ErrorCode::kUnauthenticated));
}

}  // namespace
}  // namespace atrium::identity
