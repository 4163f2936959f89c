// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "store/export_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/instant.h"
#include "base/result.h"
#include "base/testing.h"
#include "store/limits.h"
#include "store/row.h"
#include "store/table.h"

namespace atrium::store {
namespace {

using ::testing::HasSubstr;

constexpr Table kEvents{.number = 120, .name = "events", .kind = TableKind::kGuarded, .group = 3};

std::string Line(const KeyedRow& keyed) {
  std::string line;
  AppendRow(line, kEvents,
            {.key = keyed.key,
             .document = keyed.row.document,
             .version = keyed.row.version,
             .expires_at = keyed.row.expires_at,
             .counters = keyed.row.counters});
  return line;
}

KeyedRow Documented(std::string document) {
  return {.key = {.partition = "ann", .sort = "1"},
          .row = {.document = std::move(document), .version = {7}}};
}

void ExpectComesBack(const KeyedRow& keyed) {
  const std::string line = Line(keyed);
  EXPECT_THAT(line, ::testing::Not(HasSubstr("\n")));
  EXPECT_THAT(ParseRow(line), Holds((ExportedRow{.table = "events", .keyed = keyed}))) << line;
}

/// A row line whose members are given, for lines that nobody wrote.
Result<ExportedRow> Parse(std::string_view members) {
  return ParseRow("{" + std::string(members) + "}");
}

// Golden: docs/formats/export.md shows these lines. New formats add lines, these stay.
TEST(ExportLinesTest, LinesOfFormatOneAreTheseBytes) {
  EXPECT_EQ(
      RenderHeader(
          {.created_at = Instant(std::chrono::milliseconds(1'763'246'040'123)),
           .epoch = "e1",
           .tables = {{.number = 120, .name = "events", .kind = TableKind::kGuarded, .group = 3}}}),
      R"({"atrium_export":1,"created_at":"2025-11-15T22:34:00.123Z","epoch":"e1",)"
      R"("tables":[{"number":120,"name":"events","kind":"guarded","group":3}]})");
  EXPECT_EQ(
      Line({.key = {.partition = "ann", .sort = std::string("a b%\x00\x01\xff\"\\~", 10)},
            .row = {.document = R"({"title":"Fête",  "n":1.50})",
                    .version = {1'763'246'040'123'456},
                    .expires_at = Instant(std::chrono::milliseconds(1'763'246'040'123)),
                    .counters = {{.name = "bytes", .value = -5}, {.name = "x\"", .value = 2}}}}),
      R"({"table":"events","partition":"ann","sort":"a b%25%00%01%FF%22%5C~",)"
      R"("version":1763246040123456,"expires_at_ms":1763246040123,)"
      R"("counters":{"bytes":-5,"x%22":2},"document":{"title":"Fête",  "n":1.50}})");
  EXPECT_EQ(Line(Documented("two\nlines")),
            R"({"table":"events","partition":"ann","sort":"1","version":7,)"
            R"("document_base64":"dHdvCmxpbmVz"})");
  EXPECT_EQ(RenderFooter({.rows = 2, .sha256 = "00ff"}),
            R"({"end":true,"rows":2,"sha256":"00ff"})");
}

TEST(ExportLinesTest, AnyKeyComesBack) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) {
    all += static_cast<char>(byte);
  }
  ExpectComesBack({.key = {.partition = all, .sort = ""}, .row = {.document = "{}"}});
  ExpectComesBack({.key = {.partition = "p", .sort = all + all}, .row = {.document = "{}"}});
}

TEST(ExportLinesTest, AnyDocumentComesBackByteByByte) {
  for (const std::string_view document :
       {"", "{}", " {} ", "null", "{\"a\":1e400}", "{\"a\":1,\"a\":2}", "{\n}", "\r", "{}\r",
        "\xff", "\"\xff\"", "{\"a\":", "}", "{},\"document\":{}", "\"\\u0000\"", "\x00", "{}{}",
        "{\"document\":1}", "\"\x7f\xe2\x80\xa8\""}) {
    ExpectComesBack(Documented(std::string(document)));
  }
  ExpectComesBack(Documented(std::string("\x00", 1)));
  ExpectComesBack(Documented(std::string(40, '[') + std::string(40, ']')));
  ExpectComesBack(Documented(std::string(kDocumentBytesMax, '\n')));
}

TEST(ExportLinesTest, ADocumentThatIsJsonStaysReadable) {
  EXPECT_THAT(Line(Documented(R"({"title":"x"})")), HasSubstr(R"("document":{"title":"x"}})"));
}

TEST(ExportLinesTest, TheEndsOfNumbersComeBack) {
  ExpectComesBack(
      {.key = {.partition = "p", .sort = "s"},
       .row = {.document = "{}",
               .version = {std::numeric_limits<std::uint64_t>::max()},
               .expires_at = Instant::max(),
               .counters = {{.name = "%", .value = std::numeric_limits<std::int64_t>::max()},
                            {.name = "&", .value = std::numeric_limits<std::int64_t>::min()}}}});
  ExpectComesBack({.key = {.partition = "p", .sort = "s"},
                   .row = {.document = "{}", .expires_at = Instant::min()}});
}

TEST(ExportLinesTest, CountersComeBackInTheOrderOfTheirNames) {
  // Escaped, the second would be the first.
  ExpectComesBack({.key = {.partition = "p", .sort = "s"},
                   .row = {.document = "{}",
                           .counters = {{.name = "!", .value = 1}, {.name = "\xc3", .value = 2}}}});
  ExpectComesBack({.key = {.partition = "p", .sort = "s"},
                   .row = {.document = "{}",
                           .counters = {{.name = "0", .value = 1}, {.name = "\\", .value = 2}}}});
}

TEST(ExportLinesTest, AKeyHasOneSpelling) {
  constexpr std::string_view kRest = R"(,"sort":"","version":1,"document":{})";
  const auto parse = [&](std::string_view partition) {
    return Parse(R"("table":"events","partition":")" + std::string(partition) + "\"" +
                 std::string(kRest));
  };
  EXPECT_THAT(parse("a%FF"), IsOk());
  for (const std::string_view wrong : {"a%ff", "a%41", "a%F", "a%", "a%GG", "a%+1", "a% 1", "a%%%",
                                       "é", "\\u0041\\u0000", "\\n"}) {
    EXPECT_THAT(parse(wrong), FailsWith(ErrorCode::kCorrupt)) << wrong;
  }
}

TEST(ExportLinesTest, RefusesWhatNoRowMayHave) {
  KeyedRow row = Documented("{}");
  row.key.partition = "";
  EXPECT_THAT(ParseRow(Line(row)), FailsWith(ErrorCode::kCorrupt));
  row = Documented("{}");
  row.key.sort = std::string(kKeyPartBytesMax + 1, 'x');
  EXPECT_THAT(ParseRow(Line(row)), FailsWith(ErrorCode::kCorrupt));
  row = Documented("{}");
  row.row.counters = {{.name = std::string(kCounterNameBytesMax + 1, 'x'), .value = 1}};
  EXPECT_THAT(ParseRow(Line(row)), FailsWith(ErrorCode::kCorrupt));
  EXPECT_THAT(ParseRow(Line(Documented(std::string(kDocumentBytesMax + 1, '\n')))),
              FailsSaying(ErrorCode::kCorrupt, "more than 65536 bytes"));
}

TEST(ExportLinesTest, RefusesRowsOfAnotherShape) {
  constexpr std::string_view kHead = R"("table":"events","partition":"p","sort":"s","version":1)";
  const auto with = [&](std::string_view more) {
    return Parse(std::string(kHead) + std::string(more));
  };
  EXPECT_THAT(with(R"(,"document":{})"), IsOk());
  EXPECT_THAT(with(""), FailsSaying(ErrorCode::kCorrupt, "one document"));
  EXPECT_THAT(with(R"(,"document_base64":"e30=","document":{})"),
              FailsSaying(ErrorCode::kCorrupt, "one document"));
  EXPECT_THAT(with(R"(,"document":{},"expires_at_ms":1)"),
              FailsSaying(ErrorCode::kCorrupt, "the document is not JSON"));
  EXPECT_THAT(with(R"(,"document":)"), FailsWith(ErrorCode::kCorrupt));
  EXPECT_THAT(with(R"(,"document_base64":"e30")"), FailsWith(ErrorCode::kCorrupt));
  EXPECT_THAT(with(R"(,"colour":1,"document":{})"),
              FailsSaying(ErrorCode::kCorrupt, "/colour: unknown member"));
  EXPECT_THAT(with(R"(,"counters":{"a":1,"a":2},"document":{})"), FailsWith(ErrorCode::kCorrupt));
  EXPECT_THAT(with(R"(,"counters":{"":1},"document":{})"), FailsWith(ErrorCode::kCorrupt));
  EXPECT_THAT(with(R"(,"expires_at_ms":1.5,"document":{})"), FailsWith(ErrorCode::kCorrupt));
  EXPECT_THAT(Parse(R"("table":"events","partition":"p","sort":"s","document":{})"),
              FailsSaying(ErrorCode::kCorrupt, "/version: missing"));
  EXPECT_THAT(ParseRow(""), FailsWith(ErrorCode::kCorrupt));
  EXPECT_THAT(ParseRow("[]"), FailsWith(ErrorCode::kCorrupt));
}

TEST(ExportLinesTest, AHeaderComesBack) {
  const ExportHeader header{.created_at = Instant(std::chrono::milliseconds(1)),
                            .epoch = "\"e\"",
                            .tables = {{.number = 1, .name = "a", .kind = TableKind::kLog},
                                       {.number = 2, .name = "b", .kind = TableKind::kDerived},
                                       {.number = 3, .name = "c", .kind = TableKind::kImmutable}}};
  EXPECT_THAT(ParseHeader(RenderHeader(header)), Holds(header));
}

TEST(ExportLinesTest, OtherFormatsAndOtherFilesAreNoExport) {
  EXPECT_THAT(ParseHeader(R"({"atrium_export":2,"anything":1})"),
              FailsSaying(ErrorCode::kInvalidArgument, "format"));
  EXPECT_THAT(ParseHeader(R"({"table":"events"})"),
              FailsSaying(ErrorCode::kInvalidArgument, "no export"));
  EXPECT_THAT(ParseHeader("BEGIN:VCALENDAR"),
              FailsSaying(ErrorCode::kInvalidArgument, "no export"));
  EXPECT_THAT(ParseHeader(R"({"atrium_export":1})"), FailsWith(ErrorCode::kCorrupt));
}

TEST(ExportLinesTest, AFooterComesBackAndIsTold) {
  const ExportFooter footer{.rows = 5, .sha256 = "ab"};
  EXPECT_TRUE(IsFooter(RenderFooter(footer)));
  EXPECT_FALSE(IsFooter(Line(Documented("{}"))));
  EXPECT_THAT(ParseFooter(RenderFooter(footer)), Holds(footer));
  EXPECT_THAT(ParseFooter(R"({"end":false,"rows":5,"sha256":"ab"})"),
              FailsWith(ErrorCode::kCorrupt));
  EXPECT_THAT(ParseFooter(R"({"end":true})"), FailsWith(ErrorCode::kCorrupt));
}

}  // namespace
}  // namespace atrium::store
