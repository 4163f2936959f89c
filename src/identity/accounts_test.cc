// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/accounts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/testing.h"
#include "identity/room_testing.h"

namespace atrium::identity {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

class AccountsTest : public testing::RoomTest {
 protected:
  OrgId AddOrg(const std::string& name) {
    return room_.organisations.Create({}, Operator(), {.name = name}).value().record.id;
  }
  Result<store::Stored<User>> Create(const Actor& actor, const NewUser& wanted,
                                     const OrgId& org = DefaultOrg()) {
    return room_.accounts.Create({}, actor, org, wanted);
  }
  std::int64_t Superadmins() {
    const auto row = store_.Get({}, kOrgUsage, {.partition = "server"}).value();
    return store::CounterOf(row.value().counters, "superadmins");
  }
};

TEST_F(AccountsTest, PersonAddressSecretsAndLineAreOneCommit) {
  EXPECT_EQ(CommitsOf([&](const store::OpContext& op) {
              return room_.accounts.Create(op, Operator(), DefaultOrg(),
                                           {.email = "bob@example.org"});
            }),
            1U);
  const auto bob = room_.accounts.FindByEmail({}, "bob@example.org").value();
  ASSERT_TRUE(bob.has_value());
  EXPECT_EQ(bob->record.name, "bob");
  EXPECT_EQ(bob->record.time_zone, "UTC");
  EXPECT_THAT(SecretsOf(*bob).record.password_hash, IsEmpty());
  EXPECT_THAT(LastLine(),
              AllOf(Field(&AuditLine::actor, "operator"), Field(&AuditLine::action, "user.created"),
                    Field(&AuditLine::target, TargetOf(bob->record.id)),
                    Field(&AuditLine::detail,
                          ElementsAre(Pair("email", "bob@example.org"), Pair("role", "user")))));
  EXPECT_EQ(room_.organisations.Usage({}, DefaultOrg()).value().users, 2);
  EXPECT_EQ(Defects(), 0U);
}

TEST_F(AccountsTest, ATokenDecidesNothingAboutWhoIsAnAdministrator) {
  Actor token = ActorFor(ann_.record);
  token.by_token = true;
  EXPECT_THAT(Create(token, {.email = "eve@example.org", .role = Role::kAdmin}),
              FailsSaying(ErrorCode::kPermissionDenied, "token"));
  const auto bob = Add({.email = "bob@example.org"});
  EXPECT_THAT(room_.accounts.Change({}, token, bob, {.role = Role::kAdmin}),
              FailsSaying(ErrorCode::kPermissionDenied, "token"));
  const auto boss = Add({.email = "boss@example.org", .role = Role::kAdmin});
  EXPECT_THAT(room_.accounts.Change({}, token, boss, {.role = Role::kUser}),
              FailsSaying(ErrorCode::kPermissionDenied, "token"));
  EXPECT_THAT(room_.accounts.Change({}, token, boss, {.email = "evil@example.org"}),
              FailsSaying(ErrorCode::kPermissionDenied, "token"));
  EXPECT_THAT(room_.accounts.SetPassword({}, token, boss, testing::kPassword),
              FailsSaying(ErrorCode::kPermissionDenied, "token"));
  EXPECT_THAT(room_.accounts.Change({}, token, boss, {.name = "Boss"}), IsOk());
  EXPECT_THAT(room_.accounts.SetPassword({}, token, bob, testing::kPassword), IsOk());
}

TEST_F(AccountsTest, AnAddressBelongsToOnePersonHoweverItIsSpelled) {
  Add({.email = "bob@example.org"});
  EXPECT_THAT(Create(Operator(), {.email = " BOB@Example.ORG "}),
              FailsSaying(ErrorCode::kAlreadyExists, "email"));
  EXPECT_EQ(room_.organisations.Usage({}, DefaultOrg()).value().users, 2);
}

TEST_F(AccountsTest, AnAddressIsTakenInAllOrganisations) {
  const OrgId other = AddOrg("Other");
  Add({.email = "bob@example.org"});
  EXPECT_THAT(Create(Operator(), {.email = "bob@example.org"}, other),
              FailsWith(ErrorCode::kAlreadyExists));
}

TEST_F(AccountsTest, AnOrganisationThatChangesMeanwhileIsNoReasonToRefuseAnybody) {
  engine_.before_commits.emplace_back([&] {
    const auto org = room_.organisations.Load({}, DefaultOrg()).value();
    ASSERT_THAT(room_.organisations.Change({}, Operator(), org, {.name = "Renamed"}), IsOk());
  });
  EXPECT_THAT(Create(Operator(), {.email = "bob@example.org"}), IsOk());
}

TEST_F(AccountsTest, NobodyIsMadeInAnOrganisationThatLeavesMeanwhile) {
  const OrgId other = AddOrg("Other");
  engine_.before_commits.emplace_back([&] {
    const auto org = room_.organisations.Load({}, other).value();
    ASSERT_THAT(room_.organisations.Erase({}, Operator(), org), IsOk());
  });
  EXPECT_THAT(Create(Operator(), {.email = "bob@example.org"}, other),
              FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(room_.accounts.FindByEmail({}, "bob@example.org"),
              Holds(::testing::Eq(std::nullopt)));
}

TEST_F(AccountsTest, ThereIsNobodyInAnOrganisationThatNeverWas) {
  EXPECT_THAT(Create(Operator(), {.email = "bob@example.org"}, OrgId(ids_.NewTimeUuid())),
              FailsWith(ErrorCode::kNotFound));
}

TEST_F(AccountsTest, WhatIsWrongWithAPersonIsSaid) {
  const std::string email = "bob@example.org";
  EXPECT_THAT(Create(Operator(), {.email = "bob"}), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(Create(Operator(), {.email = email, .name = std::string(201, 'b')}),
              FailsSaying(ErrorCode::kInvalidArgument, "name"));
  EXPECT_THAT(Create(Operator(), {.email = email, .name = "\xff"}),
              FailsSaying(ErrorCode::kInvalidArgument, "name"));
  EXPECT_THAT(Create(Operator(), {.email = email, .role = Role::kGuest}),
              FailsSaying(ErrorCode::kInvalidArgument, "role"));
  EXPECT_THAT(Create(Operator(), {.email = email, .password = "password12"}),
              FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(Create(Operator(), {.email = email, .quota_bytes = -1}),
              FailsSaying(ErrorCode::kInvalidArgument, "quota_bytes"));
  EXPECT_THAT(Create(Operator(), {.email = email, .time_zone = "Mars/Olympus"}),
              FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_EQ(CountRows(kUserTable), 1U);
}

TEST_F(AccountsTest, NobodyGivesARoleAboveTheirOwn) {
  const Actor admin = ActorFor(Add({.email = "eve@example.org", .role = Role::kAdmin}).record);
  EXPECT_THAT(Create(admin, {.email = "one@example.org", .role = Role::kSuperadmin}),
              FailsWith(ErrorCode::kPermissionDenied));
  EXPECT_THAT(Create(admin, {.email = "two@example.org", .role = Role::kAdmin}), IsOk());
  const Actor user = ActorFor(Add({.email = "bob@example.org"}).record);
  EXPECT_THAT(Create(user, {.email = "three@example.org", .role = Role::kReadonly}),
              FailsWith(ErrorCode::kPermissionDenied));
  EXPECT_THAT(Create({}, {.email = "four@example.org"}, OrgId{}),
              FailsWith(ErrorCode::kPermissionDenied));
}

TEST_F(AccountsTest, PeopleOfOtherOrganisationsDoNotExistForAdmins) {
  const OrgId other = AddOrg("Other");
  const Actor admin = ActorFor(Add({.email = "eve@example.org", .role = Role::kAdmin}).record);
  const auto stranger = Add({.email = "bob@example.org"}, other);
  EXPECT_THAT(Create(admin, {.email = "new@example.org"}, other), FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(room_.accounts.Change({}, admin, stranger, {.name = "x"}),
              FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(room_.accounts.Erase({}, admin, stranger), FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(room_.accounts.SetPassword({}, admin, stranger, testing::kPassword),
              FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(room_.accounts.Change({}, ActorFor(ann_.record), stranger, {.name = "x"}), IsOk());
}

TEST_F(AccountsTest, NobodyRaisesThemselves) {
  const auto bob = Add({.email = "bob@example.org"});
  const auto eve = Add({.email = "eve@example.org", .role = Role::kAdmin});
  EXPECT_THAT(room_.accounts.Change({}, ActorFor(bob.record), bob, {.role = Role::kAdmin}),
              FailsWith(ErrorCode::kPermissionDenied));
  EXPECT_THAT(room_.accounts.Change({}, ActorFor(eve.record), eve, {.role = Role::kSuperadmin}),
              FailsWith(ErrorCode::kPermissionDenied));
  EXPECT_THAT(room_.accounts.Change({}, ActorFor(eve.record), ann_, {.role = Role::kUser}),
              FailsWith(ErrorCode::kPermissionDenied));
  EXPECT_THAT(room_.accounts.Change({}, ActorFor(bob.record), bob, {.name = "Robert"}), IsOk());
}

TEST_F(AccountsTest, ThereIsOneFirstPerson) {
  EXPECT_THAT(room_.accounts.CreateFirst({}, Operator(), {.user = {.email = "eve@example.org"}}),
              FailsWith(ErrorCode::kAlreadyExists));
  EXPECT_EQ(CountRows(kUserTable), 1U);
  EXPECT_THAT(Log(), ElementsAre(AllOf(Field(&AuditLine::action, "server.set_up"),
                                       Field(&AuditLine::target, TargetOf(ann_.record.id)))));
  EXPECT_EQ(ann_.record.role, Role::kSuperadmin);
  EXPECT_EQ(Superadmins(), 1);
}

TEST_F(AccountsTest, ANewAddressKeepsIdSecretsSessionsAndTokens) {
  const auto bob = AddBob();
  const OpenedSession session = OpenSession(bob);
  const MadeToken token = MakeToken(bob, {.name = "script"});
  const std::string hash = SecretsOf(bob).record.password_hash;
  EXPECT_EQ(CommitsOf([&](const store::OpContext& op) {
              return room_.accounts.Change(op, Operator(), Reload(bob),
                                           {.email = "Robert@example.org"});
            }),
            1U);
  const auto renamed = room_.accounts.FindByEmail({}, "robert@example.org").value();
  ASSERT_TRUE(renamed.has_value());
  EXPECT_EQ(renamed->record.id, bob.record.id);
  EXPECT_EQ(SecretsOf(*renamed).record.password_hash, hash);
  EXPECT_THAT(Identify(testing::WithBearer(session.secret)), IsOk());
  EXPECT_THAT(Identify(testing::WithBearer(token.secret)), IsOk());
  EXPECT_THAT(room_.accounts.FindByEmail({}, "bob@example.org"),
              Holds(::testing::Eq(std::nullopt)));
  EXPECT_THAT(LastLine(),
              AllOf(Field(&AuditLine::action, "user.changed"),
                    Field(&AuditLine::detail,
                          UnorderedElementsAre(Pair("email", "robert@example.org"),
                                               Pair("email_before", "bob@example.org")))));
  EXPECT_EQ(Defects(), 0U);
}

TEST_F(AccountsTest, AnAddressThatIsTakenIsToldFromAPersonWhoChanged) {
  const auto bob = Add({.email = "bob@example.org"});
  Add({.email = "eve@example.org"});
  EXPECT_THAT(room_.accounts.Change({}, Operator(), bob, {.email = "eve@example.org"}),
              FailsWith(ErrorCode::kAlreadyExists));
  Change(bob, {.name = "Robert"});
  EXPECT_THAT(room_.accounts.Change({}, Operator(), bob, {.email = "free@example.org"}),
              FailsWith(ErrorCode::kConflict));
}

TEST_F(AccountsTest, AQuotaCanBeTakenAway) {
  const auto bob = Add({.email = "bob@example.org", .quota_bytes = 5});
  EXPECT_EQ(Change(bob, {.name = "Bob"}).record.quota_bytes, 5);
  EXPECT_EQ(Change(bob, {.quota_bytes = std::optional<std::int64_t>()}).record.quota_bytes,
            std::nullopt);
}

TEST_F(AccountsTest, DeactivationEndsEverythingAndActivationRevivesNothing) {
  const auto bob = AddBob();
  const OpenedSession session = OpenSession(bob);
  const MadeToken token = MakeToken(bob, {.name = "script"});
  EXPECT_EQ(CommitsOf([&](const store::OpContext& op) {
              return room_.accounts.Change(op, Operator(), Reload(bob),
                                           {.status = UserStatus::kDeactivated});
            }),
            1U);
  EXPECT_THAT(LastLine(), Field(&AuditLine::action, "user.deactivated"));
  EXPECT_THAT(Identify(testing::WithBearer(session.secret)),
              FailsWith(ErrorCode::kUnauthenticated));
  EXPECT_THAT(Identify(testing::WithBearer(token.secret)), FailsWith(ErrorCode::kUnauthenticated));
  EXPECT_THAT(LogIn("bob@example.org", testing::kPassword), FailsWith(ErrorCode::kUnauthenticated));

  Change(bob, {.status = UserStatus::kActive});
  EXPECT_THAT(LastLine(), Field(&AuditLine::action, "user.changed"));
  EXPECT_THAT(Identify(testing::WithBearer(session.secret)),
              FailsWith(ErrorCode::kUnauthenticated));
  EXPECT_THAT(Identify(testing::WithBearer(token.secret)), FailsWith(ErrorCode::kUnauthenticated));
  EXPECT_THAT(room_.sessions.List({}, Reload(bob).record), Holds(IsEmpty()));
  EXPECT_THAT(room_.tokens.List({}, Reload(bob).record), Holds(IsEmpty()));
  EXPECT_THAT(LogIn("bob@example.org", testing::kPassword), IsOk());
}

TEST_F(AccountsTest, TheLastSuperadminStays) {
  EXPECT_THAT(room_.accounts.Change({}, Operator(), ann_, {.role = Role::kAdmin}),
              FailsSaying(ErrorCode::kConflict, "last superadmin"));
  EXPECT_THAT(room_.accounts.Change({}, Operator(), ann_, {.status = UserStatus::kDeactivated}),
              FailsSaying(ErrorCode::kConflict, "last superadmin"));
  EXPECT_THAT(room_.accounts.Erase({}, Operator(), ann_),
              FailsSaying(ErrorCode::kConflict, "last superadmin"));
}

TEST_F(AccountsTest, OneSuperadminStaysWhenTwoAreDemotedAtOnce) {
  const auto eve = Add({.email = "eve@example.org", .role = Role::kSuperadmin});
  // Both were read before either was changed: neither knows of the other.
  EXPECT_THAT(room_.accounts.Change({}, ActorFor(eve.record), ann_, {.role = Role::kUser}), IsOk());
  EXPECT_THAT(room_.accounts.Change({}, ActorFor(ann_.record), eve, {.role = Role::kUser}),
              FailsSaying(ErrorCode::kConflict, "last superadmin"));
  EXPECT_EQ(Superadmins(), 1);
}

TEST_F(AccountsTest, ASuperadminWhoIsNotActiveLooksAfterNothing) {
  const auto eve = Add({.email = "eve@example.org", .role = Role::kSuperadmin});
  Change(eve, {.status = UserStatus::kDeactivated});
  EXPECT_EQ(Superadmins(), 1);
  Change(eve, {.role = Role::kUser});
  EXPECT_EQ(Superadmins(), 1);
  Change(eve, {.role = Role::kSuperadmin});
  EXPECT_EQ(Superadmins(), 1);
  Change(eve, {.status = UserStatus::kActive});
  EXPECT_EQ(Superadmins(), 2);
}

TEST_F(AccountsTest, OfTwoChangesOnTheSameReadingOneIsRefused) {
  const auto bob = Add({.email = "bob@example.org"});
  EXPECT_THAT(room_.accounts.Change({}, Operator(), bob, {.name = "Robert"}), IsOk());
  EXPECT_THAT(room_.accounts.Change({}, Operator(), bob, {.name = "Bert"}),
              FailsWith(ErrorCode::kConflict));
}

TEST_F(AccountsTest, WhatIsErasedLeavesNothingButTheLog) {
  const auto bob = AddBob();
  OpenSession(bob);
  for (int i = 0; i < 12; ++i) {
    MakeToken(bob, {.name = "script"});
  }
  ASSERT_THAT(room_.accounts.Erase({}, Operator(), Reload(bob)), IsOk());
  EXPECT_THAT(room_.accounts.Load({}, bob.record.id), FailsWith(ErrorCode::kNotFound));
  EXPECT_EQ(CountRows(kUserTable), 1U);
  EXPECT_EQ(CountRows(kUserEmails), 1U);
  EXPECT_EQ(CountRows(kUsersByOrg), 1U);
  EXPECT_EQ(CountRows(kSecretsTable), 1U);
  EXPECT_EQ(CountRows(kTokenTable), 0U);
  EXPECT_EQ(CountRows(kTokensByUser), 0U);
  EXPECT_EQ(CountRows(kSessionTable), 0U);
  EXPECT_EQ(CountRows(kSessionsByUser), 0U);
  EXPECT_EQ(room_.organisations.Usage({}, DefaultOrg()).value().users, 1);
  EXPECT_THAT(LastLine(), Field(&AuditLine::action, "user.erased"));
  EXPECT_THAT(Create(Operator(), {.email = "bob@example.org"}), IsOk());
}

TEST_F(AccountsTest, SomebodyWithManyAccountsElsewhereCanBeErased) {
  const auto bob = Add({.email = "bob@example.org"});
  for (int i = 0; i < 20; ++i) {
    store::Batch batch;
    batch.Create(ExternalIdentities(), ExternalIdentity{.issuer = "https://id.example.net",
                                                        .subject = std::to_string(i),
                                                        .user = bob.record.id});
    ASSERT_THAT(store_.Commit({}, std::move(batch)), IsOk());
  }
  ASSERT_THAT(room_.accounts.Erase({}, Operator(), bob), IsOk());
  EXPECT_EQ(CountRows(kExternalTable), 0U);
  EXPECT_EQ(CountRows(kExternalByUser), 0U);
}

TEST_F(AccountsTest, ANewPasswordEndsEverything) {
  const auto bob = AddBob();
  const OpenedSession session = OpenSession(bob);
  const MadeToken token = MakeToken(bob, {.name = "script"});
  EXPECT_EQ(CommitsOf([&](const store::OpContext& op) {
              return room_.accounts.SetPassword(op, Operator(), Reload(bob),
                                                testing::kOtherPassword);
            }),
            1U);
  EXPECT_THAT(LastLine(), AllOf(Field(&AuditLine::action, "password.changed"),
                                Field(&AuditLine::target, TargetOf(bob.record.id))));
  EXPECT_THAT(Identify(testing::WithBearer(session.secret)),
              FailsWith(ErrorCode::kUnauthenticated));
  EXPECT_THAT(Identify(testing::WithBearer(token.secret)), FailsWith(ErrorCode::kUnauthenticated));
  EXPECT_THAT(LogIn("bob@example.org", testing::kPassword), FailsWith(ErrorCode::kUnauthenticated));
  EXPECT_THAT(LogIn("bob@example.org", testing::kOtherPassword), IsOk());
}

}  // namespace
}  // namespace atrium::identity
