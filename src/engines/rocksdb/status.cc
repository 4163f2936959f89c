// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/rocksdb/status.h"

#include <string>

#include "base/hex.h"

namespace atrium::rocks {
namespace {

ErrorCode CodeOf(const rocksdb::Status& status) {
  switch (status.code()) {
    case rocksdb::Status::kCorruption:
      return ErrorCode::kCorrupt;
    case rocksdb::Status::kIOError:
    case rocksdb::Status::kBusy:
    case rocksdb::Status::kTimedOut:
    case rocksdb::Status::kTryAgain:
    case rocksdb::Status::kAborted:
    case rocksdb::Status::kIncomplete:
    case rocksdb::Status::kShutdownInProgress:
      return ErrorCode::kUnavailable;
    default:
      return ErrorCode::kInternal;
  }
}

}  // namespace

Error ToError(const rocksdb::Status& status, std::string_view doing, std::source_location where) {
  return {.code = CodeOf(status),
          .detail = std::string(doing) + ": " + status.ToString(),
          .client_message = status.IsNoSpace() ? "the disk is full" : "",
          .where = where};
}

Result<void> ToResult(const rocksdb::Status& status, std::string_view doing,
                      std::source_location where) {
  if (!status.ok()) {
    return std::unexpected(ToError(status, doing, where));
  }
  return {};
}

std::unexpected<Error> CorruptRow(std::string_view key, std::source_location where) {
  return FailPrivately(ErrorCode::kCorrupt, "the row at " + EncodeHex(key) + " does not decode",
                       where);
}

}  // namespace atrium::rocks
