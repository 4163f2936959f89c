// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/email_address.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/error.h"
#include "base/result.h"
#include "base/testing.h"

namespace atrium::identity {
namespace {

using ::testing::Property;

auto HasText(std::string_view text) {
  return Holds(Property(&EmailAddress::Text, std::string(text)));
}

auto Refused(std::string_view why) {
  return FailsSaying(ErrorCode::kInvalidArgument, std::string(why));
}

TEST(EmailAddressTest, IsTrimmedAndLowerCased) {
  EXPECT_THAT(EmailAddress::Parse(" \tAnn.Smith@Example.ORG\r\n"),
              HasText("ann.smith@example.org"));
}

TEST(EmailAddressTest, HasALocalPartAndADomain) {
  const Result<EmailAddress> address = EmailAddress::Parse("ann+home@mail.example.org");
  ASSERT_THAT(address, IsOk());
  EXPECT_EQ(address->Local(), "ann+home");
  EXPECT_EQ(address->Domain(), "mail.example.org");
}

TEST(EmailAddressTest, EqualSpellingsAreEqual) {
  const Result<EmailAddress> one = EmailAddress::Parse("ann@example.org");
  const Result<EmailAddress> same = EmailAddress::Parse("ANN@EXAMPLE.ORG ");
  const Result<EmailAddress> other = EmailAddress::Parse("bob@example.org");
  ASSERT_THAT(one, IsOk());
  ASSERT_THAT(same, IsOk());
  ASSERT_THAT(other, IsOk());
  EXPECT_EQ(*one, *same);
  EXPECT_LT(*one, *other);
}

TEST(EmailAddressTest, TheUserKeyIsTheHashOfTheNormalisedAddress) {
  const Result<EmailAddress> address = EmailAddress::Parse(" Test@Example.com ");
  ASSERT_THAT(address, IsOk());
  // printf test@example.com | sha256sum
  EXPECT_EQ(address->UserKey(), "973dfe463ec85785f5f95af5ba3906eedb2d931c24e69824a89ea65dba4e813b");
}

TEST(EmailAddressTest, UnusualButRealAddressesAreTaken) {
  for (const char* text :
       {"a@b.co", "ann@localhost", "o'brien@example.ie", "a!#$%&'*+-/=?^_`{|}~b@example.org",
        "ann@xn--mnchen-3ya.example", "ann@1and1.example", "x@123.example", "ann@a-b.example"}) {
    EXPECT_THAT(EmailAddress::Parse(text), HasText(text));
  }
}

TEST(EmailAddressTest, LettersOutsideAsciiAreKeptAsTheyAre) {
  EXPECT_THAT(EmailAddress::Parse("JÖRG@example.de"), HasText("jÖrg@example.de"));
  EXPECT_THAT(EmailAddress::Parse("用户@example.cn"), HasText("用户@example.cn"));
}

TEST(EmailAddressTest, ThereIsExactlyOneAt) {
  EXPECT_THAT(EmailAddress::Parse(""), Refused("no \"@\""));
  EXPECT_THAT(EmailAddress::Parse("ann.example.org"), Refused("no \"@\""));
  EXPECT_THAT(EmailAddress::Parse("ann@home@example.org"), Refused("more than one"));
  EXPECT_THAT(EmailAddress::Parse("@example.org"), Refused("before the"));
  EXPECT_THAT(EmailAddress::Parse("ann@ "), Refused("behind the"));
}

TEST(EmailAddressTest, DotsStandBetweenOtherCharacters) {
  for (const char* text : {".ann@example.org", "ann.@example.org", "ann..b@example.org"}) {
    EXPECT_THAT(EmailAddress::Parse(text), Refused("dot")) << text;
  }
}

TEST(EmailAddressTest, QuotedLocalPartsAreRefused) {
  EXPECT_THAT(EmailAddress::Parse("\"ann smith\"@example.org"), Refused("quoted"));
}

TEST(EmailAddressTest, OtherCharactersAreRefused) {
  for (const std::string_view text :
       {"ann smith@example.org", "ann<b@example.org", "a,b@example.org", "a\"b@example.org",
        "ann\x7f@example.org", "ann\n@example.org", "a(b)@example.org", "a\\b@example.org"}) {
    EXPECT_THAT(EmailAddress::Parse(text), Refused("not allowed")) << text;
  }
  EXPECT_THAT(EmailAddress::Parse(std::string_view("an\0n@example.org", 16)),
              Refused("not allowed"));
}

TEST(EmailAddressTest, InvisibleCharactersAreRefused) {
  for (const char* text : {"ann\xC2\x85@example.org", "ann\xC2\xA0@example.org",
                           "a\xE2\x80\x8Bnn@example.org", "a\xE2\x80\xAEnn@example.org",
                           "\xEF\xBB\xBF_ann@example.org", "a\xF3\xA0\x81\x81@example.org"}) {
    EXPECT_THAT(EmailAddress::Parse(text), Refused("invisible")) << text;
  }
}

TEST(EmailAddressTest, BrokenUtf8IsRefused) {
  EXPECT_THAT(EmailAddress::Parse("ann\xC3@example.org"), Refused("UTF-8"));
}

TEST(EmailAddressTest, DomainsAreHostNames) {
  for (const char* text :
       {"ann@-a.example", "ann@a-.example", "ann@a..example", "ann@.example", "ann@example.org.",
        "ann@exa mple.org", "ann@exa_mple.org", "ann@example.org:25"}) {
    EXPECT_THAT(EmailAddress::Parse(text), Refused("not a host name")) << text;
  }
  EXPECT_THAT(EmailAddress::Parse("ann@münchen.example"), Refused("xn--"));
  EXPECT_THAT(EmailAddress::Parse("ann@intranet"), Refused("no dot"));
}

TEST(EmailAddressTest, IpAddressesAreNoDomains) {
  for (const char* text :
       {"ann@192.0.2.1", "ann@[192.0.2.1]", "ann@[IPv6:2001:db8::1]", "ann@example.1"}) {
    EXPECT_THAT(EmailAddress::Parse(text), Refused("IP address")) << text;
  }
}

TEST(EmailAddressTest, LengthsAreBounded) {
  const std::string local(64, 'a');
  const std::string label(63, 'b');
  const std::string domain = label + "." + label + "." + label;  // 191 bytes.
  EXPECT_THAT(EmailAddress::Parse(local + "@example.org"), IsOk());
  EXPECT_THAT(EmailAddress::Parse(local + "a@example.org"), Refused("64 bytes"));
  EXPECT_THAT(EmailAddress::Parse("ann@" + label + "b.org"), Refused("not a host name"));
  EXPECT_THAT(EmailAddress::Parse(local.substr(2) + "@" + domain), IsOk());  // 254 bytes.
  EXPECT_THAT(EmailAddress::Parse(local.substr(1) + "@" + domain), Refused("254 bytes"));
  EXPECT_THAT(EmailAddress::Parse("a@" + domain + "." + label + ".c"), Refused("255 bytes"));
}

}  // namespace
}  // namespace atrium::identity
