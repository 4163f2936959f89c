// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rocksdb/status.h>

#include <source_location>
#include <string_view>

#include "base/error.h"
#include "base/result.h"

namespace atrium::rocks {

/// What a failure of RocksDB means to callers: kCorrupt for bytes that do not fit together,
/// kUnavailable for a disk that does not answer or is full, kInternal for calls that were wrong.
/// Not for a failed write: that is kOutcomeUnknown, and the writer says so itself.
Error ToError(const rocksdb::Status& status, std::string_view doing,
              std::source_location where = std::source_location::current());

/// The same as a result: `status` may be ok.
Result<void> ToResult(const rocksdb::Status& status, std::string_view doing,
                      std::source_location where = std::source_location::current());

/// A row whose bytes do not decode.
std::unexpected<Error> CorruptRow(std::string_view key,
                                  std::source_location where = std::source_location::current());

}  // namespace atrium::rocks
