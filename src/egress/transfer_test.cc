// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "egress/transfer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/ip_network.h"
#include "egress/address_guard.h"
#include "egress/handle_pool.h"
#include "egress/loopback_testing.h"
#include "egress/message.h"
#include "egress/url.h"

namespace atrium::egress {
namespace {

using ::testing::HasSubstr;

/// The last line of defence, below the client that judges addresses before it comes here.
class TransferTest : public ::testing::Test {
 protected:
  TransferOutcome Send(std::initializer_list<std::string_view> allowed, const std::string& host,
                       std::string_view address) {
    std::vector<Network> networks;
    for (const std::string_view network : allowed) {
      networks.push_back(ParseNetwork(network).value());
    }
    const TransferSettings settings{
        .guard = AddressGuard(networks), .user_agent = {}, .ca_bundle = {}, .proxy = {}};
    const OutgoingRequest request{.url = server_.Url("/", host)};
    return Transfer(pool_.Take().get(), settings,
                    {.request = request,
                     .url = ParseUrl(request.url).value(),
                     .addresses = {ParseIpAddress(address).value()},
                     .timeout = std::chrono::seconds(5)});
  }

  HandlePool pool_;
  LoopbackServer server_{Script({Respond("200 OK", {}, "ok")})};
};

TEST_F(TransferTest, ConnectsToThePinnedAddressOfAName) {
  const TransferOutcome outcome = Send({"127.0.0.1"}, "pinned.test", "127.0.0.1");
  ASSERT_TRUE(outcome.has_value());
  EXPECT_EQ(outcome->body, "ok");
}

TEST_F(TransferTest, NoSocketIsOpenedToAnAddressTheGuardRefuses) {
  const TransferOutcome outcome = Send({}, "pinned.test", "127.0.0.1");
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().error.code, ErrorCode::kPermissionDenied);
  EXPECT_THAT(outcome.error().error.detail, HasSubstr("a loopback address (127.0.0.1)"));
  EXPECT_EQ(outcome.error().hope, Hope::kFinal);
  EXPECT_EQ(server_.ConnectionCount(), 0);
}

TEST_F(TransferTest, NoSocketIsOpenedToAnAddressThatWasNotPinned) {
  const TransferOutcome outcome = Send({"127.0.0.0/8"}, "127.0.0.1", "127.0.0.2");
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().error.code, ErrorCode::kPermissionDenied);
  EXPECT_THAT(outcome.error().error.detail, HasSubstr("nobody judged"));
  EXPECT_EQ(server_.ConnectionCount(), 0);
}

}  // namespace
}  // namespace atrium::egress
