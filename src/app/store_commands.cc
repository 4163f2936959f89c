// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/store_commands.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "app/command_line.h"
#include "app/control_client.h"
#include "app/open_store.h"
#include "app/progress.h"
#include "app/store_operations.h"
#include "app/store_reports.h"
#include "app/store_transfer.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/instant.h"
#include "base/json_write.h"
#include "base/result.h"
#include "engines/rocksdb/engine.h"

namespace atrium::app {
namespace {

// Text for people.

std::string RenderText(const StatsReport& report) {
  std::string text = fmt::format("{:<34}{}\n", "folder", report.folder);
  if (report.epoch) {
    text += fmt::format("{:<34}{} since {}\n", "epoch", report.epoch->id.Render(),
                        RenderInstant(report.epoch->since));
  }
  for (const StatisticLine& line : report.statistics) {
    text += fmt::format("{:<34}{:<16.15g}{}\n", line.name, line.value, line.help);
  }
  return text;
}

std::string RenderText(const BackupReport& report) {
  std::string text =
      fmt::format("{:>8}  {:<26}{:>12}   in {}\n", "NUMBER", "MADE AT", "SIZE", report.folder);
  for (const BackupLine& backup : report.backups) {
    text += fmt::format("{:>8}  {:<26}{:>12}\n", backup.number, RenderInstant(backup.made_at),
                        RenderBytes(backup.bytes));
  }
  return text;
}

std::string RenderText(const VerificationReport& report) {
  std::string text;
  for (const FindingLine& finding : report.list) {
    text += fmt::format("{} {} {}: {}: {}; {}\n", finding.table, finding.partition, finding.sort,
                        finding.defect, finding.explanation,
                        finding.remedy.empty() ? "to be decided by hand" : finding.remedy);
  }
  if (report.findings > report.list.size()) {
    text += fmt::format("and {} more\n", report.findings - report.list.size());
  }
  return text + fmt::format("{} rows looked at, {} findings, {} repaired\n", report.rows,
                            report.findings, report.repaired);
}

std::string RenderText(const CompactionReport& report) {
  return fmt::format("compacted in {:.1f} s\n", static_cast<double>(report.duration_ms) / 1000);
}

std::string RenderText(const ExportSummary& summary) {
  return fmt::format("{} rows, {}, in {}\n", summary.rows, RenderBytes(summary.bytes),
                     summary.file);
}

std::string RenderText(const ArrivalReport& report) {
  std::string text = report.rows > 0 ? fmt::format("{} rows\n", report.rows) : "";
  text += fmt::format("the store begins epoch {}\n", report.epoch.id.Render());
  if (!report.replaced.empty()) {
    text += fmt::format("the store that was here is kept in {}\n", report.replaced);
  }
  return text;
}

std::string RenderText(const SalvageReport& report) {
  std::string text =
      report.rows > 0
          ? fmt::format("at least {} rows that were saved are gone\n", report.rows)
          : std::string("what was saved last is gone; how much that was is not known\n");
  if (!report.file.empty()) {
    text += fmt::format("the damage is in {} at byte {}\n", report.file, report.offset);
  }
  return text + fmt::format("the logs are kept as they were in {}\nthe store begins epoch {}\n",
                            report.kept, report.epoch.id.Render());
}

// Wherever the store is open.

/// A store that this process has opened itself.
struct OpenedStore {
  SystemClock clock{};
  std::unique_ptr<rocks::RocksEngine> engine{};
  std::optional<StoreOperations> operations{};

  Result<void> Open(const Config& config, const Catalog& catalog) {
    ASSIGN_OR_RETURN(engine, OpenStoppedStore(config, clock));
    operations.emplace(*engine, catalog, config, clock);
    return {};
  }
};

Result<StatsReport> Stats(const Config& config, const Catalog& catalog) {
  ASSIGN_OR_RETURN(const std::optional<ControlClient> server, ControlClient::Find(config));
  if (server) {
    return server->Get<StatsReport>("/control/store/stats");
  }
  OpenedStore store;
  RETURN_IF_ERROR(store.Open(config, catalog));
  return store.operations->Stats();
}

Result<TaskOutcome> PerformThere(const ControlClient& server, const TaskRequest& request,
                                 ProgressDisplay& display) {
  ASSIGN_OR_RETURN(TaskReport report, server.Post<TaskReport>("/control/store/tasks", request));
  while (report.state == TaskState::kRunning) {
    ASSIGN_OR_RETURN(report,
                     server.Get<TaskReport>("/control/store/tasks/" + std::to_string(report.id)));
    display.Show(report.progress);
  }
  if (report.state == TaskState::kFailed || !report.outcome) {
    return Fail(CodeNamed(report.error_code), report.error);
  }
  return *std::move(report.outcome);
}

Result<TaskOutcome> PerformTask(const Config& config, const Catalog& catalog,
                                const TaskRequest& request, ProgressDisplay& display) {
  ASSIGN_OR_RETURN(const std::optional<ControlClient> server, ControlClient::Find(config));
  if (server) {
    return PerformThere(*server, request, display);
  }
  OpenedStore store;
  RETURN_IF_ERROR(store.Open(config, catalog));
  return store.operations->Perform(request, {.progress = display.Report()});
}

/// One command, by the kind of its action.
struct Performer {
  const Config& config;
  const Catalog& catalog;
  const StoreCommand& command;

  template <typename Report>
  Result<CommandOutput> Print(const Report& report) const {
    return CommandOutput{.text = command.format == OutputFormat::kJson ? ToJson(report) + "\n"
                                                                       : RenderText(report)};
  }

  Result<CommandOutput> operator()(const StoreStats& /*action*/) const {
    ASSIGN_OR_RETURN(const StatsReport report, Stats(config, catalog));
    return Print(report);
  }

  Result<CommandOutput> operator()(const StoreVerify& action) const {
    ProgressDisplay display("verify", command.progress);
    ASSIGN_OR_RETURN(const TaskOutcome outcome,
                     PerformTask(config, catalog,
                                 {.task = StoreTask::kVerify, .repair = action.repair}, display));
    const VerificationReport report = outcome.verification.value_or(VerificationReport());
    ASSIGN_OR_RETURN(CommandOutput output, Print(report));
    output.well = report.findings == report.repaired;
    return output;
  }

  Result<CommandOutput> operator()(const StoreCompact& /*action*/) const {
    ProgressDisplay display("compact", command.progress);
    ASSIGN_OR_RETURN(const TaskOutcome outcome,
                     PerformTask(config, catalog, {.task = StoreTask::kCompact}, display));
    return Print(outcome.compaction.value_or(CompactionReport()));
  }

  Result<CommandOutput> operator()(const StoreBackup& action) const {
    // The server has a working folder and a configuration of its own.
    ASSIGN_OR_RETURN(const std::string folder, BackupFolder(config, action.folder));
    if (action.list) {
      ASSIGN_OR_RETURN(const BackupReport there, ListBackups(folder));
      return Print(there);
    }
    ProgressDisplay display("backup", command.progress);
    ASSIGN_OR_RETURN(
        const TaskOutcome outcome,
        PerformTask(config, catalog, {.task = StoreTask::kBackup, .folder = folder}, display));
    return Print(outcome.backup.value_or(BackupReport()));
  }

  Result<CommandOutput> operator()(const StoreRestore& action) const {
    ASSIGN_OR_RETURN(const ArrivalReport report, RestoreStore(config, action));
    return Print(report);
  }

  Result<CommandOutput> operator()(const StoreSalvage& /*action*/) const {
    ASSIGN_OR_RETURN(const SalvageReport report, SalvageStore(config));
    return Print(report);
  }

  Result<CommandOutput> operator()(const StoreExport& action) const {
    ProgressDisplay display("export", command.progress);
    ASSIGN_OR_RETURN(const ExportSummary summary,
                     ExportStore(config, catalog, action, display.Report()));
    if (action.file == "-") {
      return CommandOutput{};
    }
    return Print(summary);
  }

  Result<CommandOutput> operator()(const StoreImport& action) const {
    ProgressDisplay display("import", command.progress);
    ASSIGN_OR_RETURN(const ArrivalReport report,
                     ImportStore(config, catalog, action, display.Report()));
    return Print(report);
  }
};

}  // namespace

Result<CommandOutput> PerformStoreCommand(const Config& config, const Catalog& catalog,
                                          const StoreCommand& command) {
  return std::visit(Performer{.config = config, .catalog = catalog, .command = command},
                    command.action);
}

}  // namespace atrium::app
