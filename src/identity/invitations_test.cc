// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/invitations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <string>
#include <utility>

#include "base/testing.h"
#include "identity/invitation_keys.h"
#include "identity/organisation_invitations.h"
#include "identity/room_testing.h"

namespace atrium::identity {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using ::testing::HasSubstr;
using Renewal = Invitations::Renewal;

class InvitationsTest : public testing::RoomTest {
 protected:
  Inviter InviterFor(const User& user) {
    return {.actor = ActorFor(user),
            .org = user.org,
            .user = user,
            .base_url = "https://atrium.example.org"};
  }

  Result<IssuedInvitation> TryInvite(const User& user, const std::string& email) {
    store::Batch batch;
    auto issued = room_.invitations.Add({}, batch, InviterFor(user),
                                        {.email = email,
                                         .target = {.kind = "organisation", .return_to = "/"},
                                         .occasion = {.label = "Default", .title = "join us"}});
    if (issued) {
      EXPECT_THAT(store_.Commit({}, std::move(batch)), IsOk());
    }
    return issued;
  }
  IssuedInvitation Invite(const std::string& email = "new@example.org") {
    return TryInvite(ann_.record, email).value();
  }
  Invitation Reloaded(const IssuedInvitation& issued) {
    return room_.invitations.Load({}, issued.invitation.id).value().record;
  }
  void Tell(const std::string& about, mail::LetterFate fate, const std::string& reason) {
    store::Batch batch;
    EXPECT_THAT(
        room_.invitations.AddOutcome({}, batch, {.about = about, .fate = fate, .reason = reason}),
        IsOk());
    store::WriteSet writes = batch.Take();
    if (!writes.mutations.empty()) {
      EXPECT_THAT(store_.Commit({}, std::move(writes)), IsOk());
    }
  }
};

TEST_F(InvitationsTest, TheLinkOfTheHostAndTheOneInTheLetterAreTwo) {
  const IssuedInvitation issued = Invite();
  EXPECT_THAT(issued.link, HasSubstr("https://atrium.example.org/join#token=ati_"));
  EXPECT_THAT(issued.link, Not(HasSubstr(LastSecret())));
  EXPECT_EQ(Letters().size(), 1U);
  EXPECT_THAT(Letters()[0].mime, HasSubstr("Ann Example"));
  EXPECT_EQ(Defects(), 0U);
}

TEST_F(InvitationsTest, TheyAreListedNewestFirstAlsoWithinAMillisecond) {
  for (const char* email : {"one@example.org", "two@example.org", "three@example.org"}) {
    Invite(email);
  }
  const auto page = room_.invitations.List({}, ann_.record.org, 2, std::nullopt).value();
  ASSERT_EQ(page.records.size(), 2U);
  EXPECT_EQ(page.records[0].record.email, "three@example.org");
  EXPECT_EQ(page.records[1].record.email, "two@example.org");
  const auto rest = room_.invitations.List({}, ann_.record.org, 2, page.resume).value();
  ASSERT_EQ(rest.records.size(), 1U);
  EXPECT_EQ(rest.records[0].record.email, "one@example.org");
}

TEST_F(InvitationsTest, WhatBecameOfTheLetterIsWrittenWithTheLetter) {
  const IssuedInvitation issued = Invite();
  EXPECT_EQ(issued.invitation.delivery, Delivery::kQueued);
  Letters();
  EXPECT_EQ(Reloaded(issued).delivery, Delivery::kHandedOver);
}

TEST_F(InvitationsTest, ALetterFromBeforeTheLastOneSpeaksForNobody) {
  const IssuedInvitation issued = Invite();
  const std::string name = "invitation:" + issued.invitation.id;
  ASSERT_THAT(
      room_.invitations.Renew({}, InviterFor(ann_.record), issued.invitation.id, Renewal::kLetter),
      IsOk());
  Tell(name + "/0", mail::LetterFate::kRefused, "550");
  EXPECT_EQ(Reloaded(issued).delivery, Delivery::kQueued);
  Tell(name + "/1", mail::LetterFate::kRefused, "550");
  EXPECT_EQ(Reloaded(issued).delivery, Delivery::kFailed);
  EXPECT_EQ(Reloaded(issued).delivery_reason, "550");
  Tell("invitation:00000000000000000000000009/0", mail::LetterFate::kHandedOver, "");
}

TEST_F(InvitationsTest, AnInvitationExpiresAndIsGivenItsTimeAgain) {
  const IssuedInvitation issued = Invite();
  clock_.Advance(kInvitationOpen - milliseconds(1));
  EXPECT_EQ(StateAt(Reloaded(issued), clock_.Now()), InvitationState::kOpen);
  clock_.Advance(milliseconds(1));
  EXPECT_EQ(StateAt(Reloaded(issued), clock_.Now()), InvitationState::kExpired);
  const auto renewed =
      room_.invitations.Renew({}, InviterFor(ann_.record), issued.invitation.id, Renewal::kLink);
  ASSERT_THAT(renewed, IsOk());
  EXPECT_NE(renewed->link, issued.link);
  EXPECT_EQ(StateAt(Reloaded(issued), clock_.Now()), InvitationState::kOpen);
  clock_.Advance(kInvitationOpen + kInvitationKept);
  EXPECT_THAT(room_.invitations.Load({}, issued.invitation.id), FailsWith(ErrorCode::kNotFound));
}

TEST_F(InvitationsTest, WhatHasEndedIsNeitherRenewedNorRevoked) {
  const IssuedInvitation issued = Invite();
  const std::string& id = issued.invitation.id;
  ASSERT_THAT(room_.invitations.Revoke({}, Operator(), id), IsOk());
  EXPECT_EQ(LastLine().action, "invitation.revoked");
  EXPECT_THAT(room_.invitations.Revoke({}, Operator(), id), FailsWith(ErrorCode::kRefusedByState));
  for (const Renewal renewal : {Renewal::kLetter, Renewal::kLink}) {
    EXPECT_THAT(room_.invitations.Renew({}, InviterFor(ann_.record), id, renewal),
                FailsWith(ErrorCode::kRefusedByState));
  }
}

TEST_F(InvitationsTest, WhoeverRenewsMustBeLetInvite) {
  const User bob = AddBob().record;
  const IssuedInvitation issued = Invite();
  const auto only = [&](const std::string& who) {
    const auto org = room_.organisations.Load({}, DefaultOrg()).value();
    EXPECT_THAT(room_.organisations.Change(
                    {}, Operator(), org,
                    {.settings = std::map<std::string, std::string>{{"invitations.who", who}}}),
                IsOk());
  };
  only("administrators");
  for (const Renewal renewal : {Renewal::kLetter, Renewal::kLink}) {
    EXPECT_THAT(room_.invitations.Renew({}, InviterFor(bob), issued.invitation.id, renewal),
                FailsSaying(ErrorCode::kPermissionDenied, "only administrators"));
    EXPECT_THAT(room_.invitations.Renew({}, InviterFor(ann_.record), issued.invitation.id, renewal),
                IsOk());
  }
  only("closed");
  EXPECT_THAT(
      room_.invitations.Renew({}, InviterFor(ann_.record), issued.invitation.id, Renewal::kLink),
      FailsSaying(ErrorCode::kPermissionDenied, "nobody new"));
}

TEST_F(InvitationsTest, WhoSpeaksAsAnAdministrator) {
  const auto scopes = [](const std::string& text) { return api::Scopes::Parse({text}).value(); };
  EXPECT_TRUE(MayVouch(Role::kAdmin, api::Scopes::All()));
  EXPECT_TRUE(MayVouch(Role::kSuperadmin, scopes("admin:write")));
  EXPECT_FALSE(MayVouch(Role::kUser, api::Scopes::All()));
  EXPECT_FALSE(MayVouch(Role::kAdmin, scopes("admin:read")));
  EXPECT_FALSE(MayVouch(Role::kAdmin, scopes("calendars:write")));
}

TEST_F(InvitationsTest, NobodyInvitesWithoutEnd) {
  const User bob = AddBob().record;
  for (std::uint32_t i = 0; i < kInvitingLimit.free; ++i) {
    ASSERT_THAT(TryInvite(bob, "n" + std::to_string(i) + "@example.org"), IsOk());
  }
  EXPECT_THAT(TryInvite(bob, "last@example.org"), IsOk());
  EXPECT_THAT(TryInvite(bob, "more@example.org"), FailsWith(ErrorCode::kRateLimited));
  EXPECT_THAT(TryInvite(ann_.record, "more@example.org"), IsOk());
  clock_.Advance(hours(24));
  EXPECT_THAT(TryInvite(bob, "more@example.org"), IsOk());
}

TEST_F(InvitationsTest, WhatARoomThatIsNotThereInvitesToIsGone) {
  Invitation invitation = Invite().invitation;
  invitation.target.kind = "chat";
  const auto occasion = room_.invitations.Describe({}, invitation);
  ASSERT_THAT(occasion, IsOk());
  EXPECT_FALSE(occasion->has_value());
  store::Batch batch;
  EXPECT_THAT(room_.invitations.AddJoining({}, batch, invitation, ann_.record),
              FailsWith(ErrorCode::kNotFound));
}

}  // namespace
}  // namespace atrium::identity
