// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/provider_sign_in.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/id_source.h"
#include "base/instant.h"
#include "base/sealed_box.h"
#include "base/testing.h"
#include "engines/memory/engine.h"
#include "identity/accounts.h"
#include "identity/admission.h"
#include "identity/applicants.h"
#include "identity/attempts.h"
#include "identity/invitations.h"
#include "identity/joining.h"
#include "identity/keys.h"
#include "identity/organisation_invitations.h"
#include "identity/organisations.h"
#include "identity/password_hash.h"
#include "identity/session_service.h"
#include "mail/outbox.h"
#include "oidc/provider_testing.h"
#include "store/batch.h"
#include "store/store.h"

namespace atrium::identity {
namespace {

using oidc::kTestIssuer;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr std::int64_t kNow = 1'794'744'000;

/// What the provider says of somebody.
struct Said {
  std::string subject = "7";
  std::string email = "ann@example.org";
  std::string verified = "true";
  /// Empty: the one that was asked for.
  std::string nonce{};
  /// How long ago they signed in there; nullopt: it does not say.
  std::optional<std::chrono::seconds> signed_in_before{};
};

/// The value of a member of the query.
std::string FromUrl(const std::string& url, const std::string& name) {
  const std::size_t start = url.find(name + "=") + name.size() + 1;
  return url.substr(start, url.find('&', start) - start);
}

SealedBox MakeBox() {
  return SealedBox(KeyRing::Make({{.id = "one", .bytes = {}}}).value());
}

class ProviderSignInTest : public ::testing::Test {
 protected:
  ProviderSignInTest() {
    elsewhere_.PutKeys({&key_});
    EXPECT_THAT(accounts_.CreateFirst(op_, admin_, {.user = {.email = "root@example.org"}}),
                IsOk());
    Enter({});
  }

  /// What tests vary of the one provider.
  struct Kind {
    bool trusted = true;
    bool creates_users = true;
  };

  void Enter(const Kind& kind) {
    NewProvider provider = home_;
    provider.trusted = kind.trusted;
    provider.creates_users = kind.creates_users;
    EXPECT_THAT(service_.Put(op_, admin_, DefaultOrg(), provider), IsOk());
  }

  Departure Leave(const std::optional<UserId>& links_to = std::nullopt,
                  const std::string& return_to = "/calendar") {
    return service_
        .Begin(op_, {.org = DefaultOrg(),
                     .provider = "home",
                     .redirect_uri = "https://a/auth/home/callback",
                     .return_to = return_to,
                     .links_to = links_to})
        .value();
  }

  static std::string AuthTime(const Said& said, std::int64_t now) {
    return said.signed_in_before
               ? R"(,"auth_time":)" + std::to_string(now - said.signed_in_before->count())
               : "";
  }

  /// Lays out what the provider answers to the next exchange.
  void Issue(const Departure& departure, const Said& said) {
    const std::string nonce = said.nonce.empty() ? FromUrl(departure.url, "nonce") : said.nonce;
    const std::int64_t now = clock_.Now().time_since_epoch().count() / 1000;
    const std::string payload =
        R"({"iss":"https://id.example","aud":"atrium","name":"Ann","sub":")" + said.subject +
        R"(","email":")" + said.email + R"(","email_verified":)" + said.verified + R"(,"exp":)" +
        std::to_string(now + 300) + R"(,"iat":)" + std::to_string(now) + AuthTime(said, now) +
        R"(,"nonce":")" + nonce + "\"}";
    elsewhere_.Put("https://id.example/token",
                   R"({"access_token":"t","id_token":")" + key_.Sign("ES256", payload) + R"("})");
  }

  static Arrival Back(const Departure& departure) {
    return {.org = DefaultOrg(),
            .provider = "home",
            .state = FromUrl(departure.url, "state"),
            .code = "c0de",
            .browser_secret = departure.browser_secret};
  }

  Result<Arrived> Arrive(const Departure& departure, const Said& said = {}) {
    Issue(departure, said);
    return service_.Finish(op_, {}, Back(departure));
  }

  Result<Arrived> SignIn(const Said& said = {}) { return Arrive(Leave(), said); }

  /// Goes to the provider in order to prove who one is, in a session that has proved nothing.
  Result<Arrived> Prove(const Session& session, const Said& said) {
    const Departure departure = service_
                                    .Begin(op_, {.org = DefaultOrg(),
                                                 .provider = "home",
                                                 .redirect_uri = "https://a/auth/home/callback",
                                                 .proves = RefOf(session)})
                                    .value();
    EXPECT_THAT(departure.url, AllOf(HasSubstr("prompt=login"), HasSubstr("max_age=0")));
    return Arrive(departure, said);
  }
  static api::CredentialRef RefOf(const Session& session) {
    return {.kind = api::Credential::kSession, .id = session.id, .user = session.user};
  }
  std::optional<Instant> ProvedAt(const Session& session) {
    return FindSession(store_, op_, *session.user, session.id).value().value().record.proved_at;
  }

  /// The id of an invitation by somebody of the organisation.
  std::string Invite(const std::string& email) {
    const User host = MakeUser("host@example.org").record;
    store::Batch batch;
    const auto issued = invitations_.Add(
        op_, batch, {.actor = admin_, .org = DefaultOrg(), .user = host, .base_url = "https://a"},
        {.email = email, .target = {.kind = "organisation", .return_to = "/"}});
    EXPECT_THAT(issued, IsOk());
    EXPECT_THAT(store_.Commit(op_, std::move(batch)), IsOk());
    return issued ? issued->invitation.id : "";
  }
  Result<Arrived> ComeInvited(const std::string& invitation, Carrier carrier,
                              const Said& said = {}) {
    const auto departure = service_.Begin(
        op_, {.org = DefaultOrg(),
              .provider = "home",
              .redirect_uri = "https://a/auth/home/callback",
              .return_to = "/calendar",
              .ticket = Joining::Ticket{
                  .invitation = invitation, .carrier = carrier, .return_to = "/calendar"}});
    return Arrive(departure.value(), said);
  }

  store::Stored<User> MakeUser(const std::string& email, Role role = Role::kUser) {
    return accounts_.Create(op_, admin_, DefaultOrg(), {.email = email, .role = role}).value();
  }

  std::vector<ExternalIdentity> LinkedTo(const UserId& user) {
    return service_.ListLinked(op_, user).value();
  }

  std::string Audit() { return ReadAudit(store_, op_, {.org = DefaultOrg()}).value().lines; }

  oidc::TestKey key_ = oidc::TestKey::Ec("one");
  oidc::FakeProvider elsewhere_;
  FixedClock clock_{Instant(std::chrono::seconds(kNow))};
  engines::MemoryEngine engine_{clock_};
  store::Store store_{engine_, clock_};
  store::OpContext op_{};
  SystemIdSource ids_{clock_};
  Ground ground_{.store = store_, .clock = clock_, .ids = ids_};
  PasswordHasher hasher_{{.memory_kib = 64, .iterations = 1}};
  Accounts accounts_{ground_, hasher_};
  SessionService sessions_{ground_, {}};
  SealedBox box_ = MakeBox();
  mail::Outbox outbox_{store_, clock_, ids_, {}};
  Organisations organisations_{ground_};
  GuessLimits limits_{ground_};
  Invitations invitations_{ground_,
                           {.organisations = organisations_,
                            .accounts = accounts_,
                            .limits = limits_,
                            .outbox = outbox_}};
  const OrganisationInvitations organisation_invitations_{organisations_};
  Admission admission_{
      ground_,
      {.accounts = accounts_, .organisations = organisations_, .invitations = invitations_}};
  Applicants applicants_{ground_,
                         {.accounts = accounts_,
                          .organisations = organisations_,
                          .sessions = sessions_,
                          .limits = limits_,
                          .hasher = hasher_,
                          .outbox = outbox_,
                          .invitations = invitations_,
                          .admission = admission_}};
  Joining joining_{ground_,
                   {.accounts = accounts_,
                    .organisations = organisations_,
                    .sessions = sessions_,
                    .limits = limits_,
                    .invitations = invitations_,
                    .admission = admission_,
                    .applicants = applicants_}};
  ProviderSignIn service_{ground_,
                          {.accounts = accounts_,
                           .sessions = sessions_,
                           .joining = joining_,
                           .sender = elsewhere_,
                           .box = box_}};
  const Actor admin_{
      .name = "user:admin", .role = Role::kSuperadmin, .org = DefaultOrg(), .is_operator = true};
  const NewProvider home_{.id = "home",
                          .name = "Home",
                          .issuer = std::string(kTestIssuer),
                          .client_id = "atrium",
                          .client_secret = "s3cret"};
};

TEST_F(ProviderSignInTest, WhoWasInvitedGetsAnAccountThoughTheProviderMakesNone) {
  invitations_.Plug("organisation", organisation_invitations_);
  ASSERT_THAT(service_.Put(op_, admin_, DefaultOrg(), home_), IsOk());
  EXPECT_THAT(SignIn(), FailsWith(ErrorCode::kPermissionDenied));
  const std::string invitation = Invite("");
  const auto arrived = ComeInvited(invitation, Carrier::kHand);
  ASSERT_THAT(arrived, IsOk());
  EXPECT_EQ(arrived->return_to, "/calendar");
  ASSERT_TRUE(arrived->opened.session.user.has_value());
  EXPECT_THAT(LinkedTo(*arrived->opened.session.user), SizeIs(1));
  EXPECT_EQ(invitations_.Load(op_, invitation).value().record.state, InvitationState::kAccepted);
  // Who is known by now comes back to the page of the invitation.
  const auto again = ComeInvited(invitation, Carrier::kHand);
  ASSERT_THAT(again, IsOk());
  EXPECT_EQ(again->return_to, "/join");
}

TEST_F(ProviderSignInTest, AnInvitationForAnotherAddressIsProvedByItsLetterAlone) {
  invitations_.Plug("organisation", organisation_invitations_);
  ASSERT_THAT(service_.Put(op_, admin_, DefaultOrg(), home_), IsOk());
  const std::string invitation = Invite("invited@example.org");
  EXPECT_THAT(ComeInvited(invitation, Carrier::kHand), FailsWith(ErrorCode::kPermissionDenied));
  const auto arrived = ComeInvited(invitation, Carrier::kMail);
  ASSERT_THAT(arrived, IsOk());
  EXPECT_EQ(accounts_.Load(op_, *arrived->opened.session.user).value().record.email,
            "invited@example.org");
}

TEST_F(ProviderSignInTest, SomebodyNewGetsAnAccountAndASession) {
  const Result<Arrived> arrived = SignIn();
  ASSERT_THAT(arrived, IsOk());
  EXPECT_EQ(arrived->return_to, "/calendar");
  EXPECT_THAT(arrived->opened.secret, StartsWith("ats_"));
  const auto user = accounts_.Load(op_, *arrived->opened.session.user);
  ASSERT_THAT(user, IsOk());
  EXPECT_EQ(user->record.email, "ann@example.org");
  EXPECT_EQ(user->record.role, Role::kUser);
  EXPECT_THAT(LinkedTo(user->record.id), ElementsAre(Field(&ExternalIdentity::subject, "7")));
  EXPECT_THAT(Audit(), AllOf(HasSubstr("user.created"), HasSubstr("identity.linked"),
                             HasSubstr("session.opened"), HasSubstr("provider.created")));
}

TEST_F(ProviderSignInTest, ASessionIsProvedAsOfTheSignInThere) {
  struct Case {
    std::optional<seconds> before{};
    std::optional<seconds> proved_before{};
  };
  // The first one makes the account, the others find it.
  for (const Case& one :
       {Case{}, Case{}, Case{.before = hours(1), .proved_before = hours(1)},
        Case{.before = seconds(5), .proved_before = seconds(5)},
        Case{.before = seconds(-30), .proved_before = seconds(0)}, Case{.before = hours(-2)}}) {
    const Result<Arrived> arrived = SignIn({.signed_in_before = one.before});
    ASSERT_THAT(arrived, IsOk());
    const auto expected =
        one.proved_before ? std::optional(clock_.Now() - *one.proved_before) : std::nullopt;
    EXPECT_EQ(ProvedAt(arrived->opened.session), expected);
  }
}

TEST_F(ProviderSignInTest, WhoIsKnownByTheirAddressOrWasInvitedHasProvedNothingEither) {
  invitations_.Plug("organisation", organisation_invitations_);
  const auto invited = ComeInvited(Invite(""), Carrier::kHand, {.subject = "8"});
  ASSERT_THAT(invited, IsOk());
  EXPECT_EQ(ProvedAt(invited->opened.session), std::nullopt);
  MakeUser("cat@example.org");
  const auto by_address = SignIn({.subject = "9", .email = "cat@example.org"});
  ASSERT_THAT(by_address, IsOk());
  EXPECT_EQ(ProvedAt(by_address->opened.session), std::nullopt);
}

TEST_F(ProviderSignInTest, WhoGoesThereToProveWhoTheyAreMustHaveSignedInJustNow) {
  const Session session = SignIn().value().opened.session;
  EXPECT_THAT(Prove(session, {.signed_in_before = hours(1)}),
              FailsSaying(ErrorCode::kPermissionDenied, "does not prove"));
  EXPECT_THAT(Prove(session, {.signed_in_before = hours(-2)}),
              FailsSaying(ErrorCode::kPermissionDenied, "does not prove"));
  EXPECT_THAT(Prove(session, {.subject = "8", .signed_in_before = seconds(1)}),
              FailsSaying(ErrorCode::kPermissionDenied, "does not prove"));
  EXPECT_EQ(ProvedAt(session), std::nullopt);
  ASSERT_THAT(Prove(session, {.signed_in_before = minutes(2)}), IsOk());
  EXPECT_EQ(ProvedAt(session), clock_.Now() - minutes(2));
}

TEST_F(ProviderSignInTest, AProviderThatDoesNotSayWhenIsTrustedToHaveAsked) {
  const Session session = SignIn().value().opened.session;
  ASSERT_THAT(Prove(session, {}), IsOk());
  EXPECT_EQ(ProvedAt(session), clock_.Now());
}

TEST_F(ProviderSignInTest, TheSamePersonIsKnownBySubjectWhateverTheirAddressIsNow) {
  const Result<Arrived> first = SignIn();
  ASSERT_THAT(first, IsOk());
  const Result<Arrived> second = SignIn({.email = "renamed@example.org", .verified = "false"});
  ASSERT_THAT(second, IsOk());
  EXPECT_EQ(second->opened.session.user, first->opened.session.user);
}

TEST_F(ProviderSignInTest, ATrustedProviderLinksAVerifiedAddress) {
  const auto ann = MakeUser("ann@example.org", Role::kAdmin);
  const Result<Arrived> arrived = SignIn();
  ASSERT_THAT(arrived, IsOk());
  EXPECT_EQ(arrived->opened.session.user, ann.record.id);
  EXPECT_THAT(accounts_.Load(op_, ann.record.id),
              Holds(Field(&store::Stored<User>::record, Field(&User::role, Role::kAdmin))));
}

TEST_F(ProviderSignInTest, AnAddressThatIsNotVerifiedLinksNothing) {
  const auto ann = MakeUser("ann@example.org");
  EXPECT_THAT(SignIn({.verified = "false"}),
              FailsSaying(ErrorCode::kPermissionDenied, "sign in to it first"));
  EXPECT_THAT(LinkedTo(ann.record.id), IsEmpty());
}

TEST_F(ProviderSignInTest, AProviderThatIsNotTrustedLinksNothing) {
  Enter({.trusted = false});
  MakeUser("ann@example.org");
  EXPECT_THAT(SignIn(), FailsSaying(ErrorCode::kPermissionDenied, "sign in to it first"));
}

TEST_F(ProviderSignInTest, ASuperadminIsNeverKnownByTheAddressAlone) {
  EXPECT_THAT(SignIn({.email = "root@example.org"}),
              FailsSaying(ErrorCode::kPermissionDenied, "sign in to it first"));
}

TEST_F(ProviderSignInTest, NobodyNewComesInWhereTheProviderMakesNoAccounts) {
  Enter({.creates_users = false});
  EXPECT_THAT(SignIn(), FailsWith(ErrorCode::kPermissionDenied));
  EXPECT_FALSE(accounts_.FindByEmail(op_, "ann@example.org").value().has_value());
}

TEST_F(ProviderSignInTest, NoAccountIsMadeForAnAddressThatIsNotVerified) {
  EXPECT_THAT(SignIn({.verified = "false"}),
              FailsSaying(ErrorCode::kPermissionDenied, "not verified"));
  EXPECT_THAT(SignIn({.email = "no address"}), FailsWith(ErrorCode::kPermissionDenied));
}

TEST_F(ProviderSignInTest, SomebodyDeactivatedStaysOut) {
  const Result<Arrived> first = SignIn();
  ASSERT_THAT(first, IsOk());
  const auto user = accounts_.Load(op_, *first->opened.session.user).value();
  ASSERT_THAT(accounts_.Change(op_, admin_, user, {.status = UserStatus::kDeactivated}), IsOk());
  EXPECT_THAT(SignIn(), FailsSaying(ErrorCode::kPermissionDenied, "deactivated"));
  EXPECT_THAT(SignIn({.subject = "8"}), FailsSaying(ErrorCode::kPermissionDenied, "deactivated"));
}

TEST_F(ProviderSignInTest, PeopleOfAnotherOrganisationStayOut) {
  const Result<Arrived> first = SignIn();
  ASSERT_THAT(first, IsOk());
  const auto other = Organisations(ground_).Create(op_, admin_, {.name = "Other"});
  ASSERT_THAT(other, IsOk());
  const OrgId org = other->record.id;
  ASSERT_THAT(service_.Put(op_, admin_, org, home_), IsOk());
  const Departure departure =
      service_.Begin(op_, {.org = org, .provider = "home", .redirect_uri = "https://b/cb"}).value();
  Issue(departure, {});
  Arrival arrival = Back(departure);
  arrival.org = org;
  EXPECT_THAT(service_.Finish(op_, {}, arrival),
              FailsSaying(ErrorCode::kPermissionDenied, "another organisation"));
}

TEST_F(ProviderSignInTest, AFlowIsUsedUpByItsFirstArrival) {
  const Departure departure = Leave();
  ASSERT_THAT(Arrive(departure), IsOk());
  EXPECT_THAT(Arrive(departure), FailsWith(ErrorCode::kUnauthenticated));
  EXPECT_THAT(elsewhere_.RequestsTo("https://id.example/token"), SizeIs(1));
}

TEST_F(ProviderSignInTest, AFlowIsUsedUpEvenWhenNothingCameOfIt) {
  const Departure departure = Leave();
  EXPECT_THAT(Arrive(departure, {.nonce = "another"}),
              FailsSaying(ErrorCode::kUnauthenticated, "nonce"));
  EXPECT_THAT(Arrive(departure), FailsSaying(ErrorCode::kUnauthenticated, "begin again"));
}

TEST_F(ProviderSignInTest, AnotherBrowserCannotFinish) {
  for (const std::string& secret : {std::string(), Leave().browser_secret}) {
    const Departure departure = Leave();
    Issue(departure, {});
    Arrival arrival = Back(departure);
    arrival.browser_secret = secret;
    EXPECT_THAT(service_.Finish(op_, {}, arrival),
                FailsSaying(ErrorCode::kUnauthenticated, "another browser"));
  }
  EXPECT_THAT(elsewhere_.RequestsTo("https://id.example/token"), IsEmpty());
}

TEST_F(ProviderSignInTest, AFlowOfAnotherProviderOrOrganisationIsRefused) {
  Arrival elsewhere = Back(Leave());
  elsewhere.provider = "other";
  EXPECT_THAT(service_.Finish(op_, {}, elsewhere), FailsWith(ErrorCode::kUnauthenticated));
  Arrival foreign = Back(Leave());
  foreign.org = OrgId(ids_.NewUuid());
  EXPECT_THAT(service_.Finish(op_, {}, foreign), FailsWith(ErrorCode::kUnauthenticated));
}

TEST_F(ProviderSignInTest, AFlowLastsTenMinutes) {
  const Departure in_time = Leave();
  const Departure late = Leave();
  clock_.Advance(kFlowLifetime - std::chrono::milliseconds(1));
  EXPECT_THAT(Arrive(in_time), IsOk());
  clock_.Advance(std::chrono::milliseconds(1));
  EXPECT_THAT(Arrive(late), FailsWith(ErrorCode::kUnauthenticated));
}

TEST_F(ProviderSignInTest, WhatTheProviderSaysInsteadOfACodeIsRepeatedOnlyIfItIsAWord) {
  Arrival declined = Back(Leave());
  declined.error = "access_denied";
  EXPECT_THAT(service_.Finish(op_, {}, declined),
              FailsSaying(ErrorCode::kUnauthenticated, "access_denied"));
  Arrival invented = Back(Leave());
  invented.error = "<b>call 555</b>";
  const Result<Arrived> refused = service_.Finish(op_, {}, invented);
  ASSERT_THAT(refused, FailsWith(ErrorCode::kUnauthenticated));
  EXPECT_THAT(refused.error().client_message, Not(HasSubstr("555")));
}

TEST_F(ProviderSignInTest, NobodyIsSentElsewhereAfterwards) {
  const Result<Arrived> arrived = Arrive(Leave(std::nullopt, "https://evil.example/"));
  ASSERT_THAT(arrived, IsOk());
  EXPECT_EQ(arrived->return_to, "/");
}

TEST_F(ProviderSignInTest, AProviderThatIsDownIsUnavailable) {
  const Departure departure = Leave();
  elsewhere_.GoDown();
  EXPECT_THAT(service_.Finish(op_, {}, Back(departure)), FailsWith(ErrorCode::kUnavailable));
}

TEST_F(ProviderSignInTest, AProviderThatSpeaksForAnotherCannotBeUsed) {
  elsewhere_.Put("https://id.example/.well-known/openid-configuration",
                 R"({"issuer":"https://other.example"})");
  EXPECT_THAT(service_.Begin(
                  op_, {.org = DefaultOrg(), .provider = "home", .redirect_uri = "https://a/cb"}),
              FailsSaying(ErrorCode::kUnavailable, "cannot be used"));
}

TEST_F(ProviderSignInTest, AnUnknownProviderIsNotFound) {
  EXPECT_THAT(service_.Begin(op_, {.org = DefaultOrg(), .provider = "nobody"}),
              FailsWith(ErrorCode::kNotFound));
}

TEST_F(ProviderSignInTest, SomebodySignedInAddsAnAccountOfAnyAddress) {
  Enter({.trusted = false, .creates_users = false});
  const auto ann = MakeUser("ann@example.org");
  const Result<Arrived> linked =
      Arrive(Leave(ann.record.id), {.email = "other@example.net", .verified = "false"});
  ASSERT_THAT(linked, IsOk());
  EXPECT_EQ(linked->opened.secret, "");
  EXPECT_THAT(LinkedTo(ann.record.id), SizeIs(1));
  EXPECT_THAT(Arrive(Leave(ann.record.id)), IsOk());
  EXPECT_THAT(LinkedTo(ann.record.id), SizeIs(1));
  const Result<Arrived> signed_in = SignIn();
  ASSERT_THAT(signed_in, IsOk());
  EXPECT_EQ(signed_in->opened.session.user, ann.record.id);
}

TEST_F(ProviderSignInTest, AnAccountElsewhereBelongsToOnePerson) {
  ASSERT_THAT(SignIn(), IsOk());
  const auto bob = MakeUser("bob@example.org");
  EXPECT_THAT(Arrive(Leave(bob.record.id)), FailsSaying(ErrorCode::kConflict, "somebody else"));
  EXPECT_THAT(LinkedTo(bob.record.id), IsEmpty());
}

TEST_F(ProviderSignInTest, EndingAllCredentialsEndsWhatWasBegunWithThem) {
  const auto ann = MakeUser("ann@example.org");
  const Departure before_logout = Leave(ann.record.id);
  ASSERT_THAT(sessions_.EndAll(op_, admin_, ann.record.id), IsOk());
  EXPECT_THAT(Arrive(before_logout), FailsWith(ErrorCode::kUnauthenticated));
  const Departure before_password = Leave(ann.record.id);
  ASSERT_THAT(accounts_.SetPassword(op_, admin_, accounts_.Load(op_, ann.record.id).value(),
                                    "a teapot made of rain"),
              IsOk());
  EXPECT_THAT(Arrive(before_password), FailsWith(ErrorCode::kUnauthenticated));
  EXPECT_THAT(LinkedTo(ann.record.id), IsEmpty());
}

TEST_F(ProviderSignInTest, TheLastWayInStays) {
  const Result<Arrived> arrived = SignIn();
  ASSERT_THAT(arrived, IsOk());
  const auto ann = accounts_.Load(op_, *arrived->opened.session.user).value();
  const std::string issuer(kTestIssuer);
  EXPECT_THAT(service_.Unlink(op_, admin_, ann.record, issuer, "7"),
              FailsSaying(ErrorCode::kConflict, "last way in"));
  ASSERT_THAT(Arrive(Leave(ann.record.id), {.subject = "8"}), IsOk());
  EXPECT_THAT(service_.Unlink(op_, admin_, ann.record, issuer, "7"), IsOk());
  EXPECT_THAT(service_.Unlink(op_, admin_, ann.record, issuer, "8"),
              FailsWith(ErrorCode::kConflict));
  ASSERT_THAT(accounts_.SetPassword(op_, admin_, ann, "a teapot made of rain"), IsOk());
  EXPECT_THAT(service_.Unlink(op_, admin_, ann.record, issuer, "8"), IsOk());
  EXPECT_THAT(LinkedTo(ann.record.id), IsEmpty());
  EXPECT_THAT(Audit(), HasSubstr("identity.unlinked"));
}

TEST_F(ProviderSignInTest, SomebodyElsesAccountIsNotUnlinked) {
  ASSERT_THAT(SignIn(), IsOk());
  const auto bob = MakeUser("bob@example.org");
  EXPECT_THAT(service_.Unlink(op_, admin_, bob.record, std::string(kTestIssuer), "7"),
              FailsWith(ErrorCode::kNotFound));
}

}  // namespace
}  // namespace atrium::identity
