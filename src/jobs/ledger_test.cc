// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/ledger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/instant.h"
#include "base/result.h"
#include "base/testing.h"
#include "engines/memory/engine.h"
#include "jobs/store_ledger.h"

namespace atrium::jobs {
namespace {

using std::chrono::days;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::Eq;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::Optional;
using ::testing::Property;
using ::testing::SizeIs;

constexpr Instant kNow{days(20'000)};

class LedgerTest : public ::testing::Test {
 protected:
  Result<std::optional<Lease>> Acquire(const std::string& server, std::uint64_t revision,
                                       Instant now = kNow) {
    return ledger_.Acquire({.job = "purge",
                            .server = server,
                            .revision = revision,
                            .attempt = 1,
                            .now = now,
                            .duration = seconds(60)});
  }
  Lease MustAcquire(const std::string& server, Instant now = kNow) {
    return Acquire(server, ledger_.Read("purge").value().revision, now).value().value_or(Lease());
  }
  static FinishRequest Success(const std::string& progress = "") {
    return {.run = {.server = "one", .started = kNow, .progress = progress}};
  }

  const FixedClock clock_{kNow};
  engines::MemoryEngine engine_{clock_};
  StoreLedger ledger_{engine_};
};

auto IsRunBy(const std::string& server) {
  return Field(&ActiveRun::lease, Field(&Lease::server, server));
}

auto IsRefused() {
  return Holds(Property(&std::optional<Lease>::has_value, false));
}

TEST_F(LedgerTest, AJobNobodyRanHasTheEmptyState) {
  const JobState state = ledger_.Read("purge").value();
  EXPECT_EQ(state.revision, 0U);
  EXPECT_FALSE(state.active.has_value());
  EXPECT_FALSE(state.last_run.has_value());
  EXPECT_THAT(ledger_.History("purge", 10), Holds(IsEmpty()));
}

TEST_F(LedgerTest, AcquireWritesDownTheStart) {
  const Lease lease = MustAcquire("one");
  const JobState state = ledger_.Read("purge").value();
  EXPECT_THAT(state.active, Optional(Field(&ActiveRun::lease, Field(&Lease::token, lease.token))));
  EXPECT_THAT(state.active, Optional(IsRunBy("one")));
  EXPECT_THAT(state.active, Optional(Field(&ActiveRun::started, kNow)));
}

TEST_F(LedgerTest, ALiveLeaseIsNotGivenAway) {
  MustAcquire("one");
  EXPECT_THAT(Acquire("two", 1, kNow + seconds(59)), IsRefused());
}

TEST_F(LedgerTest, AStateSeenTooLongAgoDoesNotCount) {
  const Lease lease = MustAcquire("one");
  ASSERT_THAT(ledger_.Finish(lease, Success()), IsOk());
  EXPECT_THAT(Acquire("two", 0), IsRefused());
  EXPECT_THAT(Acquire("two", 2), Holds(Property(&std::optional<Lease>::has_value, true)));
}

TEST_F(LedgerTest, AnExpiredLeaseIsTakenOverAndItsRunAbandoned) {
  MustAcquire("one");
  MustAcquire("two", kNow + seconds(60));
  EXPECT_THAT(ledger_.History("purge", 10),
              Holds(ElementsAre(Field(&FinishedRun::outcome, Outcome::kAbandoned))));
  const JobState state = ledger_.Read("purge").value();
  EXPECT_THAT(state.last_run, Optional(Field(&FinishedRun::server, "one")));
  EXPECT_THAT(state.active, Optional(IsRunBy("two")));
}

TEST_F(LedgerTest, ALostLeaseCanNeitherRenewNorFinish) {
  const Lease lost = MustAcquire("one");
  MustAcquire("two", kNow + seconds(60));
  EXPECT_THAT(ledger_.Renew(lost, kNow + seconds(60)), FailsWith(ErrorCode::kConflict));
  EXPECT_THAT(ledger_.Finish(lost, Success()), FailsWith(ErrorCode::kConflict));
  EXPECT_THAT(ledger_.History("purge", 10), Holds(SizeIs(1)));
}

TEST_F(LedgerTest, ARenewedLeaseLivesLonger) {
  const Lease lease = MustAcquire("one");
  ASSERT_THAT(ledger_.Renew(lease, kNow + seconds(50)), IsOk());
  EXPECT_THAT(Acquire("two", 1, kNow + seconds(100)), IsRefused());
}

TEST_F(LedgerTest, AnExpiredLeaseNobodyTookCanStillBeRenewed) {
  const Lease lease = MustAcquire("one");
  EXPECT_THAT(ledger_.Renew(lease, kNow + seconds(500)), IsOk());
}

TEST_F(LedgerTest, ALeaseFromAFutureThatWasTakenBackDoesNotProtect) {
  MustAcquire("one", kNow + days(1));
  EXPECT_THAT(Acquire("two", 1), Holds(Property(&std::optional<Lease>::has_value, true)));
}

TEST_F(LedgerTest, FinishGivesTheLeaseBackAndRemembersTheRun) {
  const Lease lease = MustAcquire("one");
  FinishRequest finish = Success("all done");
  finish.retry_at = kNow + seconds(5);
  ASSERT_THAT(ledger_.Finish(lease, finish), IsOk());
  const JobState state = ledger_.Read("purge").value();
  EXPECT_FALSE(state.active.has_value());
  EXPECT_THAT(state.last_run, Optional(Field(&FinishedRun::progress, "all done")));
  EXPECT_THAT(state.retry_at, Optional(Eq(kNow + seconds(5))));
  EXPECT_THAT(ledger_.Finish(lease, finish), FailsWith(ErrorCode::kConflict));
}

TEST_F(LedgerTest, TheNextRunForgetsTheRetry) {
  FinishRequest finish = Success();
  finish.retry_at = kNow;
  ASSERT_THAT(ledger_.Finish(MustAcquire("one"), finish), IsOk());
  MustAcquire("one");
  EXPECT_EQ(ledger_.Read("purge").value().retry_at, std::nullopt);
}

TEST_F(LedgerTest, HistoryIsNewestFirstAndBounded) {
  for (std::size_t i = 0; i < StoreLedger::kRunsKept + 5; ++i) {
    ASSERT_THAT(ledger_.Finish(MustAcquire("one"), Success(std::to_string(i))), IsOk());
  }
  EXPECT_THAT(ledger_.History("purge", 2),
              Holds(ElementsAre(Field(&FinishedRun::progress, "104"),
                                Field(&FinishedRun::progress, "103"))));
  EXPECT_THAT(ledger_.History("purge", 1000), Holds(SizeIs(StoreLedger::kRunsKept)));
}

TEST_F(LedgerTest, OfManyServersThatSawTheSameStateOneSucceeds) {
  std::atomic<int> succeeded{0};
  {
    std::vector<std::jthread> servers;
    servers.reserve(8);
    for (int i = 0; i < 8; ++i) {
      servers.emplace_back([&, i] {
        const auto lease = Acquire(std::to_string(i), 0);
        succeeded += lease && lease->has_value() ? 1 : 0;
      });
    }
  }
  EXPECT_EQ(succeeded, 1);
}

}  // namespace
}  // namespace atrium::jobs
