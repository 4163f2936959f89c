// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/files_operations.h"

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "app/blob_storage.h"
#include "files/tree_export.h"

namespace atrium::app {
namespace {

constexpr std::size_t kFindingsListed = 1000;

files::WorkSigns SignsOf(const WorkHooks& hooks) {
  files::WorkSigns signs{.stop = hooks.stop};
  if (hooks.progress) {
    signs.progress = [report = hooks.progress](std::string words) {
      report({.words = std::move(words)});
    };
  }
  return signs;
}

template <typename Id>
Result<Id> ParseNamed(const std::string& field, const std::string& text) {
  Result<Id> id = Id::Parse(text);
  return id ? id : Fail(ErrorCode::kInvalidArgument, field + ": \"" + text + "\" is none");
}

Result<files::VerificationOptions> VerificationOf(const TaskRequest& request) {
  files::VerificationOptions options{.mode = request.repair
                                                 ? files::VerificationOptions::Mode::kRepair
                                                 : files::VerificationOptions::Mode::kReport};
  if (request.library) {
    ASSIGN_OR_RETURN(options.library, ParseNamed<files::LibraryId>("library", *request.library));
  }
  return options;
}

Result<files::CollectionOptions> CollectionOf(const TaskRequest& request) {
  files::CollectionOptions options{.mode = request.dry_run
                                               ? files::CollectionOptions::Mode::kDryRun
                                               : files::CollectionOptions::Mode::kCollect};
  if (request.grace_hours) {
    if (*request.grace_hours < 0) {
      return Fail(ErrorCode::kInvalidArgument, "grace_hours: not less than none");
    }
    options.grace = std::chrono::hours(*request.grace_hours);
  }
  return options;
}

Result<files::TreeToExport> ExportOf(const TaskRequest& request) {
  files::TreeToExport wanted{.folder = request.folder, .password = request.password};
  ASSIGN_OR_RETURN(wanted.library,
                   ParseNamed<files::LibraryId>("library", request.library.value_or("")));
  if (request.commit) {
    ASSIGN_OR_RETURN(wanted.commit, ParseNamed<files::CommitId>("commit", *request.commit));
  }
  if (!wanted.folder.is_absolute()) {
    return Fail(ErrorCode::kInvalidArgument, "folder: not absolute");
  }
  return wanted;
}

}  // namespace

BlobStatsReport FilesOperations::BlobStats() {
  const blobs::BlobStatistics statistics = room_.blobs.Statistics();
  return {.folder = std::filesystem::absolute(BlobFolder(config_)).lexically_normal().string(),
          .count = statistics.count,
          .bytes = statistics.bytes,
          .own_files = statistics.own_files,
          .own_bytes = statistics.own_bytes,
          .packs = statistics.packs,
          .pack_bytes = statistics.pack_bytes,
          .dead_bytes = statistics.dead_bytes};
}

Result<BlobVerificationReport> FilesOperations::VerifyBlobs(const TaskRequest& task,
                                                            const WorkHooks& hooks) {
  BlobVerificationReport report;
  blobs::VerifyRequest request{.mode = task.repair ? blobs::VerifyRequest::Mode::kRepair
                                                   : blobs::VerifyRequest::Mode::kReport};
  do {
    if (hooks.stop.stop_requested()) {
      return FailPrivately(ErrorCode::kUnavailable, "stopped before the end");
    }
    ASSIGN_OR_RETURN(blobs::VerifyPage page,
                     room_.blobs.Verify(store::OpContext::ForWork("blobs"), request));
    report.blobs += page.blobs;
    report.bytes += page.bytes;
    for (blobs::Finding& finding : page.findings) {
      ++report.findings;
      report.repaired += task.repair && !finding.remedy.empty() ? 1 : 0;
      if (report.list.size() < kFindingsListed) {
        report.list.push_back({.defect = std::string(blobs::Name(finding.defect)),
                               .id = finding.id.Render(),
                               .bytes = finding.bytes,
                               .explanation = std::move(finding.explanation),
                               .remedy = std::move(finding.remedy)});
      }
    }
    if (hooks.progress) {
      hooks.progress({.done = report.bytes});
    }
    request.after = std::move(page.resume);
  } while (request.after);
  return report;
}

Result<TaskOutcome> FilesOperations::Perform(const TaskRequest& request, const WorkHooks& hooks) {
  TaskOutcome outcome;
  switch (request.task) {
    case StoreTask::kVerifyFiles: {
      ASSIGN_OR_RETURN(const auto options, VerificationOf(request));
      ASSIGN_OR_RETURN(outcome.files, room_.verifier.Verify(options, SignsOf(hooks)));
      break;
    }
    case StoreTask::kCollectGarbage: {
      ASSIGN_OR_RETURN(const auto options, CollectionOf(request));
      ASSIGN_OR_RETURN(outcome.garbage, room_.collector.Collect(options, SignsOf(hooks)));
      break;
    }
    case StoreTask::kExportLibrary: {
      ASSIGN_OR_RETURN(const auto wanted, ExportOf(request));
      ASSIGN_OR_RETURN(outcome.exported,
                       files::ExportTree(room_.ground, room_.content, wanted, SignsOf(hooks)));
      break;
    }
    case StoreTask::kVerifyBlobs: {
      ASSIGN_OR_RETURN(outcome.blobs, VerifyBlobs(request, hooks));
      break;
    }
    case StoreTask::kBackup:
    case StoreTask::kVerify:
    case StoreTask::kCompact:
      return Fail(ErrorCode::kInvalidArgument, "task: not one of libraries");
  }
  return outcome;
}

}  // namespace atrium::app
