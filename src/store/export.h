// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "base/instant.h"
#include "base/result.h"
#include "store/engine.h"
#include "store/op_context.h"
#include "store/schema.h"
#include "store/transfer.h"

namespace atrium::store {

struct ExportOptions {
  /// What the file says about itself.
  Instant created_at{};
  std::string epoch{};
  ProgressSink progress{};
};

struct ExportReport {
  std::uint64_t rows = 0;
  std::uint64_t file_bytes = 0;
};

/// Writes every row of every table of the schema, in the engine-neutral form of
/// docs/formats/export.md, in memory that does not grow with the rows. Expired rows are left out.
///
/// Goes through the tables page by page: rows that change meanwhile come in one of their states,
/// and two rows of one commit may come in different ones. Where that matters, export a store that
/// nobody writes to, or one restored from a backup.
///
/// After an error, what the sink has taken is no export, and no import takes it for one.
Result<ExportReport> Export(Engine& engine, const OpContext& op, const Schema& schema,
                            const ByteSink& sink, const ExportOptions& options);

/// The same to a file, which is there only when it is whole and on disk; kAlreadyExists when it was
/// there before. Readable by its owner alone, since it holds everything.
Result<ExportReport> ExportToFile(Engine& engine, const OpContext& op, const Schema& schema,
                                  const std::filesystem::path& path, const ExportOptions& options);

}  // namespace atrium::store
