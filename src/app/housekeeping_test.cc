// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/housekeeping.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "app/store_operations.h"
#include "base/clock.h"
#include "base/testing.h"
#include "engines/rocksdb/engine.h"
#include "jobs/job.h"

namespace atrium::app {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

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

TEST_F(HousekeepingTest, JobsAreThereWhereTheirSettingsAre) {
  const auto names = [&](const Config& config) {
    const SystemClock clock;
    rocks::RocksOptions options{.path = folder_ / "store"};
    const auto engine = rocks::RocksEngine::Open(options, clock).value();
    const Catalog catalog;
    StoreOperations operations(*engine, catalog, config, clock);
    std::vector<std::string> found;
    for (const jobs::JobSpec& job : HousekeepingJobs(config, clock, operations)) {
      EXPECT_THAT(jobs::Validate(job), IsOk());
      found.push_back(job.name);
    }
    return found;
  };
  EXPECT_THAT(names({}), IsEmpty());
  EXPECT_THAT(names(config_), ElementsAre("tls.certificate-end"));
  config_.store.backup_folder = folder_ / "backups";
  EXPECT_THAT(names(config_), ElementsAre("store.backup", "tls.certificate-end"));
}

}  // namespace
}  // namespace atrium::app
