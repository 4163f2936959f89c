// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/hex.h"
#include "base/result.h"
#include "base/utf8.h"
#include "fuzz/fuzzing.h"
#include "store/export_lines.h"
#include "store/import.h"
#include "store/limits.h"
#include "store/row.h"
#include "store/schema.h"
#include "store/table.h"
#include "store/transfer.h"
#include "store/zstd_lines.h"

namespace atrium::fuzz {
namespace {

using store::ExportedRow;

constexpr store::Table kEvents{.number = 120, .name = "events"};

store::Schema MakeSchema() {
  store::Schema schema;
  Check(schema.Add(kEvents).has_value(), "the table is a good one");
  return schema;
}

store::ByteSource From(std::string_view file, std::size_t piece) {
  return [file, piece](std::span<char> buffer) mutable -> Result<std::size_t> {
    const std::size_t size = std::min({file.size(), piece, buffer.size()});
    file.copy(buffer.data(), size);
    file.remove_prefix(size);
    return size;
  };
}

void CheckError(const Error& error) {
  Check(error.code == ErrorCode::kCorrupt || error.code == ErrorCode::kInvalidArgument,
        "a bad file is corrupt or no export");
  Check(!error.client_message.empty() && IsValidUtf8(error.client_message),
        "the operator is told why");
}

void CheckRow(std::string_view line) {
  const Result<ExportedRow> row = store::ParseRow(line);
  if (!row) {
    CheckError(row.error());
    return;
  }
  const auto& [key, stored] = row->keyed;
  Check(!key.partition.empty() && key.partition.size() <= store::kKeyPartBytesMax &&
            key.sort.size() <= store::kKeyPartBytesMax,
        "keys are limited");
  Check(stored.document.size() <= store::kDocumentBytesMax, "documents are limited");
  std::string again;
  store::AppendRow(again, {.number = 120, .name = kEvents.name},
                   {.key = key,
                    .document = stored.document,
                    .version = stored.version,
                    .expires_at = stored.expires_at,
                    .counters = stored.counters});
  const Result<ExportedRow> back = store::ParseRow(again);
  Check(back && back->keyed == row->keyed, "a row that was read can be written and read");
}

void CheckHeader(std::string_view line) {
  const Result<store::ExportHeader> header = store::ParseHeader(line);
  if (!header) {
    CheckError(header.error());
    return;
  }
  const Result<store::ExportHeader> back = store::ParseHeader(store::RenderHeader(*header));
  Check(back && *back == *header, "a header that was read can be written and read");
}

std::string Verdict(const store::Schema& schema, std::string_view file, std::size_t piece) {
  const Result<store::ImportReport> report = store::VerifyExport(schema, From(file, piece));
  if (!report) {
    CheckError(report.error());
    // Of a damaged frame, how many lines are seen before the damage depends on the portions.
    return "refused";
  }
  Check(report->file_bytes == file.size(), "a file is read to its end");
  return std::to_string(report->rows);
}

/// Compressed and closed with an end that fits, so that lines are looked at all the way.
std::string Sealed(std::string_view lines) {
  std::string text(lines);
  text += text.empty() || text.ends_with('\n') ? "" : "\n";
  const auto line_count = static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
  text += store::RenderFooter(
              {.rows = line_count == 0 ? 0 : line_count - 1, .sha256 = EncodeHex(Sha256Of(text))}) +
          '\n';
  std::string file;
  store::ZstdLineWriter writer([&](std::string_view bytes) -> Result<void> {
    file += bytes;
    return {};
  });
  Check(writer.Write(text).has_value() && writer.Finish().has_value(), "anything is compressed");
  return file;
}

}  // namespace

/// A file, or the lines of one before compression when they begin as a line does.
void TryInput(std::string_view input) {
  const store::Schema schema = MakeSchema();
  if (!input.starts_with('{')) {
    Check(Verdict(schema, input, 3) == Verdict(schema, input, input.size() + 1),
          "in portions is the same as at once");
    return;
  }
  const std::string sealed = Sealed(input);
  Verdict(schema, sealed, sealed.size());
  std::string_view rest = input;
  while (!rest.empty()) {
    const std::string_view line = TakeLine(rest);
    CheckHeader(line);
    CheckRow(line);
    const Result<store::ExportFooter> footer = store::ParseFooter(line);
    Check(footer || footer.error().code == ErrorCode::kCorrupt, "a bad end is corrupt");
  }
}

}  // namespace atrium::fuzz
