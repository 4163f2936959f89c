// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/jobs_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "app/command_line.h"
#include "app/control_client.h"
#include "app/durable_file.h"
#include "app/housekeeping.h"
#include "app/job_reports.h"
#include "app/open_store.h"
#include "app/progress.h"
#include "app/rooms.h"
#include "app/secrets.h"
#include "app/store_commands.h"
#include "app/store_operations.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/instant.h"
#include "base/json_write.h"
#include "base/result.h"
#include "engines/rocksdb/engine.h"
#include "jobs/clock_witness.h"
#include "jobs/job.h"
#include "jobs/ledger.h"
#include "jobs/records.h"
#include "jobs/runner.h"
#include "jobs/store_ledger.h"
#include "store/store.h"

namespace atrium::app {
namespace {

using Runs = std::vector<jobs::RunRecord>;

std::string Seconds(std::int64_t milliseconds) {
  return fmt::format("{:.1f} s", static_cast<double>(milliseconds) / 1000);
}

/// What there is to say about a run besides its outcome.
std::string Remark(const jobs::RunRecord& run) {
  return run.error.empty() ? run.progress : run.error;
}

std::string RenderText(const std::vector<JobReport>& jobs) {
  constexpr const char* kLine = "{:<24}{:<22}{:<12}{:<26}{}\n";
  std::string text = fmt::format(kLine, "JOB", "SCHEDULE", "LAST", "STARTED", "NEXT");
  for (const JobReport& job : jobs) {
    const std::string last = job.running    ? "running"
                             : job.last_run ? std::string(jobs::Name(job.last_run->outcome))
                                            : "-";
    const std::string started = job.running    ? RenderInstant(job.running->started)
                                : job.last_run ? RenderInstant(job.last_run->started)
                                               : "-";
    text += fmt::format(kLine, job.name, job.schedule, last, started,
                        job.next_run ? RenderInstant(*job.next_run) : "-");
  }
  return text;
}

std::string RenderText(const Runs& runs) {
  constexpr const char* kLine = "{:<26}{:<12}{:>10}{:>9}  {:<18}{}\n";
  std::string text =
      fmt::format(kLine, "STARTED", "OUTCOME", "TIME", "ATTEMPT", "SERVER", "REMARK");
  for (const jobs::RunRecord& run : runs) {
    text += fmt::format(kLine, RenderInstant(run.started), jobs::Name(run.outcome),
                        Seconds(run.duration_ms), run.attempt, run.server, Remark(run));
  }
  return text;
}

std::string RenderText(const jobs::RunRecord& run) {
  const std::string remark = Remark(run);
  return fmt::format("{} in {}{}{}\n", jobs::Name(run.outcome), Seconds(run.duration_ms),
                     remark.empty() ? "" : ": ", remark);
}

std::string RenderText(const ClockReport& report) {
  return fmt::format("the clock is believed: it is {}\n", RenderInstant(report.now));
}

/// Jobs whose server is not running: the command is the server for as long as it takes.
class StoppedJobs {
 public:
  static Result<std::unique_ptr<StoppedJobs>> Open(const Config& config, const Catalog& catalog) {
    std::unique_ptr<StoppedJobs> made(new StoppedJobs(config));
    ASSIGN_OR_RETURN(made->engine_, OpenStoppedStore(config, made->clock_));
    ASSIGN_OR_RETURN(const std::string server, LoadServerName(config.data));
    made->operations_.emplace(*made->engine_, catalog, config, made->clock_);
    made->store_.emplace(*made->engine_, made->clock_);
    ASSIGN_OR_RETURN(const ServerSecrets secrets, LoadServerSecrets(config));
    ASSIGN_OR_RETURN(made->rooms_, Rooms::Make(config, secrets, *made->store_, made->clock_));
    made->ledger_.emplace(*made->engine_);
    made->witness_.emplace(*made->engine_, made->clock_);
    made->runner_.emplace(*made->ledger_, made->clock_,
                          jobs::RunnerOptions{.server = server, .witness = &*made->witness_});
    return made;
  }

  Result<std::vector<JobReport>> List() {
    RETURN_IF_ERROR(Register(AllJobs()));
    ASSIGN_OR_RETURN(const std::vector<jobs::JobStatus> jobs, runner_->List());
    return ReportOf(jobs);
  }

  Result<Runs> History(const JobsHistory& asked) {
    RETURN_IF_ERROR(Register(AllJobs()));
    ASSIGN_OR_RETURN(const std::vector<jobs::FinishedRun> runs,
                     runner_->History(asked.name, asked.limit));
    return ReportOf(runs);
  }

  Result<ClockReport> TrustClock() { return app::TrustClock(*witness_); }

  Result<jobs::RunRecord> Run(const std::string& name, ProgressDisplay& display) {
    // The runner runs whatever is due, so it must know no other job.
    std::vector<jobs::JobSpec> wanted = AllJobs();
    std::erase_if(wanted, [&](const jobs::JobSpec& job) { return job.name != name; });
    for (jobs::JobSpec& job : wanted) {
      job.run = Shown(std::move(job.run), display);
    }
    RETURN_IF_ERROR(Register(std::move(wanted)));
    RETURN_IF_ERROR(runner_->RunNow(name));
    runner_->RunDue();
    ASSIGN_OR_RETURN(const std::vector<jobs::FinishedRun> runs, runner_->History(name, 1));
    if (runs.empty()) {
      return Fail(ErrorCode::kUnavailable, "job " + name + " could not be run");
    }
    return jobs::RecordOf(runs.front());
  }

 private:
  explicit StoppedJobs(const Config& config) : config_(config) {}

  std::vector<jobs::JobSpec> AllJobs() {
    std::vector<jobs::JobSpec> all = HousekeepingJobs(config_, clock_, *operations_);
    all.push_back(jobs::MakeClockJob(
        *witness_, [this](Instant believed) { engine_->SetErasureHorizon(believed); }));
    std::ranges::move(rooms_->Jobs(), std::back_inserter(all));
    return all;
  }

  Result<void> Register(std::vector<jobs::JobSpec> jobs) {
    for (jobs::JobSpec& job : jobs) {
      RETURN_IF_ERROR(runner_->Register(std::move(job)));
    }
    return {};
  }

  static std::function<Result<void>(jobs::JobContext&)> Shown(
      std::function<Result<void>(jobs::JobContext&)> run, ProgressDisplay& display) {
    return [run = std::move(run), &display](jobs::JobContext& context) {
      const auto report = [&](const std::string& progress) {
        display.Show(progress);
        context.Report(progress);
      };
      jobs::JobContext shown(context.StopToken(), {.report = report,
                                                   .renew = [&] { return context.Renew(); },
                                                   .name = std::string(context.Terms().trace)});
      return run(shown);
    };
  }

  const Config& config_;
  const SystemClock clock_;
  std::unique_ptr<rocks::RocksEngine> engine_;
  std::optional<StoreOperations> operations_;
  std::optional<store::Store> store_;
  std::unique_ptr<Rooms> rooms_;
  std::optional<jobs::StoreLedger> ledger_;
  std::optional<jobs::ClockWitness> witness_;
  std::optional<jobs::Runner> runner_;
};

Result<jobs::RunRecord> RunThere(const ControlClient& server, const std::string& name,
                                 ProgressDisplay& display) {
  const std::string path = "/control/jobs/" + name;
  ASSIGN_OR_RETURN(const JobStateReport before, server.Post<JobStateReport>(path + "/run"));
  // One revision for the beginning, one for the end.
  const std::uint64_t wanted = before.revision + 2;
  JobStateReport state;
  while (state.revision < wanted || !state.last_run) {
    ASSIGN_OR_RETURN(state, server.Get<JobStateReport>(path + "/after/" + std::to_string(wanted)));
    display.Show(state.progress);
  }
  return *state.last_run;
}

/// One command, by the kind of its action.
struct Performer {
  const Config& config;
  const Catalog& catalog;
  const JobsCommand& command;
  const std::optional<ControlClient>& server;

  template <typename Report>
  CommandOutput Print(const Report& report) const {
    return {.text =
                command.format == OutputFormat::kJson ? ToJson(report) + "\n" : RenderText(report)};
  }

  Result<std::unique_ptr<StoppedJobs>> Open() const { return StoppedJobs::Open(config, catalog); }

  Result<CommandOutput> operator()(const JobsList& /*action*/) const {
    std::vector<JobReport> jobs;
    if (server) {
      ASSIGN_OR_RETURN(jobs, server->Get<std::vector<JobReport>>("/control/jobs"));
    } else {
      ASSIGN_OR_RETURN(const std::unique_ptr<StoppedJobs> stopped, Open());
      ASSIGN_OR_RETURN(jobs, stopped->List());
    }
    return Print(jobs);
  }

  Result<CommandOutput> operator()(const JobsHistory& action) const {
    Runs runs;
    if (server) {
      ASSIGN_OR_RETURN(runs, server->Get<Runs>(fmt::format("/control/jobs/{}/history/{}",
                                                           action.name, action.limit)));
    } else {
      ASSIGN_OR_RETURN(const std::unique_ptr<StoppedJobs> stopped, Open());
      ASSIGN_OR_RETURN(runs, stopped->History(action));
    }
    return Print(runs);
  }

  Result<CommandOutput> operator()(const JobsTrustClock& /*action*/) const {
    ClockReport report;
    if (server) {
      ASSIGN_OR_RETURN(report, server->Post<ClockReport>("/control/jobs/trust-clock"));
    } else {
      ASSIGN_OR_RETURN(const std::unique_ptr<StoppedJobs> stopped, Open());
      ASSIGN_OR_RETURN(report, stopped->TrustClock());
    }
    return Print(report);
  }

  Result<CommandOutput> operator()(const JobsRun& action) const {
    ProgressDisplay display(action.name, command.progress);
    jobs::RunRecord run;
    if (server) {
      ASSIGN_OR_RETURN(run, RunThere(*server, action.name, display));
    } else {
      ASSIGN_OR_RETURN(const std::unique_ptr<StoppedJobs> stopped, Open());
      ASSIGN_OR_RETURN(run, stopped->Run(action.name, display));
    }
    CommandOutput output = Print(run);
    output.well = run.outcome == jobs::Outcome::kSucceeded;
    return output;
  }
};

/// A name goes into a path; what no job is called is not asked for.
Result<void> CheckName(const std::string& name) {
  const bool good = !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-';
  });
  return good ? Result<void>() : Fail(ErrorCode::kNotFound, "there is no job " + name);
}

}  // namespace

Result<CommandOutput> PerformJobsCommand(const Config& config, const Catalog& catalog,
                                         const JobsCommand& command) {
  if (const auto* run = std::get_if<JobsRun>(&command.action)) {
    RETURN_IF_ERROR(CheckName(run->name));
  }
  if (const auto* history = std::get_if<JobsHistory>(&command.action)) {
    RETURN_IF_ERROR(CheckName(history->name));
  }
  ASSIGN_OR_RETURN(const std::optional<ControlClient> server, ControlClient::Find(config));
  return std::visit(
      Performer{.config = config, .catalog = catalog, .command = command, .server = server},
      command.action);
}

}  // namespace atrium::app
