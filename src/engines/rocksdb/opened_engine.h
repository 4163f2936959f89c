// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rocksdb/file_system.h>

#include <memory>

#include "base/clock.h"
#include "base/result.h"
#include "engines/rocksdb/database.h"
#include "engines/rocksdb/engine.h"

namespace atrium::rocks {

/// RocksEngine::Open() on a file system of the caller's choice: tests bring one that fails.
Result<std::unique_ptr<RocksEngine>> OpenOn(const RocksOptions& options, const Clock& clock,
                                            const std::shared_ptr<rocksdb::FileSystem>& file_system,
                                            Access access);

}  // namespace atrium::rocks
