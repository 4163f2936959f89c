// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/runner.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/random.h"
#include "base/result.h"
#include "jobs/job.h"
#include "jobs/ledger.h"
#include "jobs/plan.h"

namespace atrium::jobs {
namespace {

Outcome OutcomeOf(const Result<void>& result, const std::stop_token& stop) {
  if (result) {
    return Outcome::kSucceeded;
  }
  return stop.stop_requested() ? Outcome::kStopped : Outcome::kFailed;
}

void WarnOf(std::string_view what, const std::string& job, const Error& error) {
  log::Warn(what, {{"job", job}, {"error", Describe(error)}});
}

}  // namespace

Runner::Runner(Ledger& ledger, const Clock& clock, RunnerOptions options)
    : ledger_(ledger), clock_(clock), options_(std::move(options)) {}

Runner::~Runner() {
  Stop();
}

Result<void> Runner::Register(JobSpec spec) {
  RETURN_IF_ERROR(Validate(spec));
  const std::scoped_lock lock(mutex_);
  if (started_) {
    return Fail(ErrorCode::kConflict, "jobs are registered before the runner starts");
  }
  if (std::ranges::any_of(entries_, [&](const auto& e) { return e->spec.name == spec.name; })) {
    return Fail(ErrorCode::kAlreadyExists, "there is a job " + spec.name + " already");
  }
  entries_.push_back(std::make_unique<Entry>(Entry{.spec = std::move(spec)}));
  return {};
}

void Runner::Start() {
  const std::scoped_lock lifecycle(lifecycle_mutex_);
  {
    const std::scoped_lock lock(mutex_);
    if (started_ || stopping_) {
      return;
    }
    started_ = true;
  }
  for (unsigned i = 0; i < options_.threads; ++i) {
    workers_.emplace_back([this](const std::stop_token& stop) { Work(stop); });
  }
  scheduler_ = std::jthread([this](const std::stop_token& stop) { Schedule(stop); });
}

void Runner::Stop() {
  const std::scoped_lock lifecycle(lifecycle_mutex_);
  std::vector<std::stop_source> running;
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
    for (Entry* entry : queue_) {
      entry->claimed = false;
    }
    queue_.clear();
    for (const auto& entry : entries_) {
      if (entry->local) {
        running.push_back(entry->local->stop);
      }
    }
  }
  // Outside the lock: it calls back into the jobs.
  for (std::stop_source& source : running) {
    source.request_stop();
  }
  // The scheduler goes last, so that leases are renewed until their jobs have returned.
  for (std::jthread& worker : workers_) {
    worker.request_stop();
  }
  workers_.clear();
  scheduler_ = std::jthread();
}

Result<void> Runner::RunNow(std::string_view name) {
  ASSIGN_OR_RETURN(Entry* const entry, Load(name));
  ASSIGN_OR_RETURN(const JobState state, ledger_.Read(entry->spec.name));
  if (MakePlan(entry->spec, state, clock_.Now()).held) {
    return Fail(ErrorCode::kConflict, "job " + entry->spec.name + " is running already");
  }
  {
    const std::scoped_lock lock(mutex_);
    if (stopping_) {
      return Fail(ErrorCode::kUnavailable, "the server is stopping");
    }
    entry->requested = true;
    nudged_ = true;
  }
  wake_scheduler_.notify_one();
  return {};
}

Result<std::vector<JobStatus>> Runner::List() {
  std::vector<JobStatus> list;
  for (Entry* entry : Entries()) {
    ASSIGN_OR_RETURN(const JobState state, ledger_.Read(entry->spec.name));
    const Plan plan = MakePlan(entry->spec, state, clock_.Now());
    const std::scoped_lock lock(mutex_);
    list.push_back({.name = entry->spec.name,
                    .schedule = entry->spec.schedule,
                    .last_run = state.last_run,
                    .next_run = entry->requested ? clock_.Now() : plan.at,
                    .running = plan.held ? state.active : std::nullopt,
                    .progress = entry->local ? entry->local->progress : ""});
  }
  return list;
}

Result<std::vector<FinishedRun>> Runner::History(std::string_view name, std::size_t limit) {
  ASSIGN_OR_RETURN(const Entry* const entry, Load(name));
  return ledger_.History(entry->spec.name, limit);
}

void Runner::Tick() {
  RenewLeases();
  QueueDue();
}

std::size_t Runner::RunDue() {
  Tick();
  std::size_t count = 0;
  while (Entry* entry = TakeQueued()) {
    count += RunIfDue(*entry) ? 1 : 0;
    Unclaim(*entry);
  }
  return count;
}

void Runner::Schedule(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    Tick();
    std::unique_lock lock(mutex_);
    wake_scheduler_.wait_for(lock, stop, options_.poll, [this] { return nudged_; });
    nudged_ = false;
  }
}

void Runner::Work(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    {
      std::unique_lock lock(mutex_);
      wake_workers_.wait(lock, stop, [this] { return !queue_.empty(); });
    }
    if (Entry* entry = TakeQueued()) {
      RunIfDue(*entry);
      Unclaim(*entry);
    }
  }
}

void Runner::QueueDue() {
  for (Entry* entry : Entries()) {
    const Result<bool> due = IsDue(*entry);
    if (!due) {
      // One line for all of them: the ledger is the same for every job.
      WarnOf("jobs cannot be scheduled", entry->spec.name, due.error());
      return;
    }
    if (*due && Enqueue(*entry)) {
      wake_workers_.notify_one();
    }
  }
}

bool Runner::Enqueue(Entry& entry) {
  const std::scoped_lock lock(mutex_);
  if (stopping_ || entry.claimed) {
    return false;
  }
  entry.claimed = true;
  queue_.push_back(&entry);
  return true;
}

Runner::Entry* Runner::TakeQueued() {
  const std::scoped_lock lock(mutex_);
  if (queue_.empty()) {
    return nullptr;
  }
  Entry* entry = queue_.front();
  queue_.pop_front();
  return entry;
}

void Runner::Unclaim(Entry& entry) {
  const std::scoped_lock lock(mutex_);
  entry.claimed = false;
}

Result<bool> Runner::IsDue(Entry& entry) {
  {
    const std::scoped_lock lock(mutex_);
    if (entry.claimed) {
      return false;
    }
    if (entry.requested) {
      return true;
    }
  }
  ASSIGN_OR_RETURN(const JobState state, ledger_.Read(entry.spec.name));
  const Instant now = clock_.Now();
  return MakePlan(entry.spec, state, now).IsDue(now);
}

bool Runner::RunIfDue(Entry& entry) {
  const auto begun = Begin(entry);
  if (!begun) {
    // Said once: it is tried again each second, and a full disk may stay full for days.
    if (!std::exchange(entry.refused, true)) {
      WarnOf("job cannot be begun", entry.spec.name, begun.error());
    }
    return false;
  }
  entry.refused = false;
  const std::optional<ActiveRun>& active = *begun;
  if (!active) {
    return false;
  }
  Execute(entry, *active);
  return true;
}

/// nullopt when it is not due after all, or another server was quicker.
Result<std::optional<ActiveRun>> Runner::Begin(Entry& entry) {
  ASSIGN_OR_RETURN(const JobState state, ledger_.Read(entry.spec.name));
  const Instant now = clock_.Now();
  const Plan plan = MakePlan(entry.spec, state, now);
  {
    const std::scoped_lock lock(mutex_);
    if (stopping_ || !(plan.IsDue(now) || entry.requested)) {
      return std::nullopt;
    }
  }
  const unsigned attempt = plan.IsDue(now) ? plan.attempt : 1;
  ASSIGN_OR_RETURN(const auto lease, ledger_.Acquire({.job = entry.spec.name,
                                                      .server = options_.server,
                                                      .revision = state.revision,
                                                      .attempt = attempt,
                                                      .now = now,
                                                      .duration = entry.spec.lease}));
  if (!lease) {
    return std::nullopt;
  }
  const std::scoped_lock lock(mutex_);
  entry.requested = false;
  entry.local = std::make_unique<Local>(Local{.lease = *lease, .stop = {}, .progress = {}});
  if (stopping_) {
    entry.local->stop.request_stop();
  }
  return ActiveRun{.lease = *lease, .started = now, .attempt = attempt};
}

/// What a job erases by its age is gone for good, so a clock that jumped keeps it from running.
Result<void> Runner::CallInTime(const JobSpec& spec, JobContext& context) {
  if (spec.erases_by_age && options_.witness != nullptr) {
    RETURN_IF_ERROR(options_.witness->CheckTrusted());
  }
  return Call(spec, context);
}

void Runner::Execute(Entry& entry, const ActiveRun& active) {
  std::stop_token stop;
  {
    const std::scoped_lock lock(mutex_);
    stop = entry.local->stop.get_token();
  }
  const auto report = [this, &entry](std::string progress) {
    const std::scoped_lock lock(mutex_);
    entry.local->progress = std::move(progress);
  };
  JobContext context(stop, {.report = report,
                            .renew = [this, &entry] { return Renew(entry); },
                            .name = entry.spec.name});
  const SteadyInstant began = clock_.Steady();
  const Result<void> result = CallInTime(entry.spec, context);
  const auto duration =
      std::chrono::duration_cast<std::chrono::milliseconds>(clock_.Steady() - began);
  Conclude(entry, active,
           {.server = options_.server,
            .attempt = active.attempt,
            .started = active.started,
            .duration = duration,
            .outcome = OutcomeOf(result, stop),
            .error = result ? "" : Describe(result.error())});
}

void Runner::Conclude(Entry& entry, const ActiveRun& active, FinishedRun run) {
  {
    const std::scoped_lock lock(mutex_);
    run.progress = std::move(entry.local->progress);
    entry.local.reset();
  }
  if (run.outcome == Outcome::kFailed) {
    log::Warn("job failed",
              {{"job", entry.spec.name}, {"attempt", run.attempt}, {"error", run.error}});
  }
  const auto retry_at = RetryAfter(entry.spec, run, clock_.Now(), Fraction());
  const Result<void> finished =
      ledger_.Finish(active.lease, {.run = std::move(run), .retry_at = retry_at});
  if (!finished) {
    WarnOf("outcome of job not written", entry.spec.name, finished.error());
  }
}

void Runner::RenewLeases() {
  for (Entry* entry : Entries()) {
    {
      const std::scoped_lock lock(mutex_);
      const Instant now = clock_.Now();
      if (!entry->local || entry->local->stop.stop_requested() ||
          std::chrono::abs(now - entry->local->lease.renewed_at) * 3 < entry->spec.lease) {
        continue;
      }
    }
    if (const Result<void> renewed = Renew(*entry); !renewed) {
      WarnOf("lease of job not renewed", entry->spec.name, renewed.error());
    }
  }
}

Result<void> Runner::Renew(Entry& entry) {
  Lease lease;
  std::stop_source stop;
  {
    const std::scoped_lock lock(mutex_);
    if (!entry.local) {
      return {};  // It returned in the meantime.
    }
    lease = entry.local->lease;
    stop = entry.local->stop;
  }
  const Instant now = clock_.Now();
  Result<void> renewed = ledger_.Renew(lease, now);
  if (!renewed) {
    // When the ledger cannot tell, the job goes on until others may have taken it over.
    if (renewed.error().code == ErrorCode::kConflict || !IsLive(lease, now)) {
      stop.request_stop();
    }
    return renewed;
  }
  const std::scoped_lock lock(mutex_);
  if (entry.local && entry.local->lease.token == lease.token) {
    entry.local->lease.renewed_at = now;
  }
  return {};
}

std::vector<Runner::Entry*> Runner::Entries() {
  const std::scoped_lock lock(mutex_);
  std::vector<Entry*> entries;
  entries.reserve(entries_.size());
  for (const auto& entry : entries_) {
    entries.push_back(entry.get());
  }
  return entries;
}

Result<Runner::Entry*> Runner::Load(std::string_view name) {
  for (Entry* entry : Entries()) {
    if (entry->spec.name == name) {
      return entry;
    }
  }
  return Fail(ErrorCode::kNotFound, "there is no job " + std::string(name));
}

double Runner::Fraction() const {
  if (options_.fraction) {
    return options_.fraction();
  }
  std::uint32_t bits = 0;
  FillRandom(std::as_writable_bytes(std::span(&bits, 1)));
  return static_cast<double>(bits) / 4294967296.0;
}

}  // namespace atrium::jobs
