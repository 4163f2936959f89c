// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.h"
#include "base/result.h"

namespace atrium::jobs {

enum class Outcome : std::uint8_t {
  kSucceeded,
  kFailed,
  kStopped,  ///< Ended early because its server stopped; run again soon, not counted as a failure.
  kAbandoned,  ///< Its server vanished: the lease ran out before an outcome was written.
};

/// "succeeded", "failed", "stopped", "abandoned".
std::string_view Name(Outcome outcome);

/// One run that is over, as the history keeps it.
struct FinishedRun {
  std::string server;
  /// From 1; grows while retries follow a failure.
  unsigned attempt = 1;
  Instant started{};
  std::chrono::milliseconds duration{};
  Outcome outcome = Outcome::kSucceeded;
  /// Why it failed; empty when it did not.
  std::string error{};
  /// The last words of the job about its progress.
  std::string progress{};
};

/// The right to run a job. `token` is never given out twice for one job, so a server that lost its
/// lease cannot pass for the one that has it now.
struct Lease {
  std::string job;
  std::string server;
  std::uint64_t token = 0;
  Instant renewed_at{};
  std::chrono::seconds duration{};
};

/// Whether nobody else may take it over. A renewal further away from `now` than the duration, in
/// either direction, does not protect: after a clock was set back the job must not wait until the
/// old time comes round again.
bool IsLive(const Lease& lease, Instant now);

/// A run that has begun.
struct ActiveRun {
  Lease lease;
  Instant started{};
  unsigned attempt = 1;
};

/// All that is remembered of a job but its history. The empty state is that of a job never run.
struct JobState {
  /// Grows with each Acquire and Finish.
  std::uint64_t revision = 0;
  std::optional<ActiveRun> active{};
  std::optional<FinishedRun> last_run{};
  /// When the next attempt follows the last run, if one does.
  std::optional<Instant> retry_at{};
};

struct AcquireRequest {
  std::string job;
  std::string server;
  /// The revision of the state on which the decision to run was based.
  std::uint64_t revision = 0;
  unsigned attempt = 1;
  Instant now{};
  std::chrono::seconds duration{};
};

struct FinishRequest {
  FinishedRun run;
  std::optional<Instant> retry_at{};
};

/// Where jobs write down their leases and runs, shared by all servers of an installation.
///
/// Each call is atomic and durable when it returns, and may block. Errors of the ledger itself
/// are kUnavailable. Any thread.
class Ledger {
 public:
  Ledger() = default;
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;
  virtual ~Ledger() = default;

  /// What is known now. A job nobody has run has the empty state, not an error. Never older than
  /// what this server wrote last.
  virtual Result<JobState> Read(const std::string& job) = 0;

  /// Begins a run: takes the lease and writes down start and attempt, both or neither. nullopt, and
  /// nothing is changed, when the state is no longer at `revision` or a live lease exists; the
  /// caller reads again later. Of several servers that saw the same state exactly one succeeds,
  /// which is what keeps a job from being run twice for one due time. An active run whose lease is
  /// not live any more goes into the history as kAbandoned and becomes the last run; the time of
  /// the next attempt is forgotten.
  virtual Result<std::optional<Lease>> Acquire(const AcquireRequest& request) = 0;

  /// Extends the lease: its time counts from `now` again. Succeeds also when the time had run out,
  /// as long as nobody took the job over. kConflict when somebody did, or when the run is finished.
  virtual Result<void> Renew(const Lease& lease, Instant now) = 0;

  /// Ends a run: gives the lease back, adds `run` to the history, makes it the last run and
  /// remembers `retry_at`, all or nothing. kConflict, and nothing is written, when the lease is not
  /// the current one any more.
  virtual Result<void> Finish(const Lease& lease, const FinishRequest& finish) = 0;

  /// The newest runs that are over, newest first, at most `limit`. How many are kept is the
  /// ledger's choice, but it is bounded and at least 20 for each job.
  virtual Result<std::vector<FinishedRun>> History(const std::string& job, std::size_t limit) = 0;
};

}  // namespace atrium::jobs
