// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/outgoing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/testing.h"

namespace atrium::app {
namespace {

TEST(OutgoingTest, SettingsReachTheClient) {
  Config config;
  config.egress = {.allowed_networks = {ParseNetwork("10.0.0.0/8").value()},
                   .proxy = "http://proxy.example:3128",
                   .ca_bundle = "/etc/ca.pem"};
  const egress::ClientOptions options = OutgoingOptions(config);
  EXPECT_EQ(options.allowed, config.egress.allowed_networks);
  EXPECT_EQ(options.proxy, config.egress.proxy);
  EXPECT_EQ(options.ca_bundle, config.egress.ca_bundle);
  EXPECT_THAT(options.user_agent, ::testing::StartsWith("Atrium/"));
}

TEST(OutgoingTest, PrivateAddressesAreRefusedUnlessAllowed) {
  const SystemClock clock;
  EXPECT_THAT(TryOutgoing({}, clock, "http://127.0.0.1:1/"),
              FailsWith(ErrorCode::kPermissionDenied));
  Config config;
  config.egress.allowed_networks = LoopbackNetworks();
  EXPECT_THAT(TryOutgoing(config, clock, "http://127.0.0.1:1/"),
              FailsWith(ErrorCode::kUnavailable));
}

}  // namespace
}  // namespace atrium::app
