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
#include "identity/keys.h"
#include "identity/organisations.h"
#include "identity/password_hash.h"
#include "identity/session_service.h"
#include "oidc/provider_testing.h"
#include "store/batch.h"
#include "store/store.h"

namespace atrium::identity {
namespace {

using oidc::kTestIssuer;
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

  /// Lays out what the provider answers to the next exchange.
  void Issue(const Departure& departure, const Said& said) {
    const std::string nonce = said.nonce.empty() ? FromUrl(departure.url, "nonce") : said.nonce;
    const std::int64_t now = clock_.Now().time_since_epoch().count() / 1000;
    const std::string payload =
        R"({"iss":"https://id.example","aud":"atrium","name":"Ann","sub":")" + said.subject +
        R"(","email":")" + said.email + R"(","email_verified":)" + said.verified + R"(,"exp":)" +
        std::to_string(now + 300) + R"(,"iat":)" + std::to_string(now) + R"(,"nonce":")" + nonce +
        "\"}";
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
  ProviderSignIn service_{
      ground_, {.accounts = accounts_, .sessions = sessions_, .sender = elsewhere_, .box = box_}};
  const Actor admin_{
      .name = "user:admin", .role = Role::kSuperadmin, .org = DefaultOrg(), .is_operator = true};
  const NewProvider home_{.id = "home",
                          .name = "Home",
                          .issuer = std::string(kTestIssuer),
                          .client_id = "atrium",
                          .client_secret = "s3cret"};
};

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
