// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <stop_token>
#include <string>
#include <utility>

#include "base/result.h"
#include "jobs/schedule.h"
#include "store/op_context.h"

namespace atrium::jobs {

/// How a running job reaches its runner.
struct JobHooks {
  std::function<void(std::string)> report = [](const std::string& /*progress*/) {};
  std::function<Result<void>()> renew = [] { return Result<void>(); };
  /// Of the job.
  std::string name = "job";
};

/// What a running job sees of the runner. Belongs to the run; its members may be called from any
/// thread while the run lasts. A test of a job makes one by hand.
class JobContext {
 public:
  explicit JobContext(std::stop_token stop, JobHooks hooks = {})
      : stop_(std::move(stop)), hooks_(std::move(hooks)) {}

  /// Requested when the server stops and when the lease was lost. The job then returns soon, with
  /// whatever error fits; it is run again later.
  const std::stop_token& StopToken() const { return stop_; }
  bool ShouldStop() const { return stop_.stop_requested(); }

  /// A few words for the admin page: "412 of 2000 channels". The last ones stay in the history.
  void Report(std::string progress) { hooks_.report(std::move(progress)); }

  /// Makes sure that the job is still this server's, before a step that must not happen twice.
  /// The runner renews leases by itself, so a job that has no such step never calls it.
  /// kConflict: the lease is lost, and the stop token is requested.
  Result<void> Renew() { return hooks_.renew(); }

  /// On which terms the job asks the store: under its name, and no call hangs. Valid as long as the
  /// context.
  store::OpContext Terms() const { return store::OpContext::ForWork(hooks_.name); }

 private:
  std::stop_token stop_;
  JobHooks hooks_;
};

/// A piece of background work. `run` blocks, is called by one thread at a time in the whole
/// installation, and must bear being run again after a crash half-way.
struct JobSpec {
  /// Lower-case letters, digits, dots and hyphens, at most 64: "calendar.purge-trash".
  std::string name;
  Schedule schedule;
  /// How long after a crash of its server the job stays reserved for it.
  std::chrono::seconds lease{60};
  RetryPolicy retry{};
  /// Whether it erases what has reached some age. It then waits while the clock of the machine is
  /// in doubt: see clock_witness.h.
  bool erases_by_age = false;
  std::function<Result<void>(JobContext&)> run{};
};

/// Refuses with kInvalidArgument what cannot be run: a bad name or schedule, a lease shorter than a
/// second, no attempts, nothing to run.
Result<void> Validate(const JobSpec& spec);

/// Runs it. What it throws becomes kInternal: a job runs on a thread of ours, and would end the
/// server.
Result<void> Call(const JobSpec& spec, JobContext& context);

}  // namespace atrium::jobs
