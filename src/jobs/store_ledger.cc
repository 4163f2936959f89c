// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/store_ledger.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/instant.h"
#include "base/result.h"
#include "jobs/keys.h"
#include "jobs/ledger.h"
#include "jobs/records.h"
#include "store/engine.h"
#include "store/limits.h"
#include "store/op_context.h"
#include "store/record.h"
#include "store/row.h"
#include "store/write_set.h"

namespace atrium::jobs {
namespace {

/// How often a change is decided anew because others changed the job. Each round somebody gets on,
/// and no more than a few servers care for one job.
constexpr int kRoundsMax = 16;

constexpr store::OpContext kOp = store::OpContext::ForWork("jobs", store::Consistency::kWrites);

/// Whatever else goes wrong in the store, the runner can only try again later.
std::unexpected<Error> LedgerFailure(Error error) {
  if (error.code != ErrorCode::kCorrupt) {
    error.code = ErrorCode::kUnavailable;
  }
  return While("ledger of jobs", std::move(error));
}

std::unexpected<Error> LeaseLost(const Lease& lease) {
  return Fail(ErrorCode::kConflict, "the lease of job " + lease.job + " is lost");
}

bool Holds(const StateRecord& state, const Lease& lease) {
  return state.active && state.active->token == lease.token;
}

RunRecord Abandoned(const ActiveRecord& active) {
  // The lease ran out at the latest sign of life plus its duration; more is not known.
  const Instant seen_last = active.renewed_at + std::chrono::seconds(active.lease_s);
  return {.server = active.server,
          .attempt = active.attempt,
          .started = active.started,
          .duration_ms = (seen_last - active.started).count(),
          .outcome = Outcome::kAbandoned,
          .error = "the server that ran it vanished"};
}

}  // namespace

Result<StoreLedger::State> StoreLedger::Load(const std::string& job) {
  Result<std::optional<store::Row>> row = engine_.Get(kOp, kJobStates, StateKey(job));
  if (!row) {
    return LedgerFailure(std::move(row).error());
  }
  if (!row->has_value()) {
    return State();
  }
  Result<State> state = store::DecodeRecord<StateRecord>((*row)->document, (*row)->version);
  return state ? std::move(state) : LedgerFailure(std::move(state).error());
}

/// As an engine does, and kConflict when the state is not the one that was read any more.
Result<void> StoreLedger::Write(const std::string& job, const Change& change) {
  const bool fresh = change.state.version == store::Version();
  store::WriteSet writes;
  writes.mutations.emplace_back(
      store::Put{.table = &kJobStates,
                 .key = StateKey(job),
                 .document = store::EncodeRecord(change.state.record, change.state.unknown),
                 .expect = fresh ? store::Expectation::Absent()
                                 : store::Expectation::At(change.state.version)});
  if (change.ended) {
    writes.mutations.emplace_back(store::Append{.table = &kJobRuns,
                                                .partition = job,
                                                .document = store::EncodeRecord(*change.ended),
                                                .keep = kRunsKept});
  }
  RETURN_IF_ERROR(engine_.Commit(kOp, std::move(writes)));
  return {};
}

template <typename Decide>
Result<bool> StoreLedger::Alter(const std::string& job, const Decide& decide) {
  std::optional<StateRecord> unsure;
  for (int round = 0; round < kRoundsMax; ++round) {
    ASSIGN_OR_RETURN(State state, Load(job));
    if (unsure == state.record) {
      return true;  // It was written after all.
    }
    unsure.reset();
    ASSIGN_OR_RETURN(const std::optional<Change> change, decide(std::move(state)));
    if (!change) {
      return false;
    }
    Result<void> written = Write(job, *change);
    if (written) {
      return true;
    }
    if (written.error().code == ErrorCode::kOutcomeUnknown) {
      unsure = change->state.record;
    } else if (written.error().code != ErrorCode::kConflict) {
      return LedgerFailure(std::move(written).error());
    }
  }
  return Fail(ErrorCode::kUnavailable, "job " + job + " is changed by too many at once");
}

Result<JobState> StoreLedger::Read(const std::string& job) {
  ASSIGN_OR_RETURN(const State state, Load(job));
  return StateOf(job, state.record);
}

Result<std::optional<Lease>> StoreLedger::Acquire(const AcquireRequest& request) {
  const Result<bool> begun = Alter(request.job, [&](State state) -> Result<std::optional<Change>> {
    StateRecord& record = state.record;
    const JobState now = StateOf(request.job, record);
    if (record.revision != request.revision ||
        (now.active && IsLive(now.active->lease, request.now))) {
      return std::nullopt;
    }
    std::optional<RunRecord> ended;
    if (record.active) {
      ended = Abandoned(*record.active);
      record.last_run = ended;
    }
    ++record.revision;
    // Revisions only grow, so none is given out twice.
    record.active = ActiveRecord{.server = request.server,
                                 .token = record.revision,
                                 .attempt = request.attempt,
                                 .started = request.now,
                                 .renewed_at = request.now,
                                 .lease_s = request.duration.count()};
    record.retry_at.reset();
    return Change{.state = std::move(state), .ended = std::move(ended)};
  });
  if (!begun) {
    return std::unexpected(begun.error());
  }
  if (!*begun) {
    return std::nullopt;
  }
  return Lease{.job = request.job,
               .server = request.server,
               .token = request.revision + 1,
               .renewed_at = request.now,
               .duration = request.duration};
}

Result<void> StoreLedger::Renew(const Lease& lease, Instant now) {
  const Result<bool> done = Alter(lease.job, [&](State state) -> Result<std::optional<Change>> {
    if (!Holds(state.record, lease)) {
      return LeaseLost(lease);
    }
    state.record.active->renewed_at = now;
    return Change{.state = std::move(state)};
  });
  return done ? Result<void>() : std::unexpected(done.error());
}

Result<void> StoreLedger::Finish(const Lease& lease, const FinishRequest& finish) {
  const Result<bool> done = Alter(lease.job, [&](State state) -> Result<std::optional<Change>> {
    if (!Holds(state.record, lease)) {
      return LeaseLost(lease);
    }
    RunRecord run = RecordOf(finish.run);
    state.record.active.reset();
    state.record.last_run = run;
    state.record.retry_at = finish.retry_at;
    ++state.record.revision;
    return Change{.state = std::move(state), .ended = std::move(run)};
  });
  return done ? Result<void>() : std::unexpected(done.error());
}

Result<std::vector<FinishedRun>> StoreLedger::History(const std::string& job, std::size_t limit) {
  std::vector<FinishedRun> runs;
  std::optional<Error> broken;
  store::FunctionSink sink([&](const store::RowView& row) {
    Result<store::Stored<RunRecord>> run =
        store::DecodeRecord<RunRecord>(row.document, row.version);
    if (run) {
      runs.push_back(RunOf(run->record));
    } else {
      broken = std::move(run).error();
    }
  });
  store::ScanRequest request{.table = &kJobRuns,
                             .partition = job,
                             .range = {.from = store::SequenceKey(1)},
                             .direction = store::Direction::kBackward};
  limit = std::min<std::size_t>(limit, kRunsKept);
  while (runs.size() < limit && !broken) {
    request.limit = limit - runs.size();
    Result<store::ScanEnd> end = engine_.Scan(kOp, request, sink);
    if (!end) {
      return LedgerFailure(std::move(end).error());
    }
    if (!end->resume) {
      break;
    }
    request.after = std::move(end->resume);
  }
  if (broken) {
    return LedgerFailure(*std::move(broken));
  }
  return runs;
}

}  // namespace atrium::jobs
