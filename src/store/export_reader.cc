// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "store/export_reader.h"

#include <utility>

#include "base/error.h"
#include "base/hex.h"

namespace atrium::store {
namespace {

std::unexpected<Error> OnLine(std::uint64_t line, Error error) {
  const std::string place = "line " + std::to_string(line) + ": ";
  error.detail.insert(0, place);
  error.client_message.insert(0, place);
  return std::unexpected(std::move(error));
}

}  // namespace

ExportReader::ExportReader(const Schema& schema, ByteSource source)
    : schema_(schema), lines_(std::move(source), kExportLineBytesMax) {}

Result<ExportHeader> ExportReader::ReadHeader() {
  ASSIGN_OR_RETURN(const std::optional<std::string_view> line, lines_.Next());
  if (!line) {
    return Fail(ErrorCode::kInvalidArgument, "the file is empty");
  }
  Result<ExportHeader> header = ParseHeader(*line);
  if (!header) {
    return OnLine(lines_.LineNumber(), std::move(header).error());
  }
  hash_.Update(*line);
  hash_.Update("\n");
  for (const ExportedTable& exported : header->tables) {
    if (Result<void> matched = Match(exported); !matched) {
      return OnLine(lines_.LineNumber(), std::move(matched).error());
    }
  }
  return header;
}

Result<void> ExportReader::Match(const ExportedTable& exported) {
  const std::string name =
      "table " + std::to_string(exported.number) + " \"" + exported.name + "\"";
  const Table* table = schema_.FindByName(exported.name);
  // The group is about places on a cluster, and may change between releases.
  if (table == nullptr || table->number != exported.number || table->kind != exported.kind) {
    return Fail(ErrorCode::kInvalidArgument, "this program does not know the " + name);
  }
  if (!tables_.emplace(exported.name, table).second) {
    return Fail(ErrorCode::kCorrupt, "the " + name + " comes twice");
  }
  return {};
}

Result<std::optional<TableRow>> ExportReader::Next() {
  ASSIGN_OR_RETURN(const std::optional<std::string_view> line, lines_.Next());
  if (!line) {
    return Fail(ErrorCode::kCorrupt,
                "the file is cut short behind line " + std::to_string(lines_.LineNumber()));
  }
  Result<std::optional<TableRow>> row = Read(*line);
  if (!row) {
    return OnLine(lines_.LineNumber(), std::move(row).error());
  }
  return row;
}

Result<std::optional<TableRow>> ExportReader::Read(std::string_view line) {
  if (IsFooter(line)) {
    RETURN_IF_ERROR(ReadEnd(line));
    return std::nullopt;
  }
  hash_.Update(line);
  hash_.Update("\n");
  ASSIGN_OR_RETURN(ExportedRow row, ParseRow(line));
  const auto table = tables_.find(row.table);
  if (table == tables_.end()) {
    return Fail(ErrorCode::kCorrupt, "the first line has no table of that name");
  }
  ++rows_;
  return TableRow{.table = table->second, .keyed = std::move(row.keyed)};
}

Result<void> ExportReader::ReadEnd(std::string_view line) {
  ASSIGN_OR_RETURN(const ExportFooter footer, ParseFooter(line));
  if (footer.rows != rows_) {
    return Fail(ErrorCode::kCorrupt, "the file should have " + std::to_string(footer.rows) +
                                         " rows and has " + std::to_string(rows_));
  }
  if (footer.sha256 != EncodeHex(hash_.Finish())) {
    return Fail(ErrorCode::kCorrupt, "the checksum is another one: the file was altered");
  }
  ASSIGN_OR_RETURN(const std::optional<std::string_view> more, lines_.Next());
  if (more) {
    return Fail(ErrorCode::kCorrupt, "there is more behind the end");
  }
  return {};
}

}  // namespace atrium::store
