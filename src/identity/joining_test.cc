// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/joining.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/testing.h"
#include "identity/invitation_keys.h"
#include "identity/room_testing.h"

namespace atrium::identity {
namespace {

using std::chrono::milliseconds;

class JoiningTest : public testing::RoomTest {
 protected:
  IssuedInvitation Invite(const User& user, const std::string& email) {
    store::Batch batch;
    auto issued = room_.invitations.Add({}, batch,
                                        {.actor = ActorFor(user),
                                         .org = user.org,
                                         .user = user,
                                         .base_url = "https://atrium.example.org",
                                         .vouches = user.role >= Role::kAdmin},
                                        {.email = email,
                                         .target = {.kind = "organisation", .return_to = "/"},
                                         .occasion = {.label = "Default", .title = "join us"}});
    EXPECT_THAT(issued, IsOk());
    EXPECT_THAT(store_.Commit({}, std::move(batch)), IsOk());
    return issued.value_or(IssuedInvitation{});
  }
  static std::string SecretOf(const IssuedInvitation& issued) {
    return issued.link.substr(issued.link.find("#token=") + 7);
  }
  static JoiningForm Form(const std::string& token,
                          std::optional<std::string> email = std::nullopt) {
    return {
        .token = token, .name = "New", .password = testing::kPassword, .email = std::move(email)};
  }
  Result<Joined> Join(const JoiningForm& form) {
    return room_.joining.Join({}, Stranger(), From("192.0.2.1"), form,
                              "https://atrium.example.org");
  }
};

TEST_F(JoiningTest, AnExpiredInvitationLetsNobodyIn) {
  const std::string secret = SecretOf(Invite(ann_.record, "new@example.org"));
  clock_.Advance(kInvitationOpen);
  const auto glance = room_.joining.Look({}, From("192.0.2.1"), secret);
  ASSERT_THAT(glance, IsOk());
  EXPECT_EQ(glance->state, InvitationState::kExpired);
  EXPECT_EQ(glance->inviter, "");
  EXPECT_THAT(Join(Form(secret)), FailsWith(ErrorCode::kRefusedByState));
  EXPECT_THAT(
      room_.joining.Accept({}, ActorFor(ann_.record), From("192.0.2.1"), secret, ann_.record.id),
      FailsWith(ErrorCode::kRefusedByState));
}

TEST_F(JoiningTest, SomebodyQuickerWinsAndTheOtherHearsIt) {
  const std::string secret = SecretOf(Invite(ann_.record, "new@example.org"));
  // Counting and forgiving are commits of their own; the third one lets in.
  engine_.before_commits = {nullptr, nullptr, [&] { EXPECT_THAT(Join(Form(secret)), IsOk()); }};
  const auto slower = Join(Form(secret));
  ASSERT_FALSE(slower.has_value());
  EXPECT_EQ(slower.error().code, ErrorCode::kAlreadyExists);
  EXPECT_EQ(Defects(), 0U);
}

TEST_F(JoiningTest, AnAddressIsProvedByItsLetterAndByTheWordOfAnAdministrator) {
  const User bob = AddBob().record;
  const IssuedInvitation by_bob = Invite(bob, "new@example.org");
  const std::string mailed = LastSecret();
  const auto by_hand = room_.joining.Look({}, From("192.0.2.1"), SecretOf(by_bob));
  ASSERT_THAT(by_hand, IsOk());
  EXPECT_EQ(by_hand->proof, AddressProof::kLetter);
  EXPECT_EQ(room_.joining.Look({}, From("192.0.2.1"), mailed)->proof, std::nullopt);
  const IssuedInvitation by_ann = Invite(ann_.record, "other@example.org");
  EXPECT_EQ(room_.joining.Look({}, From("192.0.2.1"), SecretOf(by_ann))->proof, std::nullopt);
  const IssuedInvitation for_anybody = Invite(ann_.record, "");
  EXPECT_EQ(room_.joining.Look({}, From("192.0.2.1"), SecretOf(for_anybody))->proof,
            AddressProof::kLetter)
      << "an administrator vouches for the address they wrote, not for any";
}

TEST_F(JoiningTest, ALinkProvesWhatWhoeverMadeItVouchesFor) {
  const User bob = AddBob().record;
  const IssuedInvitation by_ann = Invite(ann_.record, "new@example.org");
  const auto proof_of = [&](const IssuedInvitation& issued) {
    return room_.joining.Look({}, From("192.0.2.1"), SecretOf(issued))->proof;
  };
  const auto renew = [&](const User& user, Invitations::Renewal renewal, bool vouches) {
    return room_.invitations
        .Renew({},
               {.actor = ActorFor(user),
                .org = user.org,
                .user = user,
                .base_url = "https://atrium.example.org",
                .vouches = vouches},
               by_ann.invitation.id, renewal)
        .value();
  };
  using Renewal = Invitations::Renewal;
  EXPECT_EQ(proof_of(by_ann), std::nullopt);
  const IssuedInvitation by_bob = renew(bob, Renewal::kLink, false);
  EXPECT_EQ(by_bob.invitation.inviter, bob.id);
  EXPECT_EQ(proof_of(by_bob), AddressProof::kLetter);
  renew(ann_.record, Renewal::kLetter, true);
  EXPECT_EQ(proof_of(by_bob), AddressProof::kLetter) << "ann has not made bob's link";
  EXPECT_EQ(proof_of(renew(ann_.record, Renewal::kLink, false)), AddressProof::kLetter)
      << "an administrator with a token for calendars";
  const IssuedInvitation again = renew(ann_.record, Renewal::kLink, true);
  renew(ann_.record, Renewal::kLetter, true);
  EXPECT_EQ(proof_of(again), std::nullopt);
  renew(bob, Renewal::kLetter, false);
  EXPECT_EQ(proof_of(again), AddressProof::kLetter) << "the invitation is bob's now";
}

TEST_F(JoiningTest, AnAdministratorWhoIsNoneAnyMoreVouchesForNobody) {
  const auto boss = Add({.email = "boss@example.org", .role = Role::kAdmin});
  const IssuedInvitation issued = Invite(boss.record, "new@example.org");
  EXPECT_EQ(room_.joining.Look({}, From("192.0.2.1"), SecretOf(issued))->proof, std::nullopt);
  Change(boss, {.role = Role::kUser});
  EXPECT_EQ(room_.joining.Look({}, From("192.0.2.1"), SecretOf(issued))->proof,
            AddressProof::kLetter);
}

TEST_F(JoiningTest, ANewLinkBeginsAnewAndNobodyWaitsAnyMore) {
  const IssuedInvitation issued = Invite(ann_.record, "");
  for (unsigned i = 0; i < kRequestsMax; ++i) {
    ASSERT_THAT(Join(Form(SecretOf(issued), "n" + std::to_string(i) + "@example.org")), IsOk());
  }
  const std::string letter = LastSecret();
  EXPECT_THAT(Join(Form(SecretOf(issued), "more@example.org")),
              FailsSaying(ErrorCode::kRefusedByState, "too often"));
  const auto renewed = room_.invitations.Renew({},
                                               {.actor = ActorFor(ann_.record),
                                                .org = ann_.record.org,
                                                .user = ann_.record,
                                                .base_url = "https://atrium.example.org"},
                                               issued.invitation.id, Invitations::Renewal::kLink);
  ASSERT_THAT(renewed, IsOk());
  EXPECT_EQ(renewed->invitation.state, InvitationState::kOpen);
  EXPECT_THAT(room_.applicants.Confirm({}, Stranger(), From("192.0.2.1"),
                                       {.token = letter, .password = testing::kPassword}),
              FailsWith(ErrorCode::kNotFound));
  EXPECT_EQ(CountRows(kApplicantTable), 0U);
  EXPECT_THAT(Join(Form(SecretOf(*renewed), "more@example.org")), IsOk());
  EXPECT_EQ(Defects(), 0U);
}

TEST_F(JoiningTest, AnOrganisationThatClosedTakesInNobodyWhoAskedBefore) {
  const IssuedInvitation issued = Invite(ann_.record, "");
  const auto joined = Join(Form(SecretOf(issued), "new@example.org"));
  ASSERT_THAT(joined, IsOk());
  const std::string letter = LastSecret();
  ASSERT_THAT(room_.organisations.Change(
                  {}, Operator(), room_.organisations.Load({}, DefaultOrg()).value(),
                  {.settings = std::map<std::string, std::string>{{"invitations.who", "closed"}}}),
              IsOk());
  EXPECT_THAT(room_.applicants.Confirm({}, Stranger(), From("192.0.2.1"),
                                       {.token = letter, .session = joined->opened.session.id}),
              FailsSaying(ErrorCode::kPermissionDenied, "decided meanwhile"));
}

TEST_F(JoiningTest, WhoWaitsHasNoAccountAndTheAddressStaysFree) {
  const IssuedInvitation issued = Invite(ann_.record, "");
  const auto joined = Join(Form(SecretOf(issued), "bob@example.org"));
  ASSERT_THAT(joined, IsOk());
  EXPECT_EQ(joined->awaits, AddressProof::kLetter);
  const auto nobody = room_.accounts.FindByEmail({}, "bob@example.org");
  ASSERT_THAT(nobody, IsOk());
  EXPECT_FALSE(nobody->has_value());
  const std::string letter = LastSecret();
  AddBob();
  EXPECT_THAT(room_.applicants.Confirm({}, Stranger(), From("192.0.2.1"),
                                       {.token = letter, .session = joined->opened.session.id}),
              FailsWith(ErrorCode::kAlreadyExists));
  EXPECT_EQ(Defects(), 0U);
}

TEST_F(JoiningTest, WhoWaitsTooLongIsForgotten) {
  const IssuedInvitation issued = Invite(ann_.record, "");
  const auto joined = Join(Form(SecretOf(issued), "new@example.org"));
  ASSERT_THAT(joined, IsOk());
  const std::string letter = LastSecret();
  clock_.Advance(kInvitationOpen);
  EXPECT_THAT(room_.applicants.OfSession({}, joined->opened.session.id),
              FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(room_.applicants.Confirm({}, Stranger(), From("192.0.2.1"),
                                       {.token = letter, .password = testing::kPassword}),
              FailsWith(ErrorCode::kNotFound));
}

TEST_F(JoiningTest, GuessesAtThePasswordBehindALetterAreCounted) {
  const IssuedInvitation issued = Invite(ann_.record, "");
  ASSERT_THAT(Join(Form(SecretOf(issued), "new@example.org")), IsOk());
  const std::string letter = LastSecret();
  ErrorCode last = ErrorCode::kInternal;
  for (int i = 0; i < 8; ++i) {
    const auto tried = room_.applicants.Confirm({}, Stranger(), From("192.0.2.1"),
                                                {.token = letter, .password = "a wrong guess"});
    last = tried ? ErrorCode::kInternal : tried.error().code;
  }
  EXPECT_EQ(last, ErrorCode::kRateLimited);
}

TEST_F(JoiningTest, WhoTakesTheSecondFactorUpSignsInWithIt) {
  const IssuedInvitation issued = Invite(ann_.record, "");
  ASSERT_THAT(
      room_.organisations.Change(
          {}, Operator(), room_.organisations.Load({}, DefaultOrg()).value(),
          {.settings = std::map<std::string, std::string>{{"invitations.proof", "approval"}}}),
      IsOk());
  const auto joined = Join(Form(SecretOf(issued), "new@example.org"));
  ASSERT_THAT(joined, IsOk());
  EXPECT_EQ(joined->awaits, AddressProof::kApproval);
  const std::string& session = joined->opened.session.id;
  const auto applicant = room_.applicants.OfSession({}, session);
  ASSERT_THAT(applicant, IsOk());
  const auto user =
      room_.applicants.Approve({}, Operator(), applicant->record.id, "https://atrium.example.org");
  ASSERT_THAT(user, IsOk());
  ASSERT_THAT(room_.sessions.EndAll({}, Operator(), user->id), IsOk());
  EXPECT_THAT(room_.applicants.Enter({}, Stranger(), session),
              FailsWith(ErrorCode::kRefusedByState));
}

}  // namespace
}  // namespace atrium::identity
