// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "api/access.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/testing.h"

namespace atrium::api {
namespace {

using http::Method;

/// Lets in whom a test says.
class FakeDoorkeeper final : public Doorkeeper {
 public:
  Result<std::shared_ptr<const Caller>> Recall(const store::OpContext& /*op*/,
                                               const CredentialRef& credential,
                                               http::Staleness /*allowed*/) const override {
    if (!caller || caller->Ref() != credential) {
      return Fail(ErrorCode::kUnauthenticated, "ended");
    }
    return caller;
  }

  Result<std::shared_ptr<const Caller>> Identify(const http::Request& /*request*/) const override {
    if (refuses_with) {
      return Fail(*refuses_with, "no");
    }
    return caller;
  }
  bool IsSetUp() const override { return set_up; }

  std::shared_ptr<const Caller> caller{};
  std::optional<ErrorCode> refuses_with{};
  bool set_up = true;
};

std::shared_ptr<const Caller> MakePerson(Role role, const std::vector<std::string>& scopes,
                                         Credential credential = Credential::kSession) {
  auto caller = std::make_shared<Caller>();
  caller->user = UserId::Parse("00000000-0000-7000-8000-000000000007").value();
  caller->role = role;
  caller->scopes = Scopes::Parse(scopes).value();
  caller->credential = credential;
  return caller;
}

std::shared_ptr<const Caller> MakeGuest() {
  auto caller = std::make_shared<Caller>();
  caller->guest_group = "hikers";
  return caller;
}

std::shared_ptr<const Caller> MakeOperator() {
  auto caller = std::make_shared<Caller>();
  caller->credential = Credential::kOperator;
  return caller;
}

class AccessRulesTest : public ::testing::Test {
 protected:
  Result<void> Ask(const http::AccessRule& rule, Method method = Method::kGet) {
    RETURN_IF_ERROR(rule.Admit({.method = method}));
    return {};
  }

  /// What each rule says, in one word: "r" and "w" for reading and writing that is let in, "-" for
  /// what is not.
  std::string Answers(const http::AccessRule& rule) {
    std::string answers;
    for (const auto& [method, letter] : {std::pair(Method::kGet, 'r'), {Method::kPost, 'w'}}) {
      answers += Ask(rule, method) ? letter : '-';
    }
    return answers;
  }
  /// public, session, self, member of files, admin, superadmin.
  std::string AllAnswers() {
    std::string all;
    for (const http::AccessRule* rule :
         {&rules_.Public(), &rules_.Session(), &rules_.Self(), &rules_.Member(Area::kFiles),
          &rules_.Admin(), &rules_.Superadmin()}) {
      all += (all.empty() ? "" : " ") + Answers(*rule);
    }
    return all;
  }

  FakeDoorkeeper door_{};
  const AccessRules rules_{door_};
};

TEST_F(AccessRulesTest, HaveTheNamesThatTheRouteTableShows) {
  EXPECT_EQ(rules_.Public().Name(), "public");
  EXPECT_EQ(rules_.Session().Name(), "session");
  EXPECT_EQ(rules_.Self().Name(), "self");
  EXPECT_EQ(rules_.Member(Area::kGroups).Name(), "member");
  EXPECT_EQ(rules_.Admin().Name(), "admin");
  EXPECT_EQ(rules_.Superadmin().Name(), "superadmin");
}

TEST_F(AccessRulesTest, EveryRuleAgainstEveryCredential) {
  struct Row {
    std::string_view who{};
    std::shared_ptr<const Caller> caller{};
    /// public, session, self, member, admin, superadmin.
    std::string_view answers{};
  };
  const std::vector<std::string> all{"*"};
  const std::vector<Row> rows{
      {.who = "nobody", .caller = nullptr, .answers = "rw -- -- -- -- --"},
      {.who = "a guest", .caller = MakeGuest(), .answers = "rw rw -- -- -- --"},
      {.who = "somebody not confirmed",
       .caller = MakePerson(Role::kUser, all, Credential::kProvisional),
       .answers = "rw rw -- -- -- --"},
      {.who = "an admin not confirmed",
       .caller = MakePerson(Role::kSuperadmin, all, Credential::kProvisional),
       .answers = "rw rw -- -- -- --"},
      {.who = "a reader",
       .caller = MakePerson(Role::kReadonly, all),
       .answers = "rw rw rw r- -- --"},
      {.who = "a user", .caller = MakePerson(Role::kUser, all), .answers = "rw rw rw rw -- --"},
      {.who = "an admin", .caller = MakePerson(Role::kAdmin, all), .answers = "rw rw rw rw rw --"},
      {.who = "a superadmin",
       .caller = MakePerson(Role::kSuperadmin, all),
       .answers = "rw rw rw rw rw rw"},
      {.who = "the operator", .caller = MakeOperator(), .answers = "rw rw rw rw rw rw"},
      {.who = "an API token",
       .caller = MakePerson(Role::kUser, {"account:read", "files:write"}, Credential::kApiToken),
       .answers = "rw rw r- rw -- --"},
      {.who = "an app password",
       .caller = MakePerson(Role::kSuperadmin, {"calendars:write", "files:read"},
                            Credential::kAppPassword),
       .answers = "rw rw -- r- -- --"},
      {.who = "a token of a reader",
       .caller = MakePerson(Role::kReadonly, all, Credential::kPersonalToken),
       .answers = "rw rw rw r- -- --"},
      {.who = "a token of an admin that may only look",
       .caller = MakePerson(Role::kAdmin, {"admin:read"}, Credential::kPersonalToken),
       .answers = "rw rw -- -- r- --"},
      {.who = "a token of a user with the scope of admins",
       .caller = MakePerson(Role::kUser, {"admin:write"}, Credential::kPersonalToken),
       .answers = "rw rw -- -- -- --"},
      {.who = "a token without scopes",
       .caller = MakePerson(Role::kSuperadmin, {}, Credential::kPersonalToken),
       .answers = "rw rw -- -- -- --"},
  };
  for (const Row& row : rows) {
    door_.caller = row.caller;
    EXPECT_EQ(AllAnswers(), row.answers) << row.who;
  }
}

TEST_F(AccessRulesTest, AMemberRuleIsAboutItsOwnArea) {
  const std::vector<std::pair<Area, std::string>> areas{{Area::kAccount, "account"},
                                                        {Area::kCalendars, "calendars"},
                                                        {Area::kGroups, "groups"},
                                                        {Area::kFiles, "files"},
                                                        {Area::kAdmin, "admin"}};
  for (const auto& [own, name] : areas) {
    door_.caller = MakePerson(Role::kUser, {name + ":write"});
    for (const auto& [area, other] : areas) {
      EXPECT_EQ(Answers(rules_.Member(area)), own == area ? "rw" : "--") << name << " " << other;
    }
  }
}

TEST_F(AccessRulesTest, WhoIsUnknownIsAskedToSignInAndWhoIsKnownIsRefused) {
  EXPECT_THAT(Ask(rules_.Session()), FailsWith(ErrorCode::kUnauthenticated));
  EXPECT_THAT(Ask(rules_.Superadmin()), FailsWith(ErrorCode::kUnauthenticated));
  door_.caller = MakeGuest();
  EXPECT_THAT(Ask(rules_.Self()), FailsWith(ErrorCode::kPermissionDenied));
  door_.caller = MakePerson(Role::kUser, {"files:read"});
  EXPECT_THAT(Ask(rules_.Member(Area::kFiles), Method::kDelete),
              FailsSaying(ErrorCode::kPermissionDenied, "token"));
  door_.caller = MakePerson(Role::kReadonly, {"*"});
  EXPECT_THAT(Ask(rules_.Member(Area::kFiles), Method::kPatch),
              FailsSaying(ErrorCode::kPermissionDenied, "role"));
}

TEST_F(AccessRulesTest, BeforeTheSetUpOnlyTheOperatorIsLetIn) {
  door_.set_up = false;
  EXPECT_THAT(Ask(rules_.Public()), FailsWith(ErrorCode::kUnavailable));
  EXPECT_THAT(Ask(rules_.Session()), FailsWith(ErrorCode::kUnavailable));
  door_.caller = MakeOperator();
  EXPECT_EQ(AllAnswers(), "rw rw rw rw rw rw");
}

TEST_F(AccessRulesTest, APublicRouteIsOpenToThoseWhoseSessionHasEnded) {
  door_.refuses_with = ErrorCode::kUnauthenticated;
  EXPECT_THAT(rules_.Public().Admit({}), Holds(::testing::IsNull()));
  EXPECT_THAT(Ask(rules_.Session()), FailsWith(ErrorCode::kUnauthenticated));
}

TEST_F(AccessRulesTest, ARequestThatMayBeForgedIsRefusedEvenByPublicRoutes) {
  door_.refuses_with = ErrorCode::kPermissionDenied;
  EXPECT_THAT(Ask(rules_.Public(), Method::kPost), FailsWith(ErrorCode::kPermissionDenied));
}

TEST_F(AccessRulesTest, AStoreThatDoesNotAnswerIsNoStranger) {
  door_.refuses_with = ErrorCode::kUnavailable;
  EXPECT_THAT(Ask(rules_.Public()), FailsWith(ErrorCode::kUnavailable));
}

TEST_F(AccessRulesTest, TheRequestLearnsWhoIsCalling) {
  door_.caller = MakePerson(Role::kUser, {"*"});
  const auto principal = rules_.Public().Admit({});
  ASSERT_THAT(principal, IsOk());
  EXPECT_EQ(*principal, door_.caller);
}

TEST_F(AccessRulesTest, WhoWasAdmittedIsDecidedAboutAnew) {
  const auto readmit = [&](const http::AccessRule& rule, const Caller* principal) {
    return rule.Readmit({.principal = principal, .method = Method::kPost}, http::Staleness::kNone);
  };
  const auto before = MakePerson(Role::kAdmin, {"*"});
  door_.caller = before;
  EXPECT_THAT(readmit(rules_.Admin(), before.get()), IsOk());
  door_.caller = MakePerson(Role::kUser, {"*"});
  EXPECT_THAT(readmit(rules_.Admin(), before.get()), FailsWith(ErrorCode::kPermissionDenied));
  EXPECT_THAT(readmit(rules_.Self(), before.get()), IsOk());
  door_.caller = nullptr;
  EXPECT_THAT(readmit(rules_.Self(), before.get()), FailsWith(ErrorCode::kUnauthenticated));
  EXPECT_THAT(readmit(rules_.Public(), before.get()), FailsWith(ErrorCode::kUnauthenticated));
  EXPECT_THAT(readmit(rules_.Public(), nullptr), IsOk());
}

}  // namespace
}  // namespace atrium::api
