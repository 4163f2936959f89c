// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/files_commands.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "app/control_client.h"
#include "app/files_operations.h"
#include "app/open_store.h"
#include "app/progress.h"
#include "app/rooms.h"
#include "app/secret_input.h"
#include "app/secrets.h"
#include "app/store_operations.h"
#include "app/store_reports.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/json_write.h"
#include "engines/rocksdb/engine.h"
#include "store/store.h"

namespace atrium::app {
namespace {

std::string RenderText(const BlobStatsReport& report) {
  return fmt::format(
      "{:<12}{}\n{:<12}{}, {}\n{:<12}{}, {}\n{:<12}{}, {}, of which {} can be freed\n", "folder",
      report.folder, "blobs", report.count, RenderBytes(report.bytes), "own files",
      report.own_files, RenderBytes(report.own_bytes), "packs", report.packs,
      RenderBytes(report.pack_bytes), RenderBytes(report.dead_bytes));
}

std::string Remedy(const std::string& remedy) {
  return remedy.empty() ? "" : "; " + remedy;
}

std::string RenderText(const BlobVerificationReport& report) {
  std::string text;
  for (const BlobFindingLine& finding : report.list) {
    text += fmt::format("{} {}: {}{}\n", finding.id, finding.defect, finding.explanation,
                        Remedy(finding.remedy));
  }
  if (report.findings > report.list.size()) {
    text += fmt::format("and {} more\n", report.findings - report.list.size());
  }
  return text + fmt::format("{} blobs of {} read, {} findings, {} repaired\n", report.blobs,
                            RenderBytes(report.bytes), report.findings, report.repaired);
}

std::string RenderText(const files::Verification& report) {
  std::string text;
  for (const files::Defect& defect : report.list) {
    text +=
        fmt::format("{} {} {} {}: {}{}\n", defect.library.empty() ? "-" : defect.library, defect.of,
                    defect.id, defect.path, defect.explanation, Remedy(defect.remedy));
  }
  if (report.defects > report.list.size()) {
    text += fmt::format("and {} more\n", report.defects - report.list.size());
  }
  return text + fmt::format(
                    "{} libraries with {} states, {} commits, {} objects and {} blocks of {}: {} "
                    "defects, {} repaired\n",
                    report.libraries, report.states, report.commits, report.objects, report.blocks,
                    RenderBytes(report.bytes), report.defects, report.repaired);
}

std::string RenderText(const files::Collection& report) {
  std::string text;
  for (const std::string& library : report.damaged) {
    text += fmt::format("{} is damaged: nothing was collected there\n", library);
  }
  const auto line = [&](std::string_view what, const files::Amount& amount) {
    text += fmt::format("{:<20}{:>12}{:>14}\n", what, amount.count, RenderBytes(amount.bytes));
  };
  const auto count = [&](std::string_view what, std::uint64_t number) {
    text += fmt::format("{:<20}{:>12}\n", what, number);
  };
  count("libraries", report.libraries);
  line("commits", report.commits);
  line("objects", report.objects);
  line("blocks", report.blocks);
  line("blobs", report.blobs);
  line("stray files", report.strays);
  line("waiting", report.waiting);
  count("states", report.states);
  count("abandoned libraries", report.abandoned_libraries);
  count("erased libraries", report.erased_libraries);
  count("tokens", report.tokens);
  count("orphaned rows", report.orphans);
  count("unfinished uploads", report.uploads);
  return text + fmt::format("{:<20}{:>26}\n", "given back", RenderBytes(report.freed_bytes));
}

std::string RenderText(const files::ExportedTree& report) {
  std::string text;
  for (const std::string& path : report.damaged) {
    text += fmt::format("{} could not be read\n", path);
  }
  return text + fmt::format("{} folders and {} files, {}, of \"{}\" at {}\n", report.folders,
                            report.files, RenderBytes(report.bytes), report.name, report.commit);
}

/// A data folder whose server is not running.
class StoppedFiles {
 public:
  Result<void> Open(const Config& config) {
    ASSIGN_OR_RETURN(engine_, OpenStoppedStore(config, clock_));
    store_.emplace(*engine_, clock_);
    ASSIGN_OR_RETURN(const ServerSecrets secrets, LoadServerSecrets(config));
    ASSIGN_OR_RETURN(rooms_, Rooms::Make(config, secrets, *store_, clock_));
    operations_.emplace(rooms_->GetFiles(), config);
    return {};
  }
  FilesOperations& Operations() { return *operations_; }

 private:
  const SystemClock clock_{};
  std::unique_ptr<rocks::RocksEngine> engine_{};
  std::optional<store::Store> store_{};
  std::unique_ptr<Rooms> rooms_{};
  std::optional<FilesOperations> operations_{};
};

Result<TaskOutcome> PerformThere(const ControlClient& server, const TaskRequest& request,
                                 ProgressDisplay& display) {
  ASSIGN_OR_RETURN(TaskReport report, server.Post<TaskReport>("/control/files/tasks", request));
  while (report.state == TaskState::kRunning) {
    ASSIGN_OR_RETURN(report,
                     server.Get<TaskReport>("/control/files/tasks/" + std::to_string(report.id)));
    display.Show(report.progress);
  }
  if (report.state == TaskState::kFailed || !report.outcome) {
    return Fail(CodeNamed(report.error_code), report.error);
  }
  return *std::move(report.outcome);
}

/// One command, by the kind of its action.
struct Performer {
  const Config& config;
  const FilesCommand& command;

  template <typename Report>
  CommandOutput Print(const std::optional<Report>& report, bool well) const {
    const Report shown = report.value_or(Report());
    return {
        .text = command.format == OutputFormat::kJson ? ToJson(shown) + "\n" : RenderText(shown),
        .well = well && report.has_value()};
  }

  Result<TaskOutcome> Perform(const std::string& word, const TaskRequest& request) const {
    ProgressDisplay display(word, command.progress);
    ASSIGN_OR_RETURN(const std::optional<ControlClient> server, ControlClient::Find(config));
    if (server) {
      return PerformThere(*server, request, display);
    }
    StoppedFiles stopped;
    RETURN_IF_ERROR(stopped.Open(config));
    return stopped.Operations().Perform(request, {.progress = display.Report()});
  }

  Result<CommandOutput> operator()(const FilesVerify& action) const {
    TaskRequest request{.task = StoreTask::kVerifyFiles, .repair = action.repair};
    if (!action.library.empty()) {
      request.library = action.library;
    }
    ASSIGN_OR_RETURN(const TaskOutcome outcome,
                     Perform(action.repair ? "repair" : "verify", request));
    return Print(outcome.files, outcome.files && outcome.files->defects == outcome.files->repaired);
  }

  Result<CommandOutput> operator()(const FilesCollect& action) const {
    ASSIGN_OR_RETURN(const TaskOutcome outcome, Perform("gc", {.task = StoreTask::kCollectGarbage,
                                                               .dry_run = action.dry_run,
                                                               .grace_hours = action.grace_hours}));
    return Print(outcome.garbage, outcome.garbage && outcome.garbage->damaged.empty());
  }

  Result<CommandOutput> operator()(const FilesExport& action) const {
    // The server has a working folder of its own.
    TaskRequest request{
        .task = StoreTask::kExportLibrary,
        .folder = std::filesystem::absolute(action.folder).lexically_normal().string(),
        .library = action.library};
    if (!action.commit.empty()) {
      request.commit = action.commit;
    }
    if (!action.password_file.empty()) {
      ASSIGN_OR_RETURN(request.password, ReadSecretInput(action.password_file));
    }
    ASSIGN_OR_RETURN(const TaskOutcome outcome, Perform("export", request));
    return Print(outcome.exported, outcome.exported && outcome.exported->damaged_count == 0);
  }

  Result<CommandOutput> operator()(const BlobsVerify& action) const {
    ASSIGN_OR_RETURN(const TaskOutcome outcome,
                     Perform("verify", {.task = StoreTask::kVerifyBlobs, .repair = action.repair}));
    return Print(outcome.blobs,
                 outcome.blobs && outcome.blobs->findings == outcome.blobs->repaired);
  }

  Result<CommandOutput> operator()(const BlobsStats& /*action*/) const {
    ASSIGN_OR_RETURN(const std::optional<ControlClient> server, ControlClient::Find(config));
    std::optional<BlobStatsReport> report;
    if (server) {
      ASSIGN_OR_RETURN(report, server->Get<BlobStatsReport>("/control/blobs/stats"));
    } else {
      StoppedFiles stopped;
      RETURN_IF_ERROR(stopped.Open(config));
      report = stopped.Operations().BlobStats();
    }
    return Print(report, true);
  }
};

}  // namespace

Result<CommandOutput> PerformFilesCommand(const Config& config, const Catalog& /*catalog*/,
                                          const FilesCommand& command) {
  return std::visit(Performer{.config = config, .command = command}, command.action);
}

}  // namespace atrium::app
