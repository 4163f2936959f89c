// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.h"
#include "base/result.h"
#include "store/row.h"
#include "store/table.h"

namespace atrium::store {

// The three kinds of line in an export, as docs/formats/export.md describes them. The readers
// refuse with kCorrupt, and say what is wrong, but not on which line.

/// The version of the format that is written, and the only one that is read.
inline constexpr int kExportFormat = 1;

/// Longer lines are neither written nor read. The longest document, in base64, takes a tenth of it.
inline constexpr std::size_t kExportLineBytesMax = std::size_t{1} << 20;

BOOST_DESCRIBE_ENUM(TableKind, kGuarded, kImmutable, kDerived, kLog)

/// A table as the program that wrote the file knew it.
struct ExportedTable {
  std::uint16_t number = 0;
  std::string name{};
  TableKind kind = TableKind::kGuarded;
  std::uint16_t group = 0;

  friend bool operator==(const ExportedTable&, const ExportedTable&) = default;
};
BOOST_DESCRIBE_STRUCT(ExportedTable, (), (number, name, kind, group))

/// The first line.
struct ExportHeader {
  int atrium_export = kExportFormat;
  Instant created_at{};
  /// Of the store the rows come from.
  std::string epoch{};
  std::vector<ExportedTable> tables{};

  friend bool operator==(const ExportHeader&, const ExportHeader&) = default;
};
BOOST_DESCRIBE_STRUCT(ExportHeader, (), (atrium_export, created_at, epoch, tables))

/// The last line.
struct ExportFooter {
  bool end = true;
  std::uint64_t rows = 0;
  /// Of all lines before this one with their newlines, in hexadecimal digits.
  std::string sha256{};

  friend bool operator==(const ExportFooter&, const ExportFooter&) = default;
};
BOOST_DESCRIBE_STRUCT(ExportFooter, (), (end, rows, sha256))

/// A line of a row, read.
struct ExportedRow {
  std::string table{};
  KeyedRow keyed{};

  friend bool operator==(const ExportedRow&, const ExportedRow&) = default;
};

std::string RenderHeader(const ExportHeader& header);
/// kInvalidArgument for what is no header at all or has another version.
Result<ExportHeader> ParseHeader(std::string_view line);

/// Appends the line of a row, without newline. The document comes back byte by byte whatever it is.
void AppendRow(std::string& out, const Table& table, const RowView& row);
/// Refuses also keys, documents and counters that no row may have (limits.h).
Result<ExportedRow> ParseRow(std::string_view line);

bool IsFooter(std::string_view line);
std::string RenderFooter(const ExportFooter& footer);
Result<ExportFooter> ParseFooter(std::string_view line);

}  // namespace atrium::store
