// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/progress.h"
#include "base/instant.h"
#include "files/collection.h"
#include "files/tree_export.h"
#include "files/verification.h"
#include "store/epoch.h"

namespace atrium::app {

// What is said about a store: by commands with --json, and by the server to its commands.

struct StatisticLine {
  std::string name{};
  std::string help{};
  double value = 0;
};
BOOST_DESCRIBE_STRUCT(StatisticLine, (), (name, help, value))

struct StatsReport {
  /// Absolute.
  std::string folder{};
  std::optional<store::Epoch> epoch{};
  std::vector<StatisticLine> statistics{};
};
BOOST_DESCRIBE_STRUCT(StatsReport, (), (folder, epoch, statistics))

/// The same at a glance.
struct StoreSummary {
  std::uint64_t bytes = 0;
  /// False while a failure of the disk, or a full one, keeps the store from writing.
  bool writable = true;
  /// What is in the way then; empty when it is writable.
  std::string problem{};
  /// Which history this is, since when and why.
  std::optional<store::Epoch> epoch{};
};
BOOST_DESCRIBE_STRUCT(StoreSummary, (), (bytes, writable, problem, epoch))

struct BackupLine {
  std::uint32_t number = 0;
  Instant made_at{};
  std::uint64_t bytes = 0;
};
BOOST_DESCRIBE_STRUCT(BackupLine, (), (number, made_at, bytes))

struct BackupReport {
  std::string folder{};
  /// What is in the folder now, oldest first; the last one is new.
  std::vector<BackupLine> backups{};
};
BOOST_DESCRIBE_STRUCT(BackupReport, (), (folder, backups))

/// What there is in the configured folder.
struct BackupShelf {
  bool configured = false;
  /// Absolute; empty when none is configured.
  std::string folder{};
  /// How many are kept.
  std::uint32_t keep = 0;
  /// Oldest first.
  std::vector<BackupLine> backups{};
};
BOOST_DESCRIBE_STRUCT(BackupShelf, (), (configured, folder, keep, backups))

struct FindingLine {
  std::string defect{};
  std::string table{};
  std::string partition{};
  std::string sort{};
  std::string explanation{};
  /// What a repair does; empty: a person must decide.
  std::string remedy{};
};
BOOST_DESCRIBE_STRUCT(FindingLine, (), (defect, table, partition, sort, explanation, remedy))

struct VerificationReport {
  std::uint64_t rows = 0;
  std::uint64_t findings = 0;
  std::uint64_t repaired = 0;
  /// The first thousand of them.
  std::vector<FindingLine> list{};
};
BOOST_DESCRIBE_STRUCT(VerificationReport, (), (rows, findings, repaired, list))

struct CompactionReport {
  std::int64_t duration_ms = 0;
};
BOOST_DESCRIBE_STRUCT(CompactionReport, (), (duration_ms))

struct CheckpointReport {
  /// Absolute. Whoever asked for it erases it.
  std::string folder{};
};
BOOST_DESCRIBE_STRUCT(CheckpointReport, (), (folder))

struct ExportSummary {
  std::string file{};
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;
};
BOOST_DESCRIBE_STRUCT(ExportSummary, (), (file, rows, bytes))

/// After an import or a restoration.
struct ArrivalReport {
  std::uint64_t rows = 0;
  store::Epoch epoch{};
  /// Where the store that was there before is now, if there was one.
  std::string replaced{};
};
BOOST_DESCRIBE_STRUCT(ArrivalReport, (), (rows, epoch, replaced))

/// After a salvage.
struct SalvageReport {
  /// Where the log is damaged; empty when a whole file of it is missing.
  std::string file{};
  std::uint64_t offset = 0;
  /// Saved once and dropped now, at least; 0 when that is not known.
  std::uint64_t rows = 0;
  store::Epoch epoch{};
  /// Where the logs are kept as they were.
  std::string kept{};
};
BOOST_DESCRIBE_STRUCT(SalvageReport, (), (file, offset, rows, epoch, kept))

struct BlobFindingLine {
  std::string defect{};
  std::string id{};
  std::uint64_t bytes = 0;
  std::string explanation{};
  /// What was done, or a repair does; empty: a person must decide.
  std::string remedy{};
};
BOOST_DESCRIBE_STRUCT(BlobFindingLine, (), (defect, id, bytes, explanation, remedy))

struct BlobVerificationReport {
  std::uint64_t blobs = 0;
  std::uint64_t bytes = 0;
  std::uint64_t findings = 0;
  std::uint64_t repaired = 0;
  /// The first thousand of them.
  std::vector<BlobFindingLine> list{};
};
BOOST_DESCRIBE_STRUCT(BlobVerificationReport, (), (blobs, bytes, findings, repaired, list))

struct BlobStatsReport {
  /// Absolute.
  std::string folder{};
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;
  std::uint64_t own_files = 0;
  std::uint64_t own_bytes = 0;
  std::uint64_t packs = 0;
  std::uint64_t pack_bytes = 0;
  std::uint64_t dead_bytes = 0;
};
BOOST_DESCRIBE_STRUCT(BlobStatsReport, (),
                      (folder, count, bytes, own_files, own_bytes, packs, pack_bytes, dead_bytes))

enum class StoreTask : std::uint8_t {
  kBackup,
  kVerify,
  kCompact,
  // Of libraries and blobs.
  kVerifyFiles,
  kCollectGarbage,
  kExportLibrary,
  kVerifyBlobs,
};
BOOST_DESCRIBE_ENUM(StoreTask, kBackup, kVerify, kCompact, kVerifyFiles, kCollectGarbage,
                    kExportLibrary, kVerifyBlobs)

/// Long work on an open store.
struct TaskRequest {
  StoreTask task = StoreTask::kBackup;
  /// Of a backup; empty: the configured one.
  std::string folder{};
  /// Of a verification.
  bool repair = false;
  /// Of a collection of garbage.
  bool dry_run = false;
  std::optional<std::int64_t> grace_hours{};
  /// Of what is done with one library, of which an export needs more.
  std::optional<std::string> library{};
  std::optional<std::string> commit{};
  std::optional<std::string> password{};
};
BOOST_DESCRIBE_STRUCT(TaskRequest, (),
                      (task, folder, repair, dry_run, grace_hours, library, commit, password))

/// What came of it: the one that was asked for.
struct TaskOutcome {
  std::optional<BackupReport> backup{};
  std::optional<VerificationReport> verification{};
  std::optional<CompactionReport> compaction{};
  std::optional<files::Verification> files{};
  std::optional<files::Collection> garbage{};
  std::optional<files::ExportedTree> exported{};
  std::optional<BlobVerificationReport> blobs{};
};
BOOST_DESCRIBE_STRUCT(TaskOutcome, (),
                      (backup, verification, compaction, files, garbage, exported, blobs))

enum class TaskState : std::uint8_t { kRunning, kSucceeded, kFailed };
BOOST_DESCRIBE_ENUM(TaskState, kRunning, kSucceeded, kFailed)

struct TaskReport {
  std::uint64_t id = 0;
  StoreTask task = StoreTask::kBackup;
  /// As they were asked for.
  bool repair = false;
  bool dry_run = false;
  TaskState state = TaskState::kRunning;
  WorkProgress progress{};
  std::optional<TaskOutcome> outcome{};
  /// Of one that failed.
  std::string error_code{};
  std::string error{};
};
BOOST_DESCRIBE_STRUCT(TaskReport, (),
                      (id, task, repair, dry_run, state, progress, outcome, error_code, error))

}  // namespace atrium::app
