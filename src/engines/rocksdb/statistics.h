// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "engines/rocksdb/database.h"
#include "engines/rocksdb/writer.h"
#include "store/engine.h"

namespace atrium::rocks {

/// Those there are while the database could not be opened again.
std::vector<store::Statistic> StatisticsWhenClosed(const Database& database,
                                                   const WriterTally& tally);

/// The figures of an engine, for store::Engine::Statistics().
std::vector<store::Statistic> StatisticsOf(Database& database, const WriterTally& tally);

}  // namespace atrium::rocks
