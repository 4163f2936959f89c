// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/catalog.h"
#include "app/command_line.h"
#include "app/config.h"
#include "app/progress.h"
#include "app/store_reports.h"
#include "base/result.h"

namespace atrium::app {

// Stores that leave as a file and come back, and those that come out of a backup.

/// Writes all rows of one moment to a file. With a server at work, of a checkpoint that it makes.
Result<ExportSummary> ExportStore(const Config& config, const Catalog& catalog,
                                  const StoreExport& action, const ProgressReport& progress);

// The store that comes is complete, and has begun an epoch of its own, before it takes its place;
// until then the one that is there stays as it is. kConflict while a server is at work,
// kAlreadyExists when there is a store and nobody said what is to become of it.

Result<ArrivalReport> ImportStore(const Config& config, const Catalog& catalog,
                                  const StoreImport& action, const ProgressReport& progress);

Result<ArrivalReport> RestoreStore(const Config& config, const StoreRestore& action);

/// Opens a store whose log is damaged as it was before the damage, and begins a new epoch. The logs
/// are kept under another name first. kConflict while a server is at work, and when nothing is
/// damaged.
Result<SalvageReport> SalvageStore(const Config& config);

}  // namespace atrium::app
