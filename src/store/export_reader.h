// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/hash.h"
#include "base/result.h"
#include "store/export_lines.h"
#include "store/row.h"
#include "store/schema.h"
#include "store/table.h"
#include "store/transfer.h"
#include "store/zstd_lines.h"

namespace atrium::store {

/// A row of an export and the table it belongs to.
struct TableRow {
  const Table* table;
  KeyedRow keyed;
};

/// Reads an export row by row and believes nothing of it: not its lines, not its number of rows,
/// not its checksum, not that it ends where it says. Errors name the line. After an error it is of
/// no use. One thread at a time; `schema` outlives it.
///
/// kInvalidArgument for a file that is no export, is of another format, or has tables that this
/// program does not know; kCorrupt for one that is damaged.
class ExportReader {
 public:
  ExportReader(const Schema& schema, ByteSource source);

  /// First, once.
  Result<ExportHeader> ReadHeader();

  /// nullopt when the whole file was read, and was right. Until then nothing is certain.
  Result<std::optional<TableRow>> Next();

  std::uint64_t Rows() const { return rows_; }
  std::uint64_t FileBytes() const { return lines_.CompressedBytes(); }

 private:
  Result<std::optional<TableRow>> Read(std::string_view line);
  Result<void> ReadEnd(std::string_view line);
  Result<void> Match(const ExportedTable& exported);

  const Schema& schema_;
  ZstdLineReader lines_;
  Sha256 hash_;
  std::map<std::string, const Table*, std::less<>> tables_;  // Those of the header.
  std::uint64_t rows_ = 0;
};

}  // namespace atrium::store
