// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "base/result.h"
#include "engines/rocksdb/database.h"
#include "engines/rocksdb/engine.h"

namespace atrium::rocks {

/// Whether changes that were acknowledged stand behind damage in the log, so that opening the store
/// would drop them. A torn tail, which a loss of power leaves behind the last synced change, is no
/// damage. Nobody else has the database open; nothing is written.
Result<std::optional<LogDamage>> FindLogDamage(const Database& database);

/// Says so, and what can be done.
Error ToError(const Database& database, const LogDamage& damage);

}  // namespace atrium::rocks
