// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/rocksdb/watch.h"

#include <string>

#include "base/log.h"
#include "engines/rocksdb/status.h"

namespace atrium::rocks {
namespace {

constexpr std::chrono::milliseconds kBetweenTries{200};
constexpr std::chrono::milliseconds kBetweenMeasures{100};

bool Passed(const std::optional<SteadyInstant>& since, std::chrono::milliseconds time,
            SteadyInstant now) {
  return !since || now - *since >= time;
}

}  // namespace

Result<void> Watch::CheckWritable(store::Version highest) {
  if (distrusted_ || database_.faults->Heard()) {
    RETURN_IF_ERROR(Recover(highest));
  }
  return CheckSpace();
}

void Watch::Distrust(const rocksdb::Status& status) {
  distrusted_ = true;
  cause_ = status;
}

Result<void> Watch::Recover(store::Version highest) {
  if (!distrusted_) {
    Distrust(database_.faults->Last());
  }
  const SteadyInstant now = clock_.Steady();
  if (Passed(tried_at_, kBetweenTries, now)) {
    tried_at_ = now;
    const rocksdb::Status status = BeginNewLog(highest);
    if (status.ok() && !database_.faults->Heard()) {
      log::Warn("the store writes again");
      distrusted_ = false;
      tried_at_.reset();
      return {};
    }
    cause_ = status.ok() ? database_.faults->Last() : status;
  }
  Error error = ToError(cause_, "write");
  if (error.code != ErrorCode::kCorrupt) {
    error.code = ErrorCode::kUnavailable;
    error.client_message = "the disk of the store cannot be written";
  }
  return std::unexpected(std::move(error));
}

/// Resume() alone is not enough: with no row in memory it would go on with the log that failed. So
/// there is a row, and it comes into a table file.
rocksdb::Status Watch::BeginNewLog(store::Version highest) {
  rocksdb::DB& db = *database_.db;
  if (const rocksdb::Status resumed = db.Resume(); !resumed.ok()) {
    return resumed;
  }
  database_.faults->Forget();
  rocksdb::WriteOptions without_log;
  without_log.disableWAL = true;
  const std::string metadata = EncodeMetadata({.format = kLayoutFormat, .highest = highest});
  if (const rocksdb::Status put = db.Put(without_log, rocksdb::Slice(kMetadataKey), metadata);
      !put.ok()) {
    return put;
  }
  if (const rocksdb::Status flushed = db.Flush(rocksdb::FlushOptions()); !flushed.ok()) {
    return flushed;
  }
  return db.SyncWAL();
}

Result<void> Watch::CheckSpace() {
  const SteadyInstant now = clock_.Steady();
  if (Passed(measured_at_, kBetweenMeasures, now)) {
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
