// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/testing.h"
#include "egress/client.h"
#include "egress/client_testing.h"
#include "egress/loopback_testing.h"
#include "egress/message.h"
#include "egress/tls_testing.h"

namespace atrium::egress {
namespace {

using ::testing::Eq;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Optional;

ScriptedReply RedirectTo(const std::string& location, const std::string& status = "302 Found") {
  return Respond(status, {{.name = "Location", .value = location}});
}

class ClientGuardTest : public ClientFixture {
 protected:
  Client strict_{Options({}), clock_};
};

TEST_F(ClientGuardTest, LoopbackIsRefusedUnlessAllowed) {
  LoopbackServer server(Script({Respond("200 OK")}));
  EXPECT_THAT(strict_.Send({.url = server.Url()}),
              FailsSaying(ErrorCode::kPermissionDenied, "a loopback address"));
  EXPECT_EQ(server.ConnectionCount(), 0);
}

TEST_F(ClientGuardTest, DisguisedAddressesAreRefusedToo) {
  for (const char* url : {"http://0x7f.1/", "http://2130706433/", "http://[::ffff:127.0.0.1]/",
                          "http://[::1]/", "http://169.254.169.254/latest/meta-data/",
                          "http://0.0.0.0/", "http://[64:ff9b::a00:1]/"}) {
    EXPECT_THAT(strict_.Send({.url = url}), FailsWith(ErrorCode::kPermissionDenied)) << url;
  }
}

TEST_F(ClientGuardTest, NamesOfRefusedAddressesAreRefused) {
  LoopbackServer server(Script({Respond("200 OK")}));
  resolver_->Answer("inside.test", {"127.0.0.1", "10.0.0.1"});
  EXPECT_THAT(strict_.Send({.url = server.Url("/", "inside.test")}),
              FailsWith(ErrorCode::kPermissionDenied));
  EXPECT_EQ(server.ConnectionCount(), 0);
  EXPECT_THAT(sleeper_->Waits(), IsEmpty());
}

TEST_F(ClientGuardTest, OnlyThePermittedAddressesOfAHostAreConnectedTo) {
  LoopbackServer server(Script({Respond("200 OK", {}, "ok")}));
  resolver_->Answer("mixed.test", {"127.0.0.2", "10.0.0.1", "::1", "127.0.0.1"});
  EXPECT_THAT(client_.Send({.url = server.Url("/", "mixed.test")}),
              Holds(Field(&OutgoingResponse::body, "ok")));
  EXPECT_THAT(server.Requests().at(0).FindHeader("Host"), Optional(HasSubstr("mixed.test")));
}

TEST_F(ClientGuardTest, AHostIsLookedUpOnceForAllAttempts) {
  LoopbackServer server(Script({{.bytes = "", .then = Then::kClose}, Respond("200 OK", {}, "ok")}));
  resolver_->Answer("rebinding.test", {"127.0.0.1"});
  resolver_->Answer("rebinding.test", {"10.0.0.1"});
  EXPECT_THAT(client_.Send({.url = server.Url("/", "rebinding.test")}),
              Holds(Field(&OutgoingResponse::body, "ok")));
  EXPECT_EQ(resolver_->AskedFor("rebinding.test"), 1U);
  EXPECT_EQ(server.Requests().size(), 2U);
}

TEST_F(ClientGuardTest, AHostIsLookedUpOnceForAllRedirects) {
  LoopbackServer server(Script({RedirectTo("/b"), Respond("200 OK")}));
  resolver_->Answer("rebinding.test", {"127.0.0.1"});
  resolver_->Answer("rebinding.test", {"10.0.0.1"});
  EXPECT_THAT(client_.Send({.url = server.Url("/", "rebinding.test"), .redirects_max = 1}), IsOk());
  EXPECT_EQ(resolver_->AskedFor("rebinding.test"), 1U);
}

TEST_F(ClientGuardTest, RedirectsToRefusedAddressesAreRefused) {
  for (const char* target : {"http://10.0.0.1/", "http://127.0.0.2/", "http://[::1]/",
                             "//169.254.169.254/latest/meta-data/"}) {
    LoopbackServer server(Script({RedirectTo(target)}));
    EXPECT_THAT(client_.Send({.url = server.Url(), .redirects_max = 3}),
                FailsWith(ErrorCode::kPermissionDenied))
        << target;
  }
}

TEST_F(ClientGuardTest, RedirectsAreAnsweredAsTheyComeUnlessAskedFor) {
  LoopbackServer server(Script({RedirectTo("http://10.0.0.1/")}));
  EXPECT_THAT(client_.Send({.url = server.Url()}), Holds(Field(&OutgoingResponse::status, 302)));
}

TEST_F(ClientGuardTest, RedirectsAreFollowedToTheEnd) {
  LoopbackServer server(
      Script({RedirectTo("/b"), RedirectTo("c?d"), Respond("200 OK", {}, "end")}));
  const auto response = client_.Send({.url = server.Url("/a"), .redirects_max = 2});
  ASSERT_THAT(response, Holds(Field(&OutgoingResponse::body, "end")));
  EXPECT_EQ(response->effective_url, server.Url("/c?d"));
}

TEST_F(ClientGuardTest, RedirectLoopsAreLeft) {
  LoopbackServer server(Script({RedirectTo("/again")}));
  EXPECT_THAT(client_.Send({.url = server.Url(), .redirects_max = 3}),
              FailsSaying(ErrorCode::kLimitExceeded, "redirected more than 3 times"));
  EXPECT_EQ(server.Requests().size(), 4U);
}

TEST_F(ClientGuardTest, SecretsDoNotFollowToAnotherOrigin) {
  LoopbackServer other(Script({Respond("200 OK")}));
  LoopbackServer server(Script({RedirectTo(other.Url("/x"))}));
  ASSERT_THAT(client_.Send({.url = server.Url(),
                            .headers = {{.name = "Authorization", .value = "Bearer 1"}},
                            .secret_headers = {{.name = "X-Key", .value = "2"}},
                            .redirects_max = 1}),
              IsOk());
  EXPECT_THAT(server.Requests().at(0).FindHeader("Authorization"), Optional(Eq("Bearer 1")));
  EXPECT_THAT(server.Requests().at(0).FindHeader("X-Key"), Optional(Eq("2")));
  EXPECT_EQ(other.Requests().at(0).FindHeader("Authorization"), std::nullopt);
  EXPECT_EQ(other.Requests().at(0).FindHeader("X-Key"), std::nullopt);
}

class ScopedVariable {
 public:
  ScopedVariable(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  ~ScopedVariable() { unsetenv(name_); }
  ScopedVariable(const ScopedVariable&) = delete;
  ScopedVariable& operator=(const ScopedVariable&) = delete;

 private:
  const char* name_;
};

TEST_F(ClientGuardTest, ProxiesOfTheEnvironmentAreIgnored) {
  const ScopedVariable lower("http_proxy", "http://127.0.0.1:1");
  const ScopedVariable all("ALL_PROXY", "http://127.0.0.1:1");
  LoopbackServer server(Script({Respond("200 OK")}));
  EXPECT_THAT(client_.Send({.url = server.Url()}), IsOk());
}

TEST_F(ClientGuardTest, ANamedProxyIsUsedWhateverTheEnvironmentSays) {
  const ScopedVariable none("no_proxy", "*");
  LoopbackServer proxy(Script({Respond("200 OK", {}, "by proxy")}));
  ClientOptions options = Options({});
  options.proxy = proxy.Url("");
  Client client(options, clock_);
  EXPECT_THAT(client.Send({.url = "http://far.test/x"}),
              Holds(Field(&OutgoingResponse::body, "by proxy")));
  EXPECT_EQ(proxy.Requests().at(0).target, "http://far.test/x");
  EXPECT_EQ(resolver_->AskedFor("far.test"), 0U);
}

TEST_F(ClientGuardTest, AProxyDoesNotOpenTheWayToRefusedAddresses) {
  LoopbackServer proxy(Script({Respond("200 OK")}));
  ClientOptions options = Options({});
  options.proxy = proxy.Url("");
  Client client(options, clock_);
  EXPECT_THAT(client.Send({.url = "http://10.0.0.1/"}), FailsWith(ErrorCode::kPermissionDenied));
  EXPECT_EQ(proxy.ConnectionCount(), 0);
}

class ClientTlsTest : public ClientFixture {
 protected:
  Client Trusting(const std::string& bundle) const {
    ClientOptions options = Options({"127.0.0.1"});
    options.ca_bundle = bundle;
    return Client(std::move(options), clock_);
  }

  SelfSignedCertificate certificate_{"right.test"};
  LoopbackServer server_{Script({Respond("200 OK", {}, "ok")}), certificate_.Context()};
};

TEST_F(ClientTlsTest, CertificatesNobodyVouchesForAreRefused) {
  const auto refused = client_.Send({.url = server_.Url()});
  ASSERT_THAT(refused, FailsSaying(ErrorCode::kUnavailable, "certificate that is not trusted"));
  EXPECT_THAT(refused.error().detail, HasSubstr("self-signed"));
  EXPECT_THAT(server_.Requests(), IsEmpty());
  EXPECT_THAT(sleeper_->Waits(), IsEmpty());
}

TEST_F(ClientTlsTest, CertificatesOfTheGivenBundleAreTrusted) {
  Client client = Trusting(certificate_.Path());
  resolver_->Answer("right.test", {"127.0.0.1"});
  EXPECT_THAT(client.Send({.url = server_.Url("/", "right.test")}),
              Holds(Field(&OutgoingResponse::body, "ok")));
}

TEST_F(ClientTlsTest, CertificatesOfAnotherHostAreRefused) {
  Client client = Trusting(certificate_.Path());
  resolver_->Answer("wrong.test", {"127.0.0.1"});
  EXPECT_THAT(client.Send({.url = server_.Url("/", "wrong.test")}),
              FailsSaying(ErrorCode::kUnavailable, "certificate that is not trusted"));
  EXPECT_THAT(server_.Requests(), IsEmpty());
}

TEST_F(ClientTlsTest, RedirectsDownToHttpAreRefused) {
  LoopbackServer plain(Script({Respond("200 OK")}));
  LoopbackServer secure(Script({RedirectTo(plain.Url())}), certificate_.Context());
  Client client = Trusting(certificate_.Path());
  EXPECT_THAT(client.Send({.url = secure.Url(), .redirects_max = 1}),
              FailsSaying(ErrorCode::kPermissionDenied, "down to http"));
  EXPECT_THAT(plain.Requests(), IsEmpty());
}

TEST_F(ClientTlsTest, AServerThatDoesNotSpeakTlsIsUnavailable) {
  // It waits for the end of a request line that never comes.
  LoopbackServer plain(Script({Respond("200 OK")}));
  EXPECT_THAT(client_.Send({.url = "https://127.0.0.1:" + std::to_string(plain.Port()),
                            .connect_timeout = std::chrono::milliseconds(100),
                            .retry = {.attempts_max = 1}}),
              FailsSaying(ErrorCode::kUnavailable, "in time"));
}

}  // namespace
}  // namespace atrium::egress
