// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "store/export_lines.h"

#include <algorithm>
#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/parse_options.hpp>
#include <boost/json/value.hpp>
#include <charconv>
#include <map>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

#include "base/base64.h"
#include "base/error.h"
#include "base/json_read.h"
#include "base/json_text.h"
#include "base/json_write.h"
#include "store/limits.h"

namespace atrium::store {
namespace {

namespace json = boost::json;

/// No other place of a line can look like this: strings in front of it hold no quotation mark.
constexpr std::string_view kDocumentMember = ",\"document\":";

/// All of a row but a document that is JSON.
struct RowHead {
  std::string table{};
  std::string partition{};
  std::string sort{};
  std::uint64_t version = 0;
  std::optional<std::int64_t> expires_at_ms{};
  std::optional<std::map<std::string, std::int64_t>> counters{};
  std::optional<std::string> document_base64{};
};
BOOST_DESCRIBE_STRUCT(RowHead, (),
                      (table, partition, sort, version, expires_at_ms, counters, document_base64))

/// Looks at JSON without building anything.
class Onlooker {
 public:
  // NOLINTBEGIN(readability-identifier-naming): these names are basic_parser's.
  static constexpr std::size_t max_object_size = std::size_t(-1);
  static constexpr std::size_t max_array_size = std::size_t(-1);
  static constexpr std::size_t max_key_size = std::size_t(-1);
  static constexpr std::size_t max_string_size = std::size_t(-1);

  using Failure = boost::system::error_code;
  bool on_document_begin(Failure&) { return true; }
  bool on_document_end(Failure&) { return true; }
  bool on_object_begin(Failure&) { return true; }
  bool on_object_end(std::size_t, Failure&) { return true; }
  bool on_array_begin(Failure&) { return true; }
  bool on_array_end(std::size_t, Failure&) { return true; }
  bool on_key_part(json::string_view, std::size_t, Failure&) { return true; }
  bool on_key(json::string_view, std::size_t, Failure&) { return true; }
  bool on_string_part(json::string_view, std::size_t, Failure&) { return true; }
  bool on_string(json::string_view, std::size_t, Failure&) { return true; }
  bool on_number_part(json::string_view, Failure&) { return true; }
  bool on_int64(std::int64_t, json::string_view, Failure&) { return true; }
  bool on_uint64(std::uint64_t, json::string_view, Failure&) { return true; }
  bool on_double(double, json::string_view, Failure&) { return true; }
  bool on_bool(bool, Failure&) { return true; }
  bool on_null(Failure&) { return true; }
  bool on_comment_part(json::string_view, Failure&) { return true; }
  bool on_comment(json::string_view, Failure&) { return true; }
  // NOLINTEND(readability-identifier-naming)
};

/// Whether the document can be a part of its line as it is.
bool IsJsonOfOneLine(std::string_view document) {
  if (document.find('\n') != std::string_view::npos) {
    return false;
  }
  json::parse_options options;
  options.max_depth = kJsonDepthMax;
  json::basic_parser<Onlooker> parser(options);
  boost::system::error_code failure;
  const std::size_t read = parser.write_some(false, document.data(), document.size(), failure);
  return !failure && read == document.size();
}

/// Printable ASCII stands for itself, so that keys can be read and searched for.
bool IsPlain(char c) {
  return c >= ' ' && c <= '~' && c != '%' && c != '"' && c != '\\';
}

void AppendKeyPart(std::string& out, std::string_view bytes) {
  static constexpr std::string_view kDigits = "0123456789ABCDEF";
  for (const char c : bytes) {
    if (IsPlain(c)) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += kDigits[byte >> 4U];
    out += kDigits[byte & 0xFU];
  }
}

std::unexpected<Error> Corrupt(std::string what) {
  return Fail(ErrorCode::kCorrupt, std::move(what));
}

/// One value has one spelling: what stands for itself is not escaped, and digits are upper-case.
Result<char> DecodeEscape(std::string_view text) {
  unsigned byte = 0;
  const std::string_view digits = text.substr(1, 2);
  const auto [end, failed] =
      std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
  const bool lower = std::ranges::any_of(digits, [](char c) { return c >= 'a' && c <= 'f'; });
  const char c = static_cast<char>(byte);
  if (failed != std::errc() || digits.size() != 2 || end != digits.data() + 2 || lower ||
      IsPlain(c)) {
    return Corrupt("a key with an escape that is none");
  }
  return c;
}

Result<std::string> DecodeKeyPart(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size());
  while (!text.empty()) {
    if (text.front() != '%') {
      if (!IsPlain(text.front())) {
        return Corrupt("a key with a character that should be escaped");
      }
      bytes += text.front();
      text.remove_prefix(1);
      continue;
    }
    ASSIGN_OR_RETURN(const char byte, DecodeEscape(text));
    bytes += byte;
    text.remove_prefix(3);
  }
  return bytes;
}

void AppendCounters(std::string& out, std::span<const Counter> counters) {
  std::string_view separator = ",\"counters\":{\"";
  for (const Counter& counter : counters) {
    out += separator;
    AppendKeyPart(out, counter.name);
    out += "\":";
    AppendJsonNumber(out, counter.value);
    separator = ",\"";
  }
  out += counters.empty() ? "" : "}";
}

Result<std::vector<Counter>> ReadCounters(const RowHead& head) {
  std::vector<Counter> counters;
  if (!head.counters) {
    return counters;
  }
  for (const auto& [encoded, value] : *head.counters) {
    ASSIGN_OR_RETURN(std::string name, DecodeKeyPart(encoded));
    if (name.empty() || name.size() > kCounterNameBytesMax) {
      return Corrupt("a counter whose name is empty or too long");
    }
    counters.push_back({.name = std::move(name), .value = value});
  }
  // The order of escaped names is another one.
  std::ranges::sort(counters, {}, &Counter::name);
  return counters;
}

struct SplitLine {
  std::string head;
  std::optional<std::string_view> document;
};

SplitLine Split(std::string_view line) {
  const std::size_t at = line.find(kDocumentMember);
  if (at == std::string_view::npos || !line.ends_with('}')) {
    return {.head = std::string(line), .document = std::nullopt};
  }
  std::string head(line.substr(0, at));
  head += '}';
  const std::size_t begin = at + kDocumentMember.size();
  return {.head = std::move(head), .document = line.substr(begin, line.size() - 1 - begin)};
}

Result<std::string> ReadDocument(const SplitLine& split, const RowHead& head) {
  if (split.document.has_value() == head.document_base64.has_value()) {
    return Corrupt("a row has one document, behind its other members");
  }
  if (!split.document) {
    return DecodeBase64(*head.document_base64);
  }
  if (!IsJsonOfOneLine(*split.document)) {
    return Corrupt("the document is not JSON");
  }
  return std::string(*split.document);
}

Result<void> CheckRow(const KeyedRow& keyed) {
  RETURN_IF_ERROR(CheckKey(keyed.key));
  if (keyed.row.document.size() > kDocumentBytesMax) {
    return Corrupt("a document of more than " + std::to_string(kDocumentBytesMax) + " bytes");
  }
  return {};
}

/// Readers of values call what they refuse an invalid argument; in a file it is damage.
template <typename T>
Result<T> OrCorrupt(Result<T> read) {
  if (!read) {
    read.error().code = ErrorCode::kCorrupt;
    if (read.error().client_message.empty()) {
      read.error().client_message = read.error().detail;
    }
  }
  return read;
}

Result<ExportedRow> ReadRow(std::string_view line) {
  const SplitLine split = Split(line);
  ASSIGN_OR_RETURN(RowHead head, FromJson<RowHead>(split.head));
  ExportedRow row{.table = std::move(head.table), .keyed = {}};
  ASSIGN_OR_RETURN(row.keyed.key.partition, DecodeKeyPart(head.partition));
  ASSIGN_OR_RETURN(row.keyed.key.sort, DecodeKeyPart(head.sort));
  row.keyed.row.version = {head.version};
  if (head.expires_at_ms) {
    row.keyed.row.expires_at = Instant(std::chrono::milliseconds(*head.expires_at_ms));
  }
  ASSIGN_OR_RETURN(row.keyed.row.counters, ReadCounters(head));
  ASSIGN_OR_RETURN(row.keyed.row.document, ReadDocument(split, head));
  RETURN_IF_ERROR(CheckRow(row.keyed));
  return row;
}

}  // namespace

std::string RenderHeader(const ExportHeader& header) {
  return ToJson(header);
}

Result<ExportHeader> ParseHeader(std::string_view line) {
  const Result<json::value> parsed = ParseJson(line);
  const json::object* object = parsed ? parsed->if_object() : nullptr;
  const json::value* format = object != nullptr ? object->if_contains("atrium_export") : nullptr;
  if (format == nullptr) {
    return Fail(ErrorCode::kInvalidArgument, "this is no export of a store");
  }
  if (*format != json::value(kExportFormat)) {
    return Fail(ErrorCode::kInvalidArgument,
                "the export has a format that this program does not read; it reads format " +
                    std::to_string(kExportFormat));
  }
  return OrCorrupt(FromJsonValue<ExportHeader>(*parsed));
}

void AppendRow(std::string& out, const Table& table, const RowView& row) {
  out += "{\"table\":\"";
  out += table.name;
  out += "\",\"partition\":\"";
  AppendKeyPart(out, row.key.partition);
  out += "\",\"sort\":\"";
  AppendKeyPart(out, row.key.sort);
  out += "\",\"version\":";
  AppendJsonNumber(out, row.version.number);
  if (row.expires_at) {
    out += ",\"expires_at_ms\":";
    AppendJsonNumber(out, row.expires_at->time_since_epoch().count());
  }
  AppendCounters(out, row.counters);
  if (IsJsonOfOneLine(row.document)) {
    out += kDocumentMember;
    out += row.document;
    out += '}';
  } else {
    out += ",\"document_base64\":\"";
    out += EncodeBase64(row.document);
    out += "\"}";
  }
}

Result<ExportedRow> ParseRow(std::string_view line) {
  return OrCorrupt(ReadRow(line));
}

bool IsFooter(std::string_view line) {
  return line.starts_with("{\"end\":");
}

std::string RenderFooter(const ExportFooter& footer) {
  return ToJson(footer);
}

Result<ExportFooter> ParseFooter(std::string_view line) {
  ASSIGN_OR_RETURN(ExportFooter footer, OrCorrupt(FromJson<ExportFooter>(line)));
  if (!footer.end) {
    return Corrupt("the last line says that it is not the end");
  }
  return footer;
}

}  // namespace atrium::store
