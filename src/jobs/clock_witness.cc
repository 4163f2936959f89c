// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/clock_witness.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/log.h"
#include "jobs/keys.h"
#include "store/op_context.h"
#include "store/record.h"
#include "store/store.h"
#include "store/write_set.h"

namespace atrium::jobs {
namespace {

constexpr store::OpContext kOp =
    store::OpContext::ForWork("jobs.clock", store::Consistency::kWrites);

struct Known {
  ClockRecord record;
  /// That the row is still as it was read.
  store::Expectation unchanged;
};

/// A new installation believes its clock.
Result<Known> Load(store::Engine& engine, Instant now) {
  ASSIGN_OR_RETURN(const std::optional<store::Row> row, engine.Get(kOp, kJobClock, ClockKey()));
  if (!row) {
    return Known{.record = {.seen = now}, .unchanged = store::Expectation::Absent()};
  }
  ASSIGN_OR_RETURN(const auto state, store::DecodeRecord<ClockRecord>(row->document, row->version));
  return Known{.record = state.record, .unchanged = store::Expectation::At(row->version)};
}

Result<void> Write(store::Engine& engine, const ClockRecord& record,
                   const store::Expectation& expect) {
  store::WriteSet writes;
  writes.mutations.emplace_back(store::Put{.table = &kJobClock,
                                           .key = ClockKey(),
                                           .document = store::EncodeRecord(record),
                                           .expect = expect});
  RETURN_IF_ERROR(engine.Commit(kOp, std::move(writes)));
  return {};
}

/// Of the time this server has run, what another server has not written down already.
std::chrono::milliseconds SinceLastLook(const ClockRecord& before, Instant now,
                                        std::chrono::milliseconds ran) {
  const auto since = std::chrono::duration_cast<std::chrono::milliseconds>(now - before.seen);
  return since >= std::chrono::milliseconds::zero() ? std::min(ran, since) : ran;
}

struct Looked {
  ClockRecord before;
  ClockRecord after;
  bool written = false;
};

/// kConflict when another server wrote meanwhile.
Result<Looked> LookOnce(store::Engine& engine, Instant now, std::chrono::milliseconds ran) {
  ASSIGN_OR_RETURN(const Known known, Load(engine, now));
  const ClockRecord after = Observe(known.record, now, SinceLastLook(known.record, now, ran));
  const Result<void> written = Write(engine, after, known.unchanged);
  if (!written && written.error().code == ErrorCode::kConflict) {
    return std::unexpected(written.error());
  }
  return Looked{.before = known.record, .after = after, .written = written.has_value()};
}

std::string Describe(const ClockDoubt& doubt) {
  const auto left = std::chrono::ceil<std::chrono::hours>(
      kObservation - std::chrono::milliseconds(doubt.observed_ms));
  return "the clock jumped from " + RenderInstant(doubt.believed) + " to " +
         RenderInstant(doubt.jumped_to) + ": nothing is erased for its age until it has run for " +
         std::to_string(left.count()) +
         " more hours without a jump, or somebody says that it is right: atrium jobs trust-clock";
}

void Tell(const ClockRecord& before, const ClockRecord& after) {
  if (after.doubt && (!before.doubt || before.doubt->jumped_to != after.doubt->jumped_to)) {
    log::Warn("the clock is in doubt", {{"detail", Describe(*after.doubt)}});
  } else if (before.doubt && !after.doubt) {
    log::Info("the clock is believed again", {{"now", RenderInstant(after.seen)}});
  }
}

}  // namespace

Result<ClockRecord> ClockWitness::Look() {
  const std::scoped_lock lock(mutex_);
  const SteadyInstant steady = clock_.Steady();
  const auto ran =
      std::chrono::duration_cast<std::chrono::milliseconds>(steady - looked_at_.value_or(steady));
  ASSIGN_OR_RETURN(const Looked looked,
                   store::RetryConflicts([&] { return LookOnce(engine_, clock_.Now(), ran); }));
  Tell(latest_.doubt ? latest_ : looked.before, looked.after);
  latest_ = looked.after;
  // What could not be written down is measured again from the look before.
  if (looked.written) {
    looked_at_ = steady;
  }
  return looked.after;
}

Result<void> ClockWitness::CheckTrusted() {
  ASSIGN_OR_RETURN(const ClockRecord record, Look());
  return record.doubt ? Fail(ErrorCode::kRefusedByState, Describe(*record.doubt)) : Result<void>();
}

Result<Instant> ClockWitness::Trust() {
  const std::scoped_lock lock(mutex_);
  const ClockRecord trusted{.seen = clock_.Now()};
  const SteadyInstant steady = clock_.Steady();
  RETURN_IF_ERROR(Write(engine_, trusted, store::Expectation::None()));
  Tell(std::exchange(latest_, trusted), trusted);
  looked_at_ = steady;
  return trusted.seen;
}

std::optional<std::string> ClockWitness::Problem() {
  const std::scoped_lock lock(mutex_);
  return latest_.doubt ? std::optional(Describe(*latest_.doubt)) : std::nullopt;
}

Result<Instant> ReadBelievedTime(store::Engine& engine, const Clock& clock) {
  const Instant now = clock.Now();
  ASSIGN_OR_RETURN(const Known known, Load(engine, now));
  return BelievedTime(Observe(known.record, now, std::chrono::milliseconds::zero()));
}

JobSpec MakeClockJob(ClockWitness& witness, std::function<void(Instant)> horizon) {
  return {.name = "jobs.watch-clock",
          .schedule = Every{.period = std::chrono::minutes(1)},
          .retry = {.attempts_max = 1},
          .run = [&witness, horizon = std::move(horizon)](JobContext&) -> Result<void> {
            ASSIGN_OR_RETURN(const ClockRecord record, witness.Look());
            horizon(BelievedTime(record));
            return {};
          }};
}

}  // namespace atrium::jobs
