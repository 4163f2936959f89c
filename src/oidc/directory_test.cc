// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "oidc/directory.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/instant.h"
#include "base/testing.h"
#include "oidc/provider_testing.h"

namespace atrium::oidc {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr std::string_view kDiscovery = "https://id.example/.well-known/openid-configuration";
constexpr std::string_view kJwks = "https://id.example/jwks";

class DirectoryTest : public ::testing::Test {
 protected:
  DirectoryTest() { provider_.PutKeys({&first_}); }

  std::size_t Fetches(std::string_view url) const { return provider_.RequestsTo(url).size(); }

  const std::string issuer_{kTestIssuer};
  TestKey first_ = TestKey::Ec("first");
  TestKey second_ = TestKey::Ec("second");
  FakeProvider provider_;
  FixedClock clock_{Instant()};
  Directory directory_{provider_, clock_};
};

TEST_F(DirectoryTest, DocumentsAreFetchedOnceAnHour) {
  ASSERT_THAT(directory_.FindKeys(issuer_, "first"), IsOk());
  clock_.Advance(minutes(59));
  ASSERT_THAT(directory_.FindKeys(issuer_, "first"), IsOk());
  EXPECT_EQ(Fetches(kDiscovery), 1U);
  EXPECT_EQ(Fetches(kJwks), 1U);
  clock_.Advance(minutes(1));
  ASSERT_THAT(directory_.FindKeys(issuer_, "first"), IsOk());
  EXPECT_EQ(Fetches(kDiscovery), 2U);
  EXPECT_EQ(Fetches(kJwks), 2U);
}

TEST_F(DirectoryTest, ANewKeyIsFetchedAsSoonAsItIsNamed) {
  ASSERT_THAT(directory_.FindKeys(issuer_, "first"), IsOk());
  provider_.PutKeys({&second_});
  const auto keys = directory_.FindKeys(issuer_, "second");
  ASSERT_THAT(keys, IsOk());
  EXPECT_TRUE((*keys)->Knows("second"));
}

TEST_F(DirectoryTest, MadeUpKeyIdsCauseOneFetchAMinute) {
  ASSERT_THAT(directory_.FindKeys(issuer_, "first"), IsOk());
  for (int i = 0; i < 10; ++i) {
    EXPECT_THAT(directory_.FindKeys(issuer_, "made-up-" + std::to_string(i)), IsOk());
  }
  EXPECT_EQ(Fetches(kJwks), 2U);
  clock_.Advance(minutes(1));
  EXPECT_THAT(directory_.FindKeys(issuer_, "made-up"), IsOk());
  EXPECT_EQ(Fetches(kJwks), 3U);
}

TEST_F(DirectoryTest, OldKeysAreUsedOnForADayWhenTheProviderIsDown) {
  ASSERT_THAT(directory_.FindKeys(issuer_, "first"), IsOk());
  provider_.GoDown();
  clock_.Advance(hours(2));
  const auto keys = directory_.FindKeys(issuer_, "first");
  ASSERT_THAT(keys, IsOk());
  EXPECT_TRUE((*keys)->Knows("first"));
  EXPECT_THAT(directory_.FindKeys(issuer_, "second"), IsOk());
  clock_.Advance(hours(22));
  EXPECT_THAT(directory_.FindKeys(issuer_, "first"), FailsWith(ErrorCode::kUnavailable));
}

TEST_F(DirectoryTest, AProviderThatIsDownIsAskedOnceAMinute) {
  ASSERT_THAT(directory_.Find(issuer_), IsOk());
  provider_.GoDown();
  clock_.Advance(hours(2));
  EXPECT_THAT(directory_.Find(issuer_), IsOk());
  EXPECT_THAT(directory_.Find(issuer_), IsOk());
  EXPECT_EQ(Fetches(kDiscovery), 2U);
  clock_.Advance(minutes(1));
  EXPECT_THAT(directory_.Find(issuer_), IsOk());
  EXPECT_EQ(Fetches(kDiscovery), 3U);
}

TEST_F(DirectoryTest, AFailureIsRememberedForSeconds) {
  provider_.Put(std::string(kDiscovery), "", 500);
  EXPECT_THAT(directory_.Find(issuer_), FailsWith(ErrorCode::kUnavailable));
  provider_.Put(std::string(kDiscovery), TestDiscovery());
  EXPECT_THAT(directory_.Find(issuer_), FailsWith(ErrorCode::kUnavailable));
  EXPECT_EQ(Fetches(kDiscovery), 1U);
  clock_.Advance(seconds(10));
  EXPECT_THAT(directory_.Find(issuer_), IsOk());
}

TEST_F(DirectoryTest, ADocumentOfAnotherIssuerIsRefused) {
  provider_.Put("https://evil.example/.well-known/openid-configuration", TestDiscovery());
  EXPECT_THAT(directory_.Find("https://evil.example"),
              FailsSaying(ErrorCode::kPermissionDenied, "another issuer"));
}

TEST_F(DirectoryTest, ADocumentThatMakesNoSenseIsTheProvidersFault) {
  provider_.Put(std::string(kJwks), "<html>");
  EXPECT_THAT(directory_.FindKeys(issuer_, ""), FailsSaying(ErrorCode::kUnavailable, "key set"));
}

TEST_F(DirectoryTest, AnIssuerThatIsNoHttpsUrlIsNotAsked) {
  EXPECT_THAT(directory_.Find("http://id.example"), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(directory_.FindKeys("id", ""), FailsWith(ErrorCode::kInvalidArgument));
}

TEST_F(DirectoryTest, ResponsesAreBounded) {
  ASSERT_THAT(directory_.Find(issuer_), IsOk());
  EXPECT_LE(provider_.RequestsTo(kDiscovery).front().response_bytes_max, std::size_t{1} << 18U);
}

TEST_F(DirectoryTest, ThreadsThatAskAtOnceCauseOneFetch) {
  constexpr int kThreads = 8;
  std::atomic<int> found = 0;
  {
    std::vector<std::jthread> threads;
    threads.reserve(kThreads);
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&] { found += directory_.FindKeys(issuer_, "first") ? 1 : 0; });
    }
  }
  EXPECT_EQ(found, kThreads);
  EXPECT_EQ(Fetches(kDiscovery), 1U);
  EXPECT_EQ(Fetches(kJwks), 1U);
}

}  // namespace
}  // namespace atrium::oidc
