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

/// What to do with a store that has rows already.
enum class OnExisting : std::uint8_t {
  kRefuse,
  kMerge,  ///< Rows of the file replace those with equal keys, the others stay.
};

struct ImportOptions {
  OnExisting existing = OnExisting::kRefuse;
  ProgressSink progress{};
};

struct ImportReport {
  std::uint64_t rows = 0;
  std::uint64_t file_bytes = 0;
  /// What the file says about itself.
  Instant created_at{};
  std::string epoch{};
};

/// Reads a whole export (docs/formats/export.md) and loads nothing. Fails as ExportReader does.
Result<ImportReport> VerifyExport(const Schema& schema, const ByteSource& source,
                                  const ProgressSink& progress = {});

/// Loads an export into an engine in one pass, in memory that does not grow with the rows. Fails as
/// ExportReader does, with kAlreadyExists for a store that is not empty, and with what the engine
/// says.
///
/// What a file is worth is known only at its end, when most of it is loaded: after an error the
/// store may hold any part of it, and is to be thrown away, or, after a merge, restored. Import()
/// is for sources that can be read only once; all others are better imported by ImportFile().
Result<ImportReport> Import(Engine& engine, const OpContext& op, const Schema& schema,
                            const ByteSource& source, const ImportOptions& options);

/// Verifies the whole file, then loads it: a file that is damaged or does not fit changes nothing.
/// Progress counts each pass from zero. kInvalidArgument for a pipe.
Result<ImportReport> ImportFile(Engine& engine, const OpContext& op, const Schema& schema,
                                const std::filesystem::path& path, const ImportOptions& options);

}  // namespace atrium::store
