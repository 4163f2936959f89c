// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/operators_rule.h"

#include <gtest/gtest.h>

#include <string_view>

#include "app/config.h"

namespace atrium::app {
namespace {

class OperatorsRuleTest : public ::testing::Test {
 protected:
  static http::Request From(std::string_view address, std::string_view host) {
    http::Request request;
    request.client = *ParseIpAddress(address);
    request.host = host;
    return request;
  }

  bool Admits(const http::Request& request) const {
    const auto admitted = rule_.Admit(request);
    EXPECT_TRUE(admitted || admitted.error().code == ErrorCode::kPermissionDenied);
    return admitted.has_value();
  }

  const OperatorsRule rule_{{.networks = LoopbackNetworks(),
                             .hosts = {"metrics.internal"},
                             .is_ours = [](const http::Request& request) {
                               return request.host.starts_with("cloud.example.org");
                             }}};
};

TEST_F(OperatorsRuleTest, AddressesAndLocalhostAreKnown) {
  for (const char* host :
       {"localhost", "LOCALHOST:8080", "127.0.0.1:8080", "10.0.0.1", "[::1]:80"}) {
    EXPECT_TRUE(Admits(From("127.0.0.1", host))) << host;
  }
}

TEST_F(OperatorsRuleTest, SoAreOwnAndConfiguredNames) {
  for (const char* host : {"metrics.internal:9000", "Metrics.Internal", "cloud.example.org"}) {
    EXPECT_TRUE(Admits(From("127.0.0.1", host))) << host;
  }
}

TEST_F(OperatorsRuleTest, ANameOfSomebodyElseIsRefused) {
  for (const char* host : {"evil.example", "localhost.evil.example", "127.0.0.1.evil.example",
                           "metrics.internal.evil.example:8080"}) {
    EXPECT_FALSE(Admits(From("127.0.0.1", host))) << host;
  }
}

TEST_F(OperatorsRuleTest, OthersAreRefusedWhateverTheyCallTheServer) {
  EXPECT_FALSE(Admits(From("192.0.2.1", "localhost")));
}

TEST_F(OperatorsRuleTest, TheControlSocketNamesNoHost) {
  http::Request request;
  request.origin = http::Origin::kControlSocket;
  EXPECT_TRUE(Admits(request));
}

}  // namespace
}  // namespace atrium::app
