// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/housekeeping.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/testing.h"
#include "engines/memory/engine.h"
#include "jobs/runner.h"
#include "jobs/store_ledger.h"

namespace atrium::app {
namespace {

/// A certificate that is good for thirty days from now.
class HousekeepingTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        std::filesystem::temp_directory_path() / ("housekeeping-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    config_.tls.certificate = folder_ / "certificate.pem";
    config_.tls.key = folder_ / "key.pem";
    const std::string command =
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes "
        "-days 30 -subj /CN=test -keyout " +
        config_.tls.key + " -out " + config_.tls.certificate + " 2>/dev/null";
    ASSERT_EQ(std::system(command.c_str()), 0);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_;
  Config config_;
  const Instant now_ = SystemClock().Now();
};

TEST_F(HousekeepingTest, CertificateThatIsGoodForLongIsFine) {
  EXPECT_THAT(CheckCertificate(config_.tls, now_), IsOk());
}

TEST_F(HousekeepingTest, CertificateThatEndsSoonOrHasEndedIsReported) {
  for (const int days : {20, 40}) {
    EXPECT_THAT(CheckCertificate(config_.tls, now_ + std::chrono::days(days)),
                FailsSaying(ErrorCode::kUnavailable, "the TLS certificate ends on 20"));
  }
}

TEST_F(HousekeepingTest, UnreadableCertificateIsAnErrorOfItsOwn) {
  config_.tls.certificate = folder_ / "absent.pem";
  EXPECT_THAT(CheckCertificate(config_.tls, now_), FailsWith(ErrorCode::kInvalidArgument));
}

TEST_F(HousekeepingTest, JobIsThereOnlyWithTls) {
  FixedClock clock(now_);
  engines::MemoryEngine engine(clock);
  jobs::StoreLedger ledger(engine);
  jobs::Runner with_tls(ledger, clock, {.server = "one"});
  ASSERT_THAT(AddHousekeeping(with_tls, config_, clock), IsOk());
  EXPECT_EQ(with_tls.RunDue(), 1U);
  jobs::Runner without(ledger, clock, {.server = "two"});
  ASSERT_THAT(AddHousekeeping(without, {}, clock), IsOk());
  EXPECT_EQ(without.RunDue(), 0U);
}

}  // namespace
}  // namespace atrium::app
