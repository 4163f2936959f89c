// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rocksdb/file_system.h>

#include <memory>

namespace atrium::rocks {

/// The same file system, whose failures to write all say of themselves that trying again may help.
///
/// RocksDB takes any other failure of its log for final, and then refuses to write until it is
/// opened anew; a disk that was full, or away for a moment, would need a restart of the server. The
/// writer knows what it must not believe after such a failure: see watch.h.
std::shared_ptr<rocksdb::FileSystem> MakePatient(
    const std::shared_ptr<rocksdb::FileSystem>& file_system);

}  // namespace atrium::rocks
