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
/// Opening again keeps readers out for a moment, and needs more space than a probe.
constexpr std::chrono::milliseconds kBetweenOpenings{5000};
constexpr std::chrono::milliseconds kBetweenMeasures{100};
/// How long readers may keep the database from being closed.
constexpr std::chrono::milliseconds kPatience{1000};
constexpr bool kWait = true;

}  // namespace

Result<void> Watch::CheckWritable() {
  Result<void> writable = Check();
  if (writable) {
    Publish(std::nullopt);
  } else {
    const Error& error = writable.error();
    Publish(error.client_message.empty() ? error.detail : error.client_message);
  }
  return writable;
}

std::optional<std::string> Watch::Obstacle() const {
  const std::scoped_lock lock(mutex_);
  return obstacle_;
}

void Watch::Publish(std::optional<std::string> obstacle) {
  const std::scoped_lock lock(mutex_);
  obstacle_ = std::move(obstacle);
}

Result<void> Watch::Check() {
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
  rest_ = kBetweenTries;
  Publish(status.IsNoSpace() ? "the disk is full" : "the store cannot write to its disk");
}

Result<void> Watch::Recover() {
  if (clock_.Steady() - failed_at_ >= rest_) {
    bool opened = false;
    if (const rocksdb::Status status = TryToRecover(opened); !status.ok()) {
      Distrust(status);
      rest_ = opened && status.IsNoSpace() ? kBetweenOpenings : kBetweenTries;
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

/// `opened`: whether it came to opening the database.
rocksdb::Status Watch::TryToRecover(bool& opened) {
  // Readers go on with what is open until the disk works.
  if (!CheckSpace()) {
    return rocksdb::Status::NoSpace();
  }
  if (rocksdb::Status probed = Probe(); !probed.ok()) {
    return probed;
  }
  // Work behind the scenes that failed rests for a second; readers need not wait for it.
  if (database_.db && !database_.obstacle) {
    rocksdb::CancelAllBackgroundWork(database_.db.get(), kWait);
  }
  if (!database_.gate.Close(kPatience)) {
    return rocksdb::Status::Busy("the database is in use");
  }
  opened = true;
  rocksdb::Status status = ReopenDatabase(database_);
  if (database_.db) {
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
