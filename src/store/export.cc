// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "store/export.h"

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/hash.h"
#include "base/hex.h"
#include "store/export_lines.h"
#include "store/row.h"
#include "store/table.h"
#include "store/transfer_file.h"
#include "store/zstd_lines.h"

namespace atrium::store {
namespace {

/// Small, because a page of the longest lines is held at once.
constexpr std::size_t kPageRows = 256;

/// Renders while the engine shows its rows, and writes only afterwards: a slow disk must not hold
/// up what the engine holds during a page.
class PageLines final : public RowSink {
 public:
  explicit PageLines(const Table& table) : table_(table) {}

  void Take(const RowView& row) override {
    const std::size_t begin = text_.size();
    AppendRow(text_, table_, row);
    too_long_ = too_long_ || text_.size() - begin > kExportLineBytesMax;
    text_ += '\n';
    ++rows_;
  }

  void Clear() {
    text_.clear();
    rows_ = 0;
  }

  const std::string& Text() const { return text_; }
  std::uint64_t Rows() const { return rows_; }
  bool TooLong() const { return too_long_; }

 private:
  const Table& table_;
  std::string text_;
  std::uint64_t rows_ = 0;
  bool too_long_ = false;
};

ExportHeader HeaderOf(const Schema& schema, const ExportOptions& options) {
  ExportHeader header{.created_at = options.created_at, .epoch = options.epoch, .tables = {}};
  for (const Table* table : schema.Tables()) {
    header.tables.push_back({.number = table->number,
                             .name = std::string(table->name),
                             .kind = table->kind,
                             .group = table->group});
  }
  return header;
}

class Exporter {
 public:
  Exporter(Engine& engine, const OpContext& op, const ByteSink& sink, const ProgressSink& progress)
      : engine_(engine), op_(op), progress_(progress), writer_(sink) {}

  Result<ExportReport> Run(const Schema& schema, const ExportHeader& header) {
    RETURN_IF_ERROR(Write(RenderHeader(header) + '\n'));
    for (const Table* table : schema.Tables()) {
      if (Result<void> written = WriteTable(*table); !written) {
        return While("export table " + std::string(table->name), std::move(written).error());
      }
    }
    const ExportFooter footer{.rows = rows_, .sha256 = EncodeHex(hash_.Finish())};
    RETURN_IF_ERROR(writer_.Write(RenderFooter(footer) + '\n'));
    RETURN_IF_ERROR(writer_.Finish());
    Tell({});
    return ExportReport{.rows = rows_, .file_bytes = writer_.CompressedBytes()};
  }

 private:
  Result<void> WriteTable(const Table& table) {
    PageLines page(table);
    WalkRequest request{.table = &table, .limit = kPageRows};
    do {
      page.Clear();
      ASSIGN_OR_RETURN(WalkEnd end, engine_.Walk(op_, request, page));
      request.after = std::move(end.resume);
      if (page.TooLong()) {
        return Fail(ErrorCode::kLimitExceeded,
                    "a row of table " + std::string(table.name) + " is too long for an export");
      }
      RETURN_IF_ERROR(Write(page.Text()));
      rows_ += page.Rows();
      if (rows_ >= next_tell_) {
        Tell(table.name);
      }
    } while (request.after);
    return {};
  }

  Result<void> Write(std::string_view lines) {
    hash_.Update(lines);
    return writer_.Write(lines);
  }

  void Tell(std::string_view table) {
    next_tell_ = rows_ + kProgressRows;
    if (progress_) {
      progress_({.table = table, .rows = rows_, .file_bytes = writer_.CompressedBytes()});
    }
  }

  Engine& engine_;
  const OpContext& op_;
  const ProgressSink& progress_;
  ZstdLineWriter writer_;
  Sha256 hash_;
  std::uint64_t rows_ = 0;
  std::uint64_t next_tell_ = kProgressRows;
};

}  // namespace

Result<ExportReport> Export(Engine& engine, const OpContext& op, const Schema& schema,
                            const ByteSink& sink, const ExportOptions& options) {
  return Exporter(engine, op, sink, options.progress).Run(schema, HeaderOf(schema, options));
}

Result<ExportReport> ExportToFile(Engine& engine, const OpContext& op, const Schema& schema,
                                  const std::filesystem::path& path, const ExportOptions& options) {
  ASSIGN_OR_RETURN(NewFile file, NewFile::Create(path));
  const ByteSink sink = [&](std::string_view bytes) { return file.Write(bytes); };
  ASSIGN_OR_RETURN(const ExportReport report, Export(engine, op, schema, sink, options));
  RETURN_IF_ERROR(file.Publish());
  return report;
}

}  // namespace atrium::store
