// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/rocksdb/watch.h"

#include <rocksdb/convenience.h>

#include <memory>
#include <string>

#include "base/log.h"
#include "engines/rocksdb/status.h"

namespace atrium::rocks {
namespace {

constexpr std::chrono::milliseconds kBetweenTries{200};
constexpr std::chrono::milliseconds kBetweenMeasures{100};
/// How long readers may keep the database from being closed.
constexpr std::chrono::milliseconds kPatience{1000};
constexpr bool kWait = true;

}  // namespace

Result<void> Watch::CheckWritable() {
  if (!distrusted_ && database_.faults->Heard()) {
    Distrust(database_.faults->Last());
  }
  if (distrusted_) {
    RETURN_IF_ERROR(Recover());
  }
  return CheckSpace();
}

void Watch::Distrust(const rocksdb::Status& status) {
  distrusted_ = true;
  cause_ = status;
  failed_at_ = clock_.Steady();
}

Result<void> Watch::Recover() {
  if (clock_.Steady() - failed_at_ >= kBetweenTries) {
    if (const rocksdb::Status status = TryToRecover(); !status.ok()) {
      Distrust(status);
    } else {
      log::Warn("the store writes again");
      distrusted_ = false;
      return {};
    }
  }
  Error error = ToError(cause_, "the store cannot write");
  if (error.code != ErrorCode::kCorrupt) {
    error.code = ErrorCode::kUnavailable;
  }
  if (error.client_message.empty()) {
    error.client_message = "the store cannot write to its disk";
  }
  return std::unexpected(std::move(error));
}

rocksdb::Status Watch::TryToRecover() {
  // Readers go on with what is open until the disk works.
  if (rocksdb::Status probed = Probe(); !probed.ok()) {
    return probed;
  }
  // Work behind the scenes that failed rests for a second; readers need not wait for it.
  if (database_.db) {
    rocksdb::CancelAllBackgroundWork(database_.db.get(), kWait);
  }
  if (!database_.gate.Close(kPatience)) {
    return rocksdb::Status::Busy("the database is in use");
  }
  rocksdb::Status status = ReopenDatabase(database_);
  if (status.ok()) {
    database_.gate.Open();
  }
  return status;
}

/// Writes and syncs a small file of its own.
rocksdb::Status Watch::Probe() const {
  const std::string path = database_.path + "/probe.log";
  rocksdb::Env& env = *database_.env;
  std::unique_ptr<rocksdb::WritableFile> file;
  rocksdb::Status status = env.NewWritableFile(path, &file, rocksdb::EnvOptions());
  if (status.ok()) {
    status = file->Append(std::string(4096, '0'));
  }
  if (status.ok()) {
    status = file->Sync();
  }
  file.reset();
  env.DeleteFile(path).PermitUncheckedError();
  return status;
}

Result<void> Watch::CheckSpace() {
  const SteadyInstant now = clock_.Steady();
  if (!measured_at_ || now - *measured_at_ >= kBetweenMeasures) {
    RETURN_IF_ERROR(ToResult(database_.env->GetFreeSpace(database_.path, &free_bytes_),
                             "ask for the free space of the disk"));
    measured_at_ = now;
  }
  if (free_bytes_ < reserve_bytes_) {
    return Fail(ErrorCode::kUnavailable, "the disk is full");
  }
  return {};
}

}  // namespace atrium::rocks
