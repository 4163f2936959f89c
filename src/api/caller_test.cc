// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "api/caller.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/testing.h"
#include "base/uuid.h"

namespace atrium::api {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Right = Scopes::Right;
using Texts = std::vector<std::string>;

Scopes Parsed(const Texts& texts) {
  return Scopes::Parse(texts).value();
}

UserId SomeUser() {
  return UserId::Parse("00000000-0000-7000-8000-000000000007").value();
}

TEST(ScopesTest, WritingIncludesReadingAndNothingElse) {
  const Scopes scopes = Parsed({"files:write", "calendars:read"});
  EXPECT_TRUE(scopes.Allows(Area::kFiles, Right::kRead));
  EXPECT_TRUE(scopes.Allows(Area::kFiles, Right::kWrite));
  EXPECT_TRUE(scopes.Allows(Area::kCalendars, Right::kRead));
  EXPECT_FALSE(scopes.Allows(Area::kCalendars, Right::kWrite));
  EXPECT_FALSE(scopes.Allows(Area::kAccount, Right::kRead));
  EXPECT_FALSE(scopes.Allows(Area::kGroups, Right::kRead));
  EXPECT_FALSE(scopes.Allows(Area::kAdmin, Right::kRead));
}

TEST(ScopesTest, TheGreaterRightWinsInAnyOrder) {
  EXPECT_EQ(Parsed({"files:read", "files:write"}), Parsed({"files:write"}));
  EXPECT_EQ(Parsed({"files:write", "files:read"}), Parsed({"files:write"}));
  EXPECT_EQ(Parsed({"files:read", "*"}), Scopes::All());
}

TEST(ScopesTest, RenderingIsTheShortestListThatParsesToTheSame) {
  EXPECT_THAT(Parsed({}).Render(), IsEmpty());
  EXPECT_THAT(Scopes::All().Render(), ElementsAre("*"));
  EXPECT_THAT(Parsed({"admin:read", "files:read", "files:write", "account:read"}).Render(),
              ElementsAre("account:read", "files:write", "admin:read"));
  EXPECT_THAT(
      Parsed({"account:write", "calendars:write", "groups:write", "files:write", "admin:write"})
          .Render(),
      ElementsAre("*"));
}

TEST(ScopesTest, WhatIsNoScopeIsNamed) {
  for (const std::string text : {"", ":", "files", "files:", ":read", "files:delete", "Files:read",
                                 "files:read ", "files:none", "mail:read", "**"}) {
    EXPECT_THAT(Scopes::Parse({"account:read", text}),
                FailsSaying(ErrorCode::kInvalidArgument, "\"" + text + "\""));
  }
}

TEST(ScopesTest, CoveringIsAboutEachArea) {
  const Scopes some = Parsed({"files:write", "account:read"});
  EXPECT_TRUE(Scopes::All().Covers(some));
  EXPECT_TRUE(some.Covers(some));
  EXPECT_TRUE(some.Covers(Parsed({"files:read"})));
  EXPECT_TRUE(some.Covers(Parsed({})));
  EXPECT_FALSE(some.Covers(Parsed({"account:write"})));
  EXPECT_FALSE(some.Covers(Parsed({"files:read", "groups:read"})));
  EXPECT_FALSE(some.Covers(Scopes::All()));
  EXPECT_FALSE(Parsed({}).Covers(Parsed({"files:read"})));
}

TEST(CallerTest, PeopleAreNamedByTheirIdWhateverTheCredential) {
  Caller caller;
  caller.user = SomeUser();
  caller.credential = Credential::kPersonalToken;
  caller.credential_id = "token";
  EXPECT_EQ(caller.Name(), "user:00000000-0000-7000-8000-000000000007");
  EXPECT_EQ(caller.MemberKey(), "auth:00000000-0000-7000-8000-000000000007");
}

TEST(CallerTest, GuestsAreNamedByTheirSession) {
  Caller caller;
  caller.credential_id = "01J";
  EXPECT_EQ(caller.Name(), "session:01J");
  EXPECT_EQ(caller.MemberKey(), "guest:01J");
  EXPECT_FALSE(caller.IsOperator());
}

TEST(CallerTest, TheOperatorIsNobodyElse) {
  Caller caller;
  caller.credential = Credential::kOperator;
  EXPECT_EQ(caller.Name(), "operator");
  EXPECT_TRUE(caller.IsOperator());
}

TEST(CallerTest, ARequestHasTheCallerThatItsRuleFound) {
  http::Request request;
  EXPECT_EQ(FindCaller(request), nullptr);
  const auto caller = std::make_shared<Caller>();
  request.principal = caller;
  EXPECT_EQ(FindCaller(request), caller.get());
  EXPECT_EQ(&CallerOf(request), caller.get());
}

TEST(CallerDeathTest, ARouteThatDemandsNobodyHasNoCaller) {
  const http::Request request;
  EXPECT_DEATH(static_cast<void>(CallerOf(request)), "names a caller");
}

}  // namespace
}  // namespace atrium::api
