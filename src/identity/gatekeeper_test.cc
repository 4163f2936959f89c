// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/gatekeeper.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "api/request_warrant.h"
#include "base/base64.h"
#include "base/testing.h"
#include "identity/room_testing.h"

namespace atrium::identity {
namespace {

using http::Method;
using http::Scheme;
using ::testing::IsNull;
using testing::Knock;
using testing::WithBearer;
using Carrier = Presented::Carrier;
using Headers = std::vector<std::pair<std::string, std::string>>;

std::string Basic(const std::string& pair) {
  return "Basic " + EncodeBase64(pair);
}

TEST(FindSecretTest, KnowsEveryCarrierInItsOrder) {
  const auto header = [](std::string secret) {
    return Presented{.carrier = Carrier::kHeader, .secret = std::move(secret)};
  };
  const auto basic = [](std::string user_name, std::string secret) {
    return Presented{
        .carrier = Carrier::kBasic, .secret = std::move(secret), .user_name = std::move(user_name)};
  };
  const std::vector<std::pair<Headers, Presented>> rows{
      {{}, {}},
      {{{"Cookie", "other=1"}}, {}},
      {{{"Authorization", "Bearer abc"}}, header("abc")},
      {{{"authorization", "bearer   abc  "}}, header("abc")},
      {{{"Authorization", "Token abc"}}, header("abc")},
      {{{"Authorization", Basic("bob:abc")}}, basic("bob", "abc")},
      {{{"Authorization", Basic("bob:a:c")}}, basic("bob", "a:c")},
      {{{"Authorization", Basic(":")}}, basic("", "")},
      {{{"X-Session-Id", " abc "}}, header("abc")},
      {{{"Cookie", "a=1; __Host-session=abc; b=2"}},
       {.carrier = Carrier::kCookie, .secret = "abc"}},
      {{{"Cookie", "__Host-session=c"}, {"X-Session-Id", "x"}}, header("x")},
      {{{"Cookie", "__Host-session=c"}, {"X-Session-Id", "x"}, {"Authorization", "Token t"}},
       header("t")},
  };
  for (const auto& [headers, wanted] : rows) {
    const Knock knock{.headers = headers};
    const auto found = FindSecret(knock.Request());
    ASSERT_THAT(found, IsOk()) << wanted.secret;
    EXPECT_EQ(found->carrier, wanted.carrier) << wanted.secret;
    EXPECT_EQ(found->secret, wanted.secret);
    EXPECT_EQ(found->user_name, wanted.user_name);
  }
}

TEST(FindSecretTest, AMalformedAuthorizationIsRefusedAndNotPassedOver) {
  for (const std::string header :
       {"", "Bearer", "Bearer ", "Digest abc", "abc", "Basic !!!", "Basic", "Bearer\tabc"}) {
    const Knock knock{.headers = {{"Authorization", header}, {"Cookie", "__Host-session=abc"}}};
    EXPECT_THAT(FindSecret(knock.Request()), FailsWith(ErrorCode::kUnauthenticated)) << header;
  }
  const Knock no_colon{.headers = {{"Authorization", Basic("bob")}}};
  EXPECT_THAT(FindSecret(no_colon.Request()), FailsWith(ErrorCode::kUnauthenticated));
}

TEST(MayBeForgedTest, AsksWhereAnUnsafeRequestComesFrom) {
  const std::vector<std::pair<Headers, bool>> rows{
      {{}, true},
      {{{"X-Requested-With", "script"}}, false},
      {{{"Sec-Fetch-Site", "same-origin"}}, false},
      {{{"Sec-Fetch-Site", "none"}}, false},
      {{{"Sec-Fetch-Site", "same-site"}}, true},
      {{{"Sec-Fetch-Site", "cross-site"}}, true},
      {{{"Sec-Fetch-Site", "cross-site"}, {"X-Requested-With", "script"}}, true},
      {{{"Sec-Fetch-Site", "cross-site"}, {"Origin", "https://atrium.example.org"}}, true},
      {{{"Origin", "https://atrium.example.org"}}, false},
      {{{"Origin", "https://ATRIUM.example.org"}}, false},
      {{{"Origin", "http://atrium.example.org"}}, true},
      {{{"Origin", "https://atrium.example.org:8443"}}, true},
      {{{"Origin", "https://evil.example"}}, true},
      {{{"Origin", "null"}}, true},
      {{{"Origin", "null"}, {"X-Requested-With", "script"}}, true},
      {{{"Origin", ""}}, true},
  };
  for (const auto& [headers, forged] : rows) {
    for (const Method method : {Method::kPost, Method::kPut, Method::kPatch, Method::kDelete}) {
      const Knock knock{.headers = headers, .method = method};
      EXPECT_EQ(MayBeForged(knock.Request()), forged) << (headers.empty() ? "" : headers[0].second);
    }
    const Knock safe{.headers = headers, .method = Method::kGet};
    EXPECT_FALSE(MayBeForged(safe.Request()));
  }
}

TEST(MayBeForgedTest, TheOriginHasTheSchemeOfTheRequest) {
  const Knock plain{.headers = {{"Origin", "http://atrium.example.org"}},
                    .method = Method::kPost,
                    .scheme = Scheme::kHttp};
  EXPECT_FALSE(MayBeForged(plain.Request()));
}

TEST(FindSecretTest, OnlyTheCookieThatFitsTheSchemeIsBelieved) {
  const auto find = [](const std::string& cookie, Scheme scheme) {
    const Knock knock{.headers = {{"Cookie", cookie}}, .scheme = scheme};
    return FindSecret(knock.Request()).value().secret;
  };
  EXPECT_EQ(find("session=planted; __Host-session=own", Scheme::kHttps), "own");
  EXPECT_EQ(find("session=planted", Scheme::kHttps), "");
  EXPECT_EQ(find("session=own; __Host-session=other", Scheme::kHttp), "own");
  EXPECT_EQ(find("__Host-session=other", Scheme::kHttp), "");
}

class GatekeeperTest : public testing::RoomTest {
 protected:
  Knock WithCookie(const std::string& secret, Method method = Method::kGet) {
    return {.headers = {{"Cookie", "__Host-session=" + secret}}, .method = method};
  }
  Knock WithBasic(const std::string& user, const std::string& secret) {
    return {.headers = {{"Authorization", Basic(user + ":" + secret)}}};
  }
  OrgId AddNorth() {
    return room_.organisations
        .Create({}, Operator(), {.name = "North", .hosts = {"north.example.org"}})
        .value()
        .record.id;
  }

  const store::Stored<User> bob_ = Add({.email = "bob@example.org"});
};

TEST_F(GatekeeperTest, WithoutACredentialThereIsNobody) {
  EXPECT_THAT(Identify({}), Holds(IsNull()));
}

TEST_F(GatekeeperTest, TheControlSocketIsTheOperators) {
  const auto caller = Identify({.origin = http::Origin::kControlSocket}).value();
  EXPECT_TRUE(caller->IsOperator());
  EXPECT_EQ(caller->org, DefaultOrg());
  EXPECT_EQ(caller->role, Role::kSuperadmin);
  EXPECT_EQ(caller->label, "operator");
}

TEST_F(GatekeeperTest, ASessionIsAllOfItsPerson) {
  const OpenedSession opened = OpenSession(bob_);
  for (const Knock& knock : {WithBearer(opened.secret), WithCookie(opened.secret),
                             Knock{.headers = {{"X-Session-Id", opened.secret}}},
                             Knock{.headers = {{"Authorization", "Token " + opened.secret}}}}) {
    const auto caller = Identify(knock);
    ASSERT_THAT(caller, IsOk());
    EXPECT_EQ((*caller)->user, bob_.record.id);
    EXPECT_EQ((*caller)->label, "bob@example.org");
    EXPECT_EQ((*caller)->scopes, api::Scopes::All());
    EXPECT_EQ((*caller)->credential, api::Credential::kSession);
    EXPECT_EQ((*caller)->credential_id, opened.session.id);
  }
  EXPECT_THAT(Identify(WithBasic("bob@example.org", opened.secret)),
              FailsWith(ErrorCode::kUnauthenticated));
}

TEST_F(GatekeeperTest, ATokenIsWhatItWasMadeFor) {
  const std::vector<std::pair<TokenType, api::Credential>> types{
      {TokenType::kApi, api::Credential::kApiToken},
      {TokenType::kPersonal, api::Credential::kPersonalToken},
      {TokenType::kAppPassword, api::Credential::kAppPassword}};
  for (const auto& [type, credential] : types) {
    const MadeToken made = MakeToken(
        bob_, {.name = "x", .type = type, .scopes = std::vector<std::string>{"calendars:read"}});
    const auto caller = Identify(WithBasic("BOB@example.org", made.secret));
    ASSERT_THAT(caller, IsOk());
    EXPECT_EQ((*caller)->credential, credential);
    EXPECT_EQ((*caller)->credential_id, made.token.id);
    EXPECT_EQ((*caller)->scopes, api::Scopes::Parse({"calendars:read"}).value());
    EXPECT_THAT(Identify(WithBearer(made.secret)), IsOk());
    EXPECT_THAT(Identify(WithCookie(made.secret)), FailsWith(ErrorCode::kUnauthenticated));
    EXPECT_THAT(Identify(WithBasic("ann@example.org", made.secret)),
                FailsWith(ErrorCode::kUnauthenticated));
    EXPECT_THAT(Identify(WithBasic("", made.secret)), FailsWith(ErrorCode::kUnauthenticated));
  }
}

TEST_F(GatekeeperTest, ACookieProvesNothingWhenItMayBeForged) {
  const OpenedSession opened = OpenSession(bob_);
  Knock knock = WithCookie(opened.secret, Method::kPost);
  EXPECT_THAT(Identify(knock), FailsWith(ErrorCode::kPermissionDenied));
  knock.headers.emplace_back("Sec-Fetch-Site", "same-origin");
  EXPECT_THAT(Identify(knock), IsOk());
  Knock bearer = WithBearer(opened.secret);
  bearer.method = Method::kPost;
  EXPECT_THAT(Identify(bearer), IsOk());
}

TEST_F(GatekeeperTest, WhatNeverWasASecretIsRefused) {
  const std::string unknown = "ats_" + std::string(43, 'A');
  for (const std::string& secret :
       {unknown, "atp_" + std::string(43, 'A'), std::string(40, 'a'),
        std::string("aaaaa-aaaaa-aaaaa-aaaaa"), std::string("x"), std::string("ats_")}) {
    EXPECT_THAT(Identify(WithBearer(secret)), FailsWith(ErrorCode::kUnauthenticated)) << secret;
  }
  EXPECT_THAT(Identify({.headers = {{"X-Session-Id", ""}}}),
              FailsWith(ErrorCode::kUnauthenticated));
}

TEST_F(GatekeeperTest, CredentialsAreGoodAtTheHostsOfTheirOrganisation) {
  const OrgId north = AddNorth();
  const auto eve = Add({.email = "eve@example.org"}, north);
  const OpenedSession of_eve = OpenSession(eve);
  const OpenedSession of_bob = OpenSession(bob_);
  const MadeToken token = MakeToken(eve, {.name = "x"});
  Knock knock = WithBearer(of_eve.secret);
  EXPECT_THAT(Identify(knock), FailsWith(ErrorCode::kUnauthenticated));
  knock.host = "NORTH.example.org:8443";
  EXPECT_THAT(Identify(knock), IsOk());
  Knock with_token = WithBearer(token.secret);
  EXPECT_THAT(Identify(with_token), FailsWith(ErrorCode::kUnauthenticated));
  with_token.host = "north.example.org";
  EXPECT_THAT(Identify(with_token), IsOk());
  Knock elsewhere = WithBearer(of_bob.secret);
  elsewhere.host = "north.example.org";
  EXPECT_THAT(Identify(elsewhere), FailsWith(ErrorCode::kUnauthenticated));
}

TEST_F(GatekeeperTest, ASuperadminIsKnownAtEveryHost) {
  AddNorth();
  Knock knock = WithBearer(OpenSession(ann_).secret);
  knock.host = "north.example.org";
  EXPECT_EQ(Identify(knock).value()->org, DefaultOrg());
}

TEST_F(GatekeeperTest, AGuestStaysAtTheirOrganisation) {
  const OrgId north = AddNorth();
  store::Batch batch;
  const OpenedSession opened = room_.sessions.OpenForGuest(
      batch, Stranger(), {.org = north, .name = "Gus", .group = "hikers"});
  ASSERT_THAT(store_.Commit({}, std::move(batch)), IsOk());
  Knock knock = WithBearer(opened.secret);
  EXPECT_THAT(Identify(knock), FailsWith(ErrorCode::kUnauthenticated));
  knock.host = "north.example.org";
  EXPECT_EQ(Identify(knock).value()->MemberKey(), "guest:" + opened.session.id);
}

TEST_F(GatekeeperTest, ARoleIsThatOfNowAndNotOfThen) {
  const OpenedSession opened = OpenSession(bob_);
  Change(bob_, {.role = Role::kReadonly});
  EXPECT_EQ(Identify(WithBearer(opened.secret)).value()->role, Role::kReadonly);
}

TEST_F(GatekeeperTest, LooksWhetherTheServerIsSetUp) {
  FixedClock clock{clock_.Now()};
  engines::MemoryEngine engine(clock);
  store::Store empty(engine, clock);
  Identity fresh({.ground = {.store = empty, .clock = clock, .ids = ids_},
                  .outbox = outbox_,
                  .sender = network_,
                  .box = box_},
                 {});
  ASSERT_THAT(fresh.Prepare(), IsOk());
  EXPECT_FALSE(fresh.gatekeeper.IsSetUp());
  Identity again({.ground = {.store = store_, .clock = clock_, .ids = ids_},
                  .outbox = outbox_,
                  .sender = network_,
                  .box = box_},
                 {});
  ASSERT_THAT(again.Prepare(), IsOk());
  EXPECT_TRUE(again.gatekeeper.IsSetUp());
}

class RecallTest : public testing::RoomTest {
 protected:
  api::CredentialRef RefOf(const std::string& secret) {
    return Identify(WithBearer(secret)).value()->Ref();
  }
  Result<void> Recall(const api::CredentialRef& ref,
                      http::Staleness allowed = http::Staleness::kNone) {
    RETURN_IF_ERROR(room_.gatekeeper.Recall({}, ref, allowed));
    return {};
  }

  const store::Stored<User> bob_ = AddBob();
};

TEST_F(RecallTest, ACredentialIsKnownByItsNameUntilItEnds) {
  const OpenedSession session = OpenSession(bob_);
  const MadeToken made = MakeToken(bob_, {.name = "x"});
  const api::CredentialRef by_session = RefOf(session.secret);
  const api::CredentialRef by_token = RefOf(made.secret);
  EXPECT_THAT(Recall(by_session), IsOk());
  EXPECT_THAT(Recall(by_token), IsOk());
  ASSERT_THAT(room_.sessions.EndBySecret({}, ActorFor(bob_.record), session.secret), IsOk());
  EXPECT_THAT(Recall(by_session), FailsWith(ErrorCode::kUnauthenticated));
  EXPECT_THAT(Recall(by_token), IsOk());
  ASSERT_THAT(room_.tokens.End({}, ActorFor(bob_.record), bob_.record, made.token.id), IsOk());
  EXPECT_THAT(Recall(by_token), FailsWith(ErrorCode::kUnauthenticated));
}

TEST_F(RecallTest, AGuestIsKnownTooUntilTheSessionEnds) {
  store::Batch batch;
  const OpenedSession opened = room_.sessions.OpenForGuest(
      batch, Stranger(), {.org = DefaultOrg(), .name = "Gus", .group = "hikers"});
  ASSERT_THAT(store_.Commit({}, std::move(batch)), IsOk());
  const api::CredentialRef ref = RefOf(opened.secret);
  EXPECT_THAT(Recall(ref), IsOk());
  clock_.Advance(std::chrono::minutes(30));
  EXPECT_THAT(Recall(ref), FailsWith(ErrorCode::kUnauthenticated));
}

TEST_F(RecallTest, WhatAnotherServerEndedIsNoticedAtOnceBeforeAWriteAndSoonInAStream) {
  const OpenedSession session = OpenSession(bob_);
  const api::CredentialRef ref = RefOf(session.secret);
  ASSERT_THAT(Recall(ref, http::Staleness::kMoment), IsOk());
  store::Store other(engine_, clock_);
  Identity elsewhere({.ground = {.store = other, .clock = clock_, .ids = ids_},
                      .outbox = outbox_,
                      .sender = network_,
                      .box = box_},
                     {});
  ASSERT_THAT(elsewhere.sessions.EndAll({}, ActorFor(bob_.record), bob_.record.id), IsOk());
  EXPECT_THAT(Recall(ref, http::Staleness::kNone), FailsWith(ErrorCode::kUnauthenticated));
  clock_.Advance(std::chrono::milliseconds(500));
  EXPECT_THAT(Recall(ref, http::Staleness::kMoment), FailsWith(ErrorCode::kUnauthenticated));
}

TEST_F(RecallTest, NothingIsCommittedForWhoseCredentialAnotherServerEnded) {
  const OpenedSession session = OpenSession(bob_);
  http::Request request{.method = http::Method::kPost};
  request.principal = Identify(WithBearer(session.secret)).value();
  const api::RequestWarrant warrant(room_.Rules().Self(), request);
  const auto write = [&] {
    store::Batch batch;
    batch.Create(HostNames(), HostName{.host = "north.example.org", .org = DefaultOrg()});
    return store_.Commit({.warrant = &warrant}, std::move(batch));
  };
  store::Store other(engine_, clock_);
  Identity elsewhere({.ground = {.store = other, .clock = clock_, .ids = ids_},
                      .outbox = outbox_,
                      .sender = network_,
                      .box = box_},
                     {});
  ASSERT_THAT(elsewhere.sessions.End({}, ActorFor(bob_.record), bob_.record, session.session.id),
              IsOk());
  EXPECT_THAT(write(), FailsWith(ErrorCode::kUnauthenticated));
  EXPECT_EQ(CountRows(kHostTable), 0U);
}

TEST_F(RecallTest, ADeviceThatSignsInAgainKeepsItsName) {
  const NewToken wanted{.name = "laptop (1)", .type = TokenType::kApi};
  const auto sign_in = [&] {
    store::Batch batch;
    const MadeToken made =
        room_.tokens.MakeForDevice({}, batch, ActorFor(bob_.record), Reload(bob_).record, wanted)
            .value();
    EXPECT_THAT(store_.Commit({}, std::move(batch)), IsOk());
    return made;
  };
  const MadeToken first = sign_in();
  const api::CredentialRef ref = RefOf(first.secret);
  const MadeToken second = sign_in();
  EXPECT_THAT(Identify(WithBearer(first.secret)), FailsWith(ErrorCode::kUnauthenticated));
  EXPECT_EQ(RefOf(second.secret), ref);
  EXPECT_THAT(Recall(ref), IsOk());
  ASSERT_THAT(room_.sessions.EndAll({}, ActorFor(bob_.record), bob_.record.id), IsOk());
  EXPECT_THAT(Recall(ref), FailsWith(ErrorCode::kUnauthenticated));
  EXPECT_THAT(room_.tokens.List({}, Reload(bob_).record).value(), ::testing::IsEmpty());
  EXPECT_EQ(Defects(), 0U);
}

}  // namespace
}  // namespace atrium::identity
