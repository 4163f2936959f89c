// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"
#include "engines/rocksdb/backups.h"
#include "engines/rocksdb/database.h"

namespace atrium::rocks {

// What RocksEngine promises about an open store; see engine.h.

Result<Backup> BackUp(Database& database, const std::string& folder, const Progress& progress);
Result<void> MakeCheckpoint(Database& database, const std::string& folder);
Result<void> CompactAll(Database& database, const Progress& progress);

/// Before the database is closed: the next opening is not kept waiting by a long log.
void ShortenLog(Database& database);

}  // namespace atrium::rocks
