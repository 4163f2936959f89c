// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/store_ledger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <fstream>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/instant.h"
#include "base/result.h"
#include "base/testing.h"
#include "engines/memory/engine.h"
#include "jobs/keys.h"
#include "jobs/ledger.h"
#include "jobs/records.h"
#include "store/engine.h"
#include "store/forwarding_engine_testing.h"
#include "store/limits.h"
#include "store/op_context_testing.h"
#include "store/record.h"

namespace atrium::jobs {
namespace {

using std::chrono::days;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Optional;
using ::testing::SizeIs;

constexpr Instant kNow{days(20'000)};

/// What a commit is to meet.
enum class Trouble : std::uint8_t { kNone, kLost, kDoneButUnknown, kNotDoneAndUnknown };

/// An engine that keeps the limits, counts commits, and has the troubles that a test lines up.
class TroubledEngine final : public store::ForwardingEngine {
 public:
  using ForwardingEngine::ForwardingEngine;

  Result<std::optional<store::Row>> Get(const store::OpContext& op, const store::Table& table,
                                        const store::KeyView& key) override {
    if (deaf) {
      return FailPrivately(ErrorCode::kDeadlineExceeded, "no answer");
    }
    return ForwardingEngine::Get(op, table, key);
  }
  Result<store::ScanEnd> Scan(const store::OpContext& op, const store::ScanRequest& request,
                              store::RowSink& sink) override {
    RETURN_IF_ERROR(store::CheckScan(request));
    return ForwardingEngine::Scan(op, request, sink);
  }
  Result<store::Receipt> Commit(const store::OpContext& op, store::WriteSet writes) override {
    RETURN_IF_ERROR(store::CheckLimits(writes));
    ++commits;
    const Trouble trouble = troubles.empty() ? Trouble::kNone : troubles.front();
    if (!troubles.empty()) {
      troubles.pop_front();
    }
    if (trouble == Trouble::kLost) {
      return FailPrivately(ErrorCode::kUnavailable, "the disk is full");
    }
    if (trouble == Trouble::kNotDoneAndUnknown) {
      return FailPrivately(ErrorCode::kOutcomeUnknown, "who knows");
    }
    Result<store::Receipt> receipt = ForwardingEngine::Commit(op, std::move(writes));
    if (trouble == Trouble::kDoneButUnknown) {
      return FailPrivately(ErrorCode::kOutcomeUnknown, "who knows");
    }
    return receipt;
  }
  std::deque<Trouble> troubles{};
  int commits = 0;
  bool deaf = false;
};

class StoreLedgerTest : public ::testing::Test {
 protected:
  Result<std::optional<Lease>> Acquire(Instant now = kNow) {
    return ledger_.Acquire({.job = "purge",
                            .server = "one",
                            .revision = ledger_.Read("purge").value().revision,
                            .attempt = 2,
                            .now = now,
                            .duration = seconds(60)});
  }
  Lease MustAcquire(Instant now = kNow) { return Acquire(now).value().value_or(Lease()); }
  static FinishRequest Failure() {
    return {.run = {.server = "one",
                    .attempt = 2,
                    .started = kNow,
                    .duration = milliseconds(1234),
                    .outcome = Outcome::kFailed,
                    .error = "no answer",
                    .progress = "412 of 2000"},
            .retry_at = kNow + seconds(61)};
  }
  std::string StoredState() {
    return engine_.Get(store::kTestOp, kJobStates, StateKey("purge"))
        .value()
        .value_or(store::Row())
        .document;
  }
  void Store(const std::string& document) {
    ASSERT_THAT(
        engine_.Commit(
            store::kTestOp,
            {{store::Put{.table = &kJobStates, .key = StateKey("purge"), .document = document}}}),
        IsOk());
  }

  const FixedClock clock_{kNow};
  engines::MemoryEngine memory_{clock_};
  TroubledEngine engine_{memory_};
  StoreLedger ledger_{engine_};
};

TEST_F(StoreLedgerTest, EachChangeIsOneCommit) {
  const Lease lease = MustAcquire();
  EXPECT_EQ(engine_.commits, 1);
  ASSERT_THAT(ledger_.Renew(lease, kNow + seconds(20)), IsOk());
  EXPECT_EQ(engine_.commits, 2);
  ASSERT_THAT(ledger_.Finish(lease, Failure()), IsOk());
  EXPECT_EQ(engine_.commits, 3);
  MustAcquire(kNow + seconds(70));
  MustAcquire(kNow + seconds(170));
  EXPECT_EQ(engine_.commits, 5);
  EXPECT_THAT(ledger_.History("purge", 10), Holds(SizeIs(2)));
}

TEST_F(StoreLedgerTest, AnotherLedgerOnTheSameStoreKnowsEverything) {
  ASSERT_THAT(ledger_.Finish(MustAcquire(), Failure()), IsOk());
  StoreLedger other(engine_);
  const JobState state = other.Read("purge").value();
  EXPECT_EQ(state.revision, 2U);
  EXPECT_EQ(state.retry_at, kNow + seconds(61));
  EXPECT_THAT(state.last_run, Optional(AllOf(Field(&FinishedRun::duration, milliseconds(1234)),
                                             Field(&FinishedRun::attempt, 2U),
                                             Field(&FinishedRun::outcome, Outcome::kFailed),
                                             Field(&FinishedRun::error, "no answer"),
                                             Field(&FinishedRun::progress, "412 of 2000"))));
}

TEST_F(StoreLedgerTest, JobsDoNotSeeEachOther) {
  ASSERT_THAT(ledger_.Finish(MustAcquire(), Failure()), IsOk());
  EXPECT_THAT(ledger_.History("purge.more", 10), Holds(IsEmpty()));
  EXPECT_EQ(ledger_.Read("pur").value().revision, 0U);
}

TEST_F(StoreLedgerTest, ACommitOfUnknownOutcomeThatHappenedCounts) {
  engine_.troubles = {Trouble::kDoneButUnknown};
  const Lease lease = MustAcquire();
  EXPECT_EQ(lease.token, 1U);
  engine_.troubles = {Trouble::kDoneButUnknown};
  ASSERT_THAT(ledger_.Finish(lease, Failure()), IsOk());
  EXPECT_THAT(ledger_.History("purge", 10), Holds(SizeIs(1)));
  EXPECT_EQ(engine_.commits, 2);
}

TEST_F(StoreLedgerTest, ACommitOfUnknownOutcomeThatDidNotHappenIsRepeated) {
  engine_.troubles = {Trouble::kNotDoneAndUnknown};
  const Lease lease = MustAcquire();
  engine_.troubles = {Trouble::kNotDoneAndUnknown};
  ASSERT_THAT(ledger_.Finish(lease, Failure()), IsOk());
  EXPECT_THAT(ledger_.History("purge", 10), Holds(SizeIs(1)));
  EXPECT_EQ(engine_.commits, 4);
}

TEST_F(StoreLedgerTest, TroubleOfTheStoreIsUnavailable) {
  engine_.troubles = {Trouble::kLost};
  EXPECT_THAT(Acquire(), FailsWith(ErrorCode::kUnavailable));
  EXPECT_FALSE(ledger_.Read("purge").value().active.has_value());
  engine_.deaf = true;
  EXPECT_THAT(ledger_.Read("purge"), FailsWith(ErrorCode::kUnavailable));
}

TEST_F(StoreLedgerTest, WhatIsNoStateIsCorrupt) {
  Store("{\"revision\":\"many\"}");
  EXPECT_THAT(ledger_.Read("purge"), FailsWith(ErrorCode::kCorrupt));
}

TEST_F(StoreLedgerTest, MembersOfALaterReleaseStay) {
  Store(R"({"revision":7,"mood":"good"})");
  ASSERT_THAT(ledger_.Finish(MustAcquire(), Failure()), IsOk());
  EXPECT_THAT(StoredState(), HasSubstr(R"("mood":"good")"));
}

TEST_F(StoreLedgerTest, LongTextsAreCut) {
  FinishRequest finish = Failure();
  finish.run.error = std::string(1'000'000, 'e');
  finish.run.progress = std::string(1'000'000, 'p');
  ASSERT_THAT(ledger_.Finish(MustAcquire(), finish), IsOk());
  EXPECT_THAT(ledger_.History("purge", 1),
              Holds(ElementsAre(AllOf(Field(&FinishedRun::error, SizeIs(kRunTextBytesMax)),
                                      Field(&FinishedRun::progress, SizeIs(kRunTextBytesMax))))));
}

// Golden bytes: what a release has written, every later one reads. Lines are added here and in
// docs/formats/jobs.md, never changed.
constexpr const char* kRunning =
    R"({"revision":1,"active":{"server":"one","token":1,"attempt":2,)"
    R"("started":"2024-10-04T00:00:00.000Z","renewed_at":"2024-10-04T00:00:20.000Z","lease_s":60}})";
constexpr const char* kFailed =
    R"({"server":"one","attempt":2,"started":"2024-10-04T00:00:00.000Z","duration_ms":1234,)"
    R"("outcome":"failed","error":"no answer","progress":"412 of 2000"})";
constexpr const char* kWaiting =
    R"({"revision":2,"last_run":{"server":"one","attempt":2,"started":"2024-10-04T00:00:00.000Z",)"
    R"("duration_ms":1234,"outcome":"failed","error":"no answer","progress":"412 of 2000"},)"
    R"("retry_at":"2024-10-04T00:01:01.000Z"})";

TEST_F(StoreLedgerTest, RowsAreAsTheyAlwaysWere) {
  const Lease lease = MustAcquire();
  ASSERT_THAT(ledger_.Renew(lease, kNow + seconds(20)), IsOk());
  EXPECT_EQ(StoredState(), kRunning);
  ASSERT_THAT(ledger_.Finish(lease, Failure()), IsOk());
  EXPECT_EQ(StoredState(), kWaiting);
  const store::Row run = engine_
                             .Get(store::kTestOp, kJobRuns,
                                  store::Key{.partition = "purge", .sort = store::SequenceKey(1)})
                             .value()
                             .value_or(store::Row());
  EXPECT_EQ(run.document, kFailed);
}

TEST_F(StoreLedgerTest, RowsOfEveryReleaseAreRead) {
  Store(kRunning);
  const JobState running = ledger_.Read("purge").value();
  EXPECT_THAT(running.active, Optional(Field(&ActiveRun::started, kNow)));
  Store(kWaiting);
  EXPECT_THAT(ledger_.Read("purge").value().last_run,
              Optional(Field(&FinishedRun::outcome, Outcome::kFailed)));
}

TEST_F(StoreLedgerTest, TheDocumentShowsTheGoldenBytes) {
  std::ifstream file(ATRIUM_SOURCE_DIR "/docs/formats/jobs.md");
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  for (const std::string golden : {kRunning, kWaiting, kFailed}) {
    EXPECT_THAT(text, HasSubstr("\n" + golden + "\n"));
  }
}

}  // namespace
}  // namespace atrium::jobs
