// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "mail/mime.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/instant.h"
#include "base/result.h"
#include "base/testing.h"

namespace atrium::mail {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Message Plain() {
  return {.to = "ann@example.org", .subject = "Hello", .text = "Hi Ann\n", .html = "<p>Hi</p>\n"};
}

MimeHead Head() {
  // Sun, 06 Nov 1994 08:49:37 GMT.
  return {.from = "Atrium <atrium@example.org>",
          .date = Instant(std::chrono::seconds(784111777)),
          .message_id = "1@example.org"};
}

Result<std::string> WithSubject(std::string subject) {
  Message message = Plain();
  message.subject = std::move(subject);
  return RenderMime(message, Head());
}

Result<std::string> WithText(std::string text) {
  Message message = Plain();
  message.text = std::move(text);
  return RenderMime(message, Head());
}

TEST(MimeTest, ALetterLooksLikeThis) {
  EXPECT_THAT(
      RenderMime(Plain(), Head()),
      Holds(std::string("Date: Sun, 06 Nov 1994 08:49:37 +0000\r\n"
                        "From: Atrium <atrium@example.org>\r\n"
                        "To: ann@example.org\r\n"
                        "Subject: Hello\r\n"
                        "Message-ID: <1@example.org>\r\n"
                        "Auto-Submitted: auto-generated\r\n"
                        "MIME-Version: 1.0\r\n"
                        "Content-Type: multipart/alternative; boundary=\"=_atrium_letter\"\r\n"
                        "\r\n"
                        "--=_atrium_letter\r\n"
                        "Content-Type: text/plain; charset=utf-8\r\n"
                        "Content-Transfer-Encoding: quoted-printable\r\n"
                        "\r\n"
                        "Hi Ann\r\n"
                        "--=_atrium_letter\r\n"
                        "Content-Type: text/html; charset=utf-8\r\n"
                        "Content-Transfer-Encoding: quoted-printable\r\n"
                        "\r\n"
                        "<p>Hi</p>\r\n"
                        "--=_atrium_letter--\r\n")));
}

TEST(MimeTest, SubjectsBeyondAsciiAreEncodedWords) {
  EXPECT_THAT(WithSubject("Gr\xC3\xBC\xC3\x9F"
                          "e"),
              Holds(HasSubstr("Subject: =?UTF-8?B?R3LDvMOfZQ==?=\r\n")));
  EXPECT_THAT(WithSubject("=?UTF-8?B?eA==?="),
              Holds(Not(HasSubstr("Subject: =?UTF-8?B?eA==?=\r\n"))));
}

TEST(MimeTest, LongSubjectsAreBrokenBetweenCharacters) {
  std::string subject;
  for (int i = 0; i < 40; ++i) {
    subject += "\xE2\x82\xAC";
  }
  // 39 bytes are 13 whole characters of three.
  EXPECT_THAT(WithSubject(subject),
              Holds(HasSubstr("Subject: =?UTF-8?B?4oKs4oKs4oKs4oKs4oKs4oKs4oKs4oKs4oKs4oKs4oKs4oKs"
                              "4oKs?=\r\n =?UTF-8?B?4oKs")));
}

TEST(MimeTest, NoLineIsLongerThanSeventySix) {
  Message message = Plain();
  message.subject = std::string(300, 'x');
  message.text = std::string(500, 'y') + "\n" + std::string(76, 'z') + "\n";
  for (int i = 0; i < 100; ++i) {
    message.html += "\xC3\xA9=";
  }
  const Result<std::string> mime = RenderMime(message, Head());
  ASSERT_THAT(mime, IsOk());
  std::string_view rest = *mime;
  while (!rest.empty()) {
    const std::size_t end = rest.find("\r\n");
    ASSERT_NE(end, std::string_view::npos);
    EXPECT_LE(end, 76U);
    EXPECT_EQ(rest.substr(0, end).find_first_of("\r\n"), std::string_view::npos);
    rest.remove_prefix(end + 2);
  }
}

TEST(MimeTest, BodiesAreQuotedPrintable) {
  EXPECT_THAT(WithText("a=b \xC3\xA9\tc \nd\r\n\ne"),
              Holds(HasSubstr("\r\n\r\na=3Db =C3=A9\tc=20\r\nd\r\n\r\ne\r\n--=_atrium_letter")));
  EXPECT_THAT(WithText(std::string(76, 'a')),
              Holds(HasSubstr("\r\n\r\n" + std::string(75, 'a') + "=\r\na\r\n")));
  EXPECT_THAT(WithText("--=_atrium_letter--\n"), Holds(HasSubstr("\r\n--=3D_atrium_letter--\r\n")));
  EXPECT_THAT(WithText("a\rb"), Holds(HasSubstr("\r\na=0Db\r\n")));
}

TEST(MimeTest, NamesOfSendersAreWordsOrEncoded) {
  MimeHead head = Head();
  head.from = "a@b";
  EXPECT_THAT(RenderMime(Plain(), head), Holds(HasSubstr("From: a@b\r\n")));
  head.from = "Ann, B. <a@b>";
  EXPECT_THAT(RenderMime(Plain(), head),
              Holds(HasSubstr("From: =?UTF-8?B?QW5uLCBCLg==?= <a@b>\r\n")));
  head.from = std::string(60, 'n') + " <someone@example.org>";
  EXPECT_THAT(RenderMime(Plain(), head),
              Holds(HasSubstr("From: " + std::string(60, 'n') + "\r\n <someone@example.org>\r\n")));
}

TEST(MimeTest, NoHeaderCanBeSmuggledIn) {
  EXPECT_THAT(WithSubject("a\r\nBcc: b@c"), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(WithSubject("a\nb"), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(WithSubject(std::string("a\0b", 3)), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(WithSubject("\xFF"), FailsWith(ErrorCode::kInvalidArgument));
  Message message = Plain();
  message.to = "a@b\r\nBcc: c@d";
  EXPECT_THAT(RenderMime(message, Head()), FailsWith(ErrorCode::kInvalidArgument));
  MimeHead head = Head();
  head.from = "A\r\nBcc: c@d <a@b>";
  EXPECT_THAT(RenderMime(Plain(), head), FailsWith(ErrorCode::kInvalidArgument));
  head = Head();
  head.message_id = "1@b>\r\nBcc: c@d";
  EXPECT_THAT(RenderMime(Plain(), head), FailsWith(ErrorCode::kInvalidArgument));
}

}  // namespace
}  // namespace atrium::mail
