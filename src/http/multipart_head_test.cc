// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/multipart_head.h"

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/testing.h"

namespace atrium::http {

void PrintTo(const PartHead& head, std::ostream* out) {
  *out << "name=" << head.name << " filename=" << head.filename.value_or("(none)")
       << " type=" << head.content_type;
}

namespace {

using namespace std::string_literals;

std::string Disposition(std::string_view parameters) {
  return "Content-Disposition: form-data" + std::string(parameters) + "\r\n";
}

TEST(PartHeadTest, APlainFieldHasNoFileName) {
  EXPECT_THAT(ParsePartHead(Disposition("; name=\"title\"")), Holds(PartHead{.name = "title"}));
  EXPECT_THAT(ParsePartHead(Disposition(";name=title;")), Holds(PartHead{.name = "title"}));
  EXPECT_THAT(ParsePartHead(Disposition("; name=\"\"")), Holds(PartHead{.name = ""}));
}

TEST(PartHeadTest, AFileHasItsNameAndType) {
  EXPECT_THAT(ParsePartHead("content-type:  image/png \r\nX-Other: 1\r\n"
                            "CONTENT-DISPOSITION: Form-Data ; NAME=f ; FileName=\"a b.png\"\r\n"),
              Holds(PartHead{.name = "f", .filename = "a b.png", .content_type = "image/png"}));
}

TEST(PartHeadTest, FileNamesOfEveryKindAreUnderstood) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {R"(filename="a\"b\\c.txt")", R"(a"b\c.txt)"},
      {R"(filename="C:\dir\new.txt")", R"(C:\dir\new.txt)"},
      {"filename=\"\xC3\xA4.txt\"", "\xC3\xA4.txt"},
      {"filename=\"a;b=c.txt\"", "a;b=c.txt"},
      {"filename=\"a%22b.txt\"", "a%22b.txt"},
      {"filename=plain.txt", "plain.txt"},
      {"filename=\"\"", ""},
      {"filename*=UTF-8''%e2%82%ac%20rates", "\xE2\x82\xAC rates"},
      {"filename*=utf-8'en'a'b", "a'b"},
      {"filename=\"ascii\"; filename*=UTF-8''%C3%A4", "\xC3\xA4"},
      {"filename*=UTF-8''%C3%A4; filename=\"ascii\"", "\xC3\xA4"},
      {"filename=\"../../etc/passwd\"", "../../etc/passwd"},
  };
  for (const auto& [parameter, filename] : cases) {
    EXPECT_THAT(ParsePartHead(Disposition("; name=f; " + parameter)),
                Holds(PartHead{.name = "f", .filename = filename}));
  }
}

TEST(PartHeadTest, BrokenHeadsAreRefusedSayingWhy) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "no Content-Disposition"},
      {"Content-Type: text/plain\r\n", "no Content-Disposition"},
      {Disposition(""), "field name"},
      {Disposition("; filename=a"), "field name"},
      {"Content-Disposition: attachment; name=a\r\n", "not form-data"},
      {Disposition("; name=a; name=b"), "two field name"},
      {Disposition("; name=a; filename=b; filename=c"), "two file name"},
      {Disposition("; name=a") + Disposition("; name=b"), "two Content-Disposition"},
      {Disposition("; name=a") + "Content-Type: a/b\r\ncontent-type: c/d\r\n", "two Content-Type"},
      {Disposition("; name=\"a"), "bad value of its parameter name"},
      {Disposition("; name="), "bad value of its parameter name"},
      {Disposition("; name"), "not name=value"},
      {Disposition(" name=a"), "semicolon"},
      {Disposition("; name=\"a\"b"), "semicolon"},
      {Disposition("; name=\"\xFF\""), "UTF-8"},
      {Disposition("; name=a; filename=\"\xC3\""), "UTF-8"},
      {Disposition("; name=a; filename*=UTF-8''%FF"), "UTF-8"},
      {Disposition("; name=a; filename*=UTF-8''a%0Ab"), "control"},
      {Disposition("; name=a; filename*=UTF-8''%zz"), "escape"},
      {Disposition("; name=a; filename*=latin1''a"), "filename*"},
      {Disposition("; name=a; filename*=UTF-8'a"), "filename*"},
      {Disposition("; name=a; filename*=a"), "filename*"},
      {Disposition("; name=\"a\0b\""s), "not a header"},
      {Disposition("; name=\"a\rb\""), "not a header"},
      {Disposition("; name=\"a\nb\""), "not a header"},
      {Disposition("; name=a") + "no colon\r\n", "not a header"},
      {Disposition("; name=a") + " folded: line\r\n", "not a header"},
      {Disposition("; name=a") + "X : y\r\n", "not a header"},
      {Disposition("; name=a") + ": y\r\n", "not a header"},
      {Disposition("; name=a") + "\r\n", "not a header"},
      {Disposition("; name=a") + "X: y", "CRLF"},
      {Disposition("; name=a") + "Content-Transfer-Encoding: base64\r\n", "Transfer-Encoding"},
  };
  for (const auto& [lines, saying] : cases) {
    EXPECT_THAT(ParsePartHead(lines), FailsSaying(ErrorCode::kInvalidArgument, saying)) << lines;
  }
}

TEST(PartHeadTest, PlainTransferEncodingsChangeNothing) {
  EXPECT_THAT(ParsePartHead(Disposition("; name=a") + "Content-Transfer-Encoding: Binary\r\n"),
              Holds(PartHead{.name = "a"}));
}

TEST(BoundaryTest, BoundariesComeFromTheContentType) {
  EXPECT_THAT(BoundaryOf("multipart/form-data; boundary=----WebKitFormBoundaryAbC"),
              Holds("----WebKitFormBoundaryAbC"));
  EXPECT_THAT(BoundaryOf("Multipart/Form-Data; charset=utf-8; Boundary=\"a b:c\""), Holds("a b:c"));
  EXPECT_THAT(BoundaryOf("multipart/form-data; boundary=" + std::string(70, 'x')), IsOk());
}

TEST(BoundaryTest, OtherTypesAndImproperBoundariesAreRefused) {
  EXPECT_THAT(BoundaryOf("multipart/mixed; boundary=a"),
              FailsSaying(ErrorCode::kInvalidArgument, "not multipart/form-data"));
  EXPECT_THAT(BoundaryOf(""), FailsSaying(ErrorCode::kInvalidArgument, "type/subtype"));
  for (const std::string& bad :
       {""s, "; boundary=\"\""s, "; boundary=\"a \""s, "; boundary=\"a\\\"b\""s,
        "; boundary=\"a;b\""s, "; boundary=" + std::string(71, 'x'), "; boundary=\"\xC3\xA4\""s}) {
    EXPECT_THAT(BoundaryOf("multipart/form-data" + bad),
                FailsSaying(ErrorCode::kInvalidArgument, "proper boundary"))
        << bad;
  }
}

}  // namespace
}  // namespace atrium::http
