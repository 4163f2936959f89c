// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "egress/resolver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <stop_token>
#include <string>

#include "base/error.h"
#include "base/ip_network.h"
#include "base/testing.h"
#include "egress/sleeper.h"

namespace atrium::egress {
namespace {

using ::testing::Contains;

TEST(SystemResolverTest, KnowsThisMachine) {
  EXPECT_THAT(SystemResolver().Resolve("localhost", std::chrono::seconds(5)),
              Holds(Contains(ParseIpAddress("127.0.0.1").value())));
}

TEST(SystemResolverTest, NamesThatAreNoneAreUnavailable) {
  EXPECT_THAT(SystemResolver().Resolve(std::string(300, 'x'), std::chrono::seconds(5)),
              FailsSaying(ErrorCode::kUnavailable, "was not found"));
}

TEST(SystemResolverTest, DoesNotWaitBeyondItsTime) {
  EXPECT_THAT(SystemResolver().Resolve("host.invalid", std::chrono::milliseconds(1)),
              FailsSaying(ErrorCode::kUnavailable, "was not found"));
}

TEST(ThreadSleeperTest, AStopRequestEndsTheWait) {
  std::stop_source source;
  source.request_stop();
  ThreadSleeper().Sleep(std::chrono::hours(1), source.get_token());
}

TEST(ThreadSleeperTest, TimeEndsTheWait) {
  ThreadSleeper().Sleep(std::chrono::milliseconds(1), std::stop_token());
}

}  // namespace
}  // namespace atrium::egress
