// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/clock.h"
#include "base/instant.h"
#include "base/result.h"
#include "engines/memory/engine.h"
#include "store/engine.h"
#include "store/op_context_testing.h"
#include "store/row.h"
#include "store/schema.h"
#include "store/table.h"
#include "store/transfer.h"
#include "store/zstd_lines.h"

namespace atrium::store::export_testing {

inline constexpr Table kEvents{.number = 120, .name = "events", .group = 3};
inline constexpr Table kChanges{.number = 121, .name = "changes", .kind = TableKind::kLog};
inline constexpr Table kObjects{.number = 122, .name = "objects", .kind = TableKind::kImmutable};

inline constexpr Instant kNow{std::chrono::milliseconds(1'763'246'040'123)};

inline Schema MakeSchema() {
  Schema schema;
  for (const Table* table : {&kEvents, &kChanges, &kObjects}) {
    atrium::Check(schema.Add(*table).has_value(), "the tables of the test fit together");
  }
  return schema;
}

inline ByteSink Into(std::string& file) {
  return [&file](std::string_view bytes) -> Result<void> {
    file += bytes;
    return {};
  };
}

/// Gives a file in pieces of an awkward size; it outlives the source.
inline ByteSource From(std::string_view file) {
  return [file](std::span<char> buffer) mutable -> Result<std::size_t> {
    constexpr std::size_t kPiece = 997;
    const std::size_t size = std::min({file.size(), kPiece, buffer.size()});
    file.copy(buffer.data(), size);
    file.remove_prefix(size);
    return size;
  };
}

inline std::string Compressed(std::string_view lines) {
  std::string file;
  ZstdLineWriter writer(Into(file));
  atrium::Check(writer.Write(lines).has_value() && writer.Finish().has_value(),
                "a string takes any bytes");
  return file;
}

inline std::string Decompressed(std::string_view file) {
  ZstdLineReader reader(From(file), std::size_t{1} << 20U);
  std::string text;
  for (auto line = reader.Next(); line && *line; line = reader.Next()) {
    text += **line;
    text += '\n';
  }
  return text;
}

/// All rows of a table by key.
inline std::map<Key, Row> RowsOf(Engine& engine, const Table& table) {
  std::map<Key, Row> rows;
  FunctionSink sink([&](const RowView& view) {
    KeyedRow keyed = Copy(view);
    rows.emplace(std::move(keyed.key), std::move(keyed.row));
  });
  WalkRequest request{.table = &table, .limit = 1000};
  do {
    Result<WalkEnd> end = engine.Walk(kTestOp, request, sink);
    atrium::Check(end.has_value(), "the memory engine walks");
    request.after = std::move(end->resume);
  } while (request.after);
  return rows;
}

inline void LoadRow(Engine& engine, const Table& table, KeyedRow row) {
  const std::vector<KeyedRow> rows{std::move(row)};
  atrium::Check(engine.Load(kTestOp, table, rows).has_value(), "the memory engine loads");
}

}  // namespace atrium::store::export_testing
