// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rocksdb/file_system.h>

#include <memory>
#include <string_view>

namespace atrium::rocks {

/// RocksDB numbers its logs: "000123.log". With or without the folder.
bool IsWriteAheadLog(std::string_view path);

/// The same file system, whose write-ahead logs have zeros written ahead of what is appended.
///
/// Syncing a file that grew means writing its inode too, and that is a third of the time of a
/// commit. Where the bytes were there before, only they are written. RocksDB would recycle old logs
/// to the same end, but not in the recovery mode we need. Its recovery takes zeros for the end of
/// the log, since other file systems leave them as well.
std::shared_ptr<rocksdb::FileSystem> WithZeroedLogs(
    const std::shared_ptr<rocksdb::FileSystem>& file_system);

}  // namespace atrium::rocks
