// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/collection.h"
#include "store/engine.h"

namespace atrium::store {

enum class Defect : std::uint8_t {
  kUnreadable,       ///< A record, or an index row, that does not decode.
  kMisplaced,        ///< A record under another key than its own members say.
  kIndexMissing,     ///< A record without one of its index rows.
  kIndexOutdated,    ///< An index row that says something else than its record.
  kIndexOrphaned,    ///< An index row whose record is gone, or does not have it.
  kUniqueContested,  ///< A unique row that belongs to another record.
  kLogDisordered,    ///< A row of a log with a number the log never gave.
};
std::string_view Name(Defect defect);

/// Something wrong, and what follows from it.
struct Finding {
  Defect defect = Defect::kUnreadable;
  const Table* table = nullptr;
  Key key{};
  std::string explanation{};
  /// What `--repair` does: "write the row again", "erase the row"; empty: a person must decide.
  std::string remedy{};
};

struct VerifyOptions {
  enum class Mode : std::uint8_t { kReport, kRepair };
  Mode mode = Mode::kReport;
  /// Each finding, as it is met.
  std::function<void(const Finding&)> found{};
  /// Rows looked at so far, about once per thousand.
  std::function<void(std::uint64_t)> progress{};
  /// Ends it early, with kUnavailable. What was repaired until then stays repaired.
  std::stop_token stop{};
};

struct VerifyReport {
  std::uint64_t rows = 0;
  std::uint64_t findings = 0;
  std::uint64_t repaired = 0;
};

/// What is looked at: the collections with their indexes, and the tables that belong to none.
struct VerifyScope {
  std::span<const AnyCollection* const> collections{};
  /// All tables of the program; those of the collections are passed over.
  std::span<const Table* const> tables{};
};

/// Looks at each record and at each index row: whether the rows that follow from the record are
/// there, and whether each index row follows from a record. Of other tables: whether each document
/// is JSON, and whether logs are in order. May run while the store is in use: what seems wrong is
/// looked at a second time, and a repair expects what was seen, so a commit in between is never
/// undone.
Result<VerifyReport> Verify(Engine& engine, const OpContext& op, const VerifyScope& scope,
                            const VerifyOptions& options);

}  // namespace atrium::store
