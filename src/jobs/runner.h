// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "jobs/clock_witness.h"
#include "jobs/job.h"
#include "jobs/ledger.h"
#include "jobs/plan.h"
#include "jobs/schedule.h"

namespace atrium::jobs {

struct RunnerOptions {
  /// Names this server in leases and history; differs between the servers of an installation.
  std::string server;
  /// How many jobs run at once.
  unsigned threads = 2;
  /// How often the ledger is asked what is due.
  std::chrono::milliseconds poll{1000};
  /// Fractions in [0, 1) that spread retries; null: random ones.
  std::function<double()> fraction{};
  /// Asked before each run of a job that erases by age; null: the clock is always believed.
  ClockWitness* witness = nullptr;
};

/// One line of the admin page.
struct JobStatus {
  std::string name;
  Schedule schedule;
  std::optional<FinishedRun> last_run{};
  /// nullopt: only when asked for.
  std::optional<Instant> next_run{};
  /// Set while some server runs it.
  std::optional<ActiveRun> running{};
  /// What the job said last, if it runs here.
  std::string progress{};
};

/// Runs due jobs on its own threads: each job once at a time, in the whole installation.
///
/// Jobs are registered, then Start() is called; from then on all members may be called from any
/// thread. Leases are renewed while jobs run; a job whose lease is lost all the same is asked to
/// stop. Failures are retried as the job says, and every run ends up in the ledger's history.
/// `ledger` and `clock` outlive the runner.
class Runner {
 public:
  Runner(Ledger& ledger, const Clock& clock, RunnerOptions options);
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;
  /// Stops first.
  ~Runner();

  /// kInvalidArgument for a spec that cannot be run, kAlreadyExists for a second one of the same
  /// name, kConflict after Start().
  Result<void> Register(JobSpec spec);

  /// Starts the threads. Once; without effect afterwards.
  void Start();

  /// Drains: no job is begun any more, running ones are asked to stop, and it waits until all have
  /// returned and given back their leases. As long as that takes: a job that ignores its stop token
  /// holds up the server. Not to be called by a job. Without effect the second time.
  void Stop();

  /// Has the job run by this server as soon as a thread is free, whatever its schedule says.
  /// kNotFound for an unknown name, kConflict while it runs on any server, kUnavailable once
  /// stopped.
  Result<void> RunNow(std::string_view name);

  /// All jobs, in the order of their registration.
  Result<std::vector<JobStatus>> List();

  /// The newest runs first. kNotFound for an unknown name.
  Result<std::vector<FinishedRun>> History(std::string_view name, std::size_t limit);

  /// One round of what Start() repeats by itself: renews the leases of running jobs and queues the
  /// jobs that are due.
  void Tick();

  /// One Tick, then runs the queue on the calling thread until it is empty; answers how many jobs
  /// ran. For tests and for a command that runs what is due and ends; without Start().
  std::size_t RunDue();

 private:
  /// A run of this server.
  struct Local {
    Lease lease;
    std::stop_source stop;
    std::string progress;
  };
  struct Entry {
    JobSpec spec;
    // The rest is guarded by mutex_.
    /// In the queue or on a thread: not to be queued again.
    bool claimed = false;
    /// By RunNow, until a run has begun.
    bool requested = false;
    /// Set while it runs.
    std::unique_ptr<Local> local{};
    /// It could not be begun, which was said. Used by whoever has claimed it.
    bool refused = false;
  };

  void Schedule(const std::stop_token& stop);
  void Work(const std::stop_token& stop);
  void QueueDue();
  void RenewLeases();
  bool Enqueue(Entry& entry);
  Entry* TakeQueued();
  void Unclaim(Entry& entry);

  Result<bool> IsDue(Entry& entry);
  bool RunIfDue(Entry& entry);
  Result<std::optional<ActiveRun>> Begin(Entry& entry);
  Result<void> CallInTime(const JobSpec& spec, JobContext& context);
  void Execute(Entry& entry, const ActiveRun& active);
  void Conclude(Entry& entry, const ActiveRun& active, FinishedRun run);
  Result<void> Renew(Entry& entry);

  std::vector<Entry*> Entries();
  Result<Entry*> Load(std::string_view name);
  double Fraction() const;

  Ledger& ledger_;
  const Clock& clock_;
  const RunnerOptions options_;

  /// Start and Stop one after the other; taken before mutex_.
  std::mutex lifecycle_mutex_;
  // Guarded by lifecycle_mutex_.
  std::vector<std::jthread> workers_;
  std::jthread scheduler_;

  /// Never held while the ledger or a job is called.
  std::mutex mutex_;
  std::condition_variable_any wake_workers_;
  std::condition_variable_any wake_scheduler_;
  // Guarded by mutex_. Entries are never removed, so pointers to them stay valid.
  std::vector<std::unique_ptr<Entry>> entries_;
  std::deque<Entry*> queue_;
  bool started_ = false;
  bool stopping_ = false;
  bool nudged_ = false;
};

}  // namespace atrium::jobs
