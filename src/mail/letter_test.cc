// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "mail/letter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace atrium::mail {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Letter Invitation() {
  return {.to = "ann@example.org",
          .subject = "Come & see",
          .greeting = "Hello <Ann>,",
          .paragraphs = {"one", "two"},
          .button = Button{.label = "Sign in", .url = "https://example.org/?a=1&b=\"2\""},
          .closing = "Bye"};
}

TEST(LetterTest, TextHasOneParagraphAfterTheOtherAndTheAddressSpelledOut) {
  const Message message = Compose(Invitation());
  EXPECT_EQ(message.to, "ann@example.org");
  EXPECT_EQ(message.subject, "Come & see");
  EXPECT_EQ(message.text,
            "Hello <Ann>,\n\none\n\ntwo\n\nSign in:\nhttps://example.org/?a=1&b=\"2\"\n\nBye\n");
}

TEST(LetterTest, HtmlIsEscapedEverywhere) {
  const std::string html = Compose(Invitation()).html;
  EXPECT_THAT(html, HasSubstr("<title>Come &amp; see</title>"));
  EXPECT_THAT(html, HasSubstr("Hello &lt;Ann&gt;,</p>"));
  EXPECT_THAT(html, HasSubstr("href=\"https://example.org/?a=1&amp;b=&quot;2&quot;\""));
  EXPECT_THAT(html, HasSubstr(">https://example.org/?a=1&amp;b=&quot;2&quot;</p>"));
  EXPECT_THAT(html, Not(HasSubstr("<Ann>")));
}

TEST(LetterTest, HtmlLoadsNothing) {
  const std::string html = Compose(Invitation()).html;
  for (const auto* word : {"<img", "<link", "<script", "src=", "url("}) {
    EXPECT_THAT(html, Not(HasSubstr(word)));
  }
}

TEST(LetterTest, EmptyPartsLeaveNoTrace) {
  const Message message = Compose({.to = "a@b", .subject = "s", .paragraphs = {"only"}});
  EXPECT_EQ(message.text, "only\n");
  EXPECT_THAT(message.html, Not(HasSubstr("<a ")));
  EXPECT_THAT(message.html, Not(HasSubstr("></p>")));
}

TEST(LetterTest, BracesInWordsAreWords) {
  EXPECT_EQ(Compose({.paragraphs = {"{content} {"}}).text, "{content} {\n");
  EXPECT_THAT(Compose({.paragraphs = {"{content} {"}}).html, HasSubstr(">{content} {</p>"));
}

}  // namespace
}  // namespace atrium::mail
