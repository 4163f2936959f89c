// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "store/import.h"

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/error.h"
#include "store/export_lines.h"
#include "store/export_reader.h"
#include "store/row.h"
#include "store/table.h"
#include "store/transfer_file.h"

namespace atrium::store {
namespace {

// A batch is loaded when it has as much as one of these.
constexpr std::size_t kBatchRows = 1000;
constexpr std::size_t kBatchBytes = std::size_t{1} << 20;

/// Takes what a file has, row by row.
class RowLoader {
 public:
  RowLoader() = default;
  RowLoader(const RowLoader&) = delete;
  RowLoader& operator=(const RowLoader&) = delete;
  virtual ~RowLoader() = default;
  virtual Result<void> Take(TableRow row) = 0;
  virtual Result<void> Finish() = 0;
};

class NoLoader final : public RowLoader {
 public:
  Result<void> Take(TableRow /*row*/) override { return {}; }
  Result<void> Finish() override { return {}; }
};

class EngineLoader final : public RowLoader {
 public:
  EngineLoader(Engine& engine, const OpContext& op) : engine_(engine), op_(op) {}

  Result<void> Take(TableRow row) override {
    if (row.table != table_) {
      RETURN_IF_ERROR(Finish());
      table_ = row.table;
    }
    bytes_ += row.keyed.row.document.size();
    rows_.push_back(std::move(row.keyed));
    return rows_.size() >= kBatchRows || bytes_ >= kBatchBytes ? Finish() : Result<void>();
  }

  Result<void> Finish() override {
    if (rows_.empty()) {
      return {};
    }
    if (Result<void> loaded = engine_.Load(op_, *table_, rows_); !loaded) {
      return While("load table " + std::string(table_->name), std::move(loaded).error());
    }
    rows_.clear();
    bytes_ = 0;
    return {};
  }

 private:
  Engine& engine_;
  const OpContext& op_;
  const Table* table_ = nullptr;
  std::vector<KeyedRow> rows_;
  std::size_t bytes_ = 0;
};

Result<ImportReport> Transfer(ExportReader& reader, RowLoader& loader,
                              const ProgressSink& progress) {
  ASSIGN_OR_RETURN(ExportHeader header, reader.ReadHeader());
  const auto tell = [&](std::string_view table) {
    if (progress) {
      progress({.table = table, .rows = reader.Rows(), .file_bytes = reader.FileBytes()});
    }
  };
  while (true) {
    ASSIGN_OR_RETURN(std::optional<TableRow> row, reader.Next());
    if (!row) {
      break;
    }
    const Table& table = *row->table;
    RETURN_IF_ERROR(loader.Take(*std::move(row)));
    if (reader.Rows() % kProgressRows == 0) {
      tell(table.name);
    }
  }
  RETURN_IF_ERROR(loader.Finish());
  tell({});
  return ImportReport{.rows = reader.Rows(),
                      .file_bytes = reader.FileBytes(),
                      .created_at = header.created_at,
                      .epoch = std::move(header.epoch)};
}

Result<bool> HasRows(Engine& engine, const OpContext& op, const Table& table) {
  bool found = false;
  FunctionSink sink([&](const RowView& /*row*/) { found = true; });
  WalkRequest request{.table = &table, .limit = 1};
  do {
    ASSIGN_OR_RETURN(WalkEnd end, engine.Walk(op, request, sink));
    request.after = std::move(end.resume);
  } while (!found && request.after);
  return found;
}

Result<void> RefuseRows(Engine& engine, const OpContext& op, const Schema& schema) {
  for (const Table* table : schema.Tables()) {
    ASSIGN_OR_RETURN(const bool has_rows, HasRows(engine, op, *table));
    if (has_rows) {
      return Fail(ErrorCode::kAlreadyExists,
                  "the store is not empty: there are rows in table " + std::string(table->name));
    }
  }
  return {};
}

}  // namespace

Result<ImportReport> VerifyExport(const Schema& schema, const ByteSource& source,
                                  const ProgressSink& progress) {
  ExportReader reader(schema, source);
  NoLoader loader;
  return Transfer(reader, loader, progress);
}

Result<ImportReport> Import(Engine& engine, const OpContext& op, const Schema& schema,
                            const ByteSource& source, const ImportOptions& options) {
  if (options.existing == OnExisting::kRefuse) {
    RETURN_IF_ERROR(RefuseRows(engine, op, schema));
  }
  ExportReader reader(schema, source);
  EngineLoader loader(engine, op);
  return Transfer(reader, loader, options.progress);
}

Result<ImportReport> ImportFile(Engine& engine, const OpContext& op, const Schema& schema,
                                const std::filesystem::path& path, const ImportOptions& options) {
  ASSIGN_OR_RETURN(InputFile file, InputFile::Open(path));
  const ByteSource source = [&](std::span<char> buffer) { return file.Read(buffer); };
  RETURN_IF_ERROR(file.Rewind());
  if (options.existing == OnExisting::kRefuse) {
    RETURN_IF_ERROR(RefuseRows(engine, op, schema));  // Before the long pass over the file.
  }
  RETURN_IF_ERROR(VerifyExport(schema, source, options.progress));
  RETURN_IF_ERROR(file.Rewind());
  return Import(engine, op, schema, source, options);
}

}  // namespace atrium::store
