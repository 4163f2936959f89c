// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/config_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "app/config_texts.h"

namespace atrium::app {
namespace {

using std::chrono::milliseconds;
using ::testing::Optional;

constexpr std::uint64_t kAnyBytes = std::numeric_limits<std::uint64_t>::max();
constexpr Duration kAnyDuration{.min = milliseconds{0}, .max = std::chrono::hours{24 * 365}};

TEST(ConfigValuesTest, DurationsNeedAUnit) {
  EXPECT_THAT(kAnyDuration.Parse("30s"), Optional(milliseconds{30'000}));
  EXPECT_THAT(kAnyDuration.Parse("5m"), Optional(milliseconds{300'000}));
  EXPECT_THAT(kAnyDuration.Parse("7d"), Optional(milliseconds{604'800'000}));
  EXPECT_THAT(kAnyDuration.Parse("250ms"), Optional(milliseconds{250}));
  for (const auto* text : {"30", "", "s", "-1s", "1.5s", "1 s", "1S", "1h30m", "99999999999999d"}) {
    EXPECT_EQ(kAnyDuration.Parse(text), std::nullopt) << text;
  }
}

TEST(ConfigValuesTest, SizesCountInThousandsOrInPowersOfTwo) {
  const ByteSize any{.min = 0, .max = kAnyBytes};
  EXPECT_THAT(any.Parse("64KiB"), Optional(65'536U));
  EXPECT_THAT(any.Parse("1MiB"), Optional(1'048'576U));
  EXPECT_THAT(any.Parse("2GB"), Optional(2'000'000'000U));
  EXPECT_THAT(any.Parse("2kB"), Optional(2000U));
  EXPECT_THAT(any.Parse("100"), Optional(100U));
  for (const auto* text : {"", "KiB", "1K", "1kib", "-1", "18446744073709551616", "99999999TiB"}) {
    EXPECT_EQ(any.Parse(text), std::nullopt) << text;
  }
}

TEST(ConfigValuesTest, RenderedValuesAreShortAndReadBackTheSame) {
  const ByteSize any{.min = 0, .max = kAnyBytes};
  EXPECT_EQ(any.Render(32'768), "32KiB");
  EXPECT_EQ(any.Render(2'000'000'000), "2GB");
  EXPECT_EQ(any.Render(1), "1");
  EXPECT_EQ(kAnyDuration.Render(milliseconds{0}), "0ms");
  EXPECT_EQ(kAnyDuration.Render(milliseconds{75'000}), "75s");
  EXPECT_EQ(kAnyDuration.Render(milliseconds{86'400'000}), "1d");
  for (const std::uint64_t bytes : {0ULL, 999ULL, 1000ULL, 1024ULL, 65'535ULL, 1ULL << 40U}) {
    EXPECT_THAT(any.Parse(any.Render(bytes)), Optional(bytes));
  }
  const DecimalNumber rate{.min = 0.01, .max = 1e6};
  for (const double number : {0.01, 0.1, 20.0, 1e6}) {
    EXPECT_THAT(rate.Parse(rate.Render(number)), Optional(number));
  }
}

TEST(ConfigValuesTest, NumbersStayInTheirBounds) {
  const WholeNumber port{.min = 1, .max = 65'535};
  EXPECT_THAT(port.Parse("65535"), Optional(65'535U));
  for (const auto* text : {"0", "65536", "+1", "-1", "0x10", "1e3", "80 ", "", "eighty"}) {
    EXPECT_EQ(port.Parse(text), std::nullopt) << text;
  }
  const DecimalNumber rate{.min = 0.01, .max = 1e6};
  for (const auto* text : {"0", "nan", "inf", "1e400", "-1", "1000001", "1e3", ""}) {
    EXPECT_EQ(rate.Parse(text), std::nullopt) << text;
  }
}

TEST(ConfigValuesTest, TextIsOneLineOfUtf8) {
  EXPECT_THAT(Path().Parse("/srv/\xC3\xA9t\xC3\xA9"),
              Optional(std::string("/srv/\xC3\xA9t\xC3\xA9")));
  for (const auto* text : {"", "a\nb", "a\tb", "\x7F", "\xFF", "\xC0\x80", "\xED\xA0\x80"}) {
    EXPECT_EQ(Path().Parse(text), std::nullopt) << text;
  }
  EXPECT_EQ(PathOrEmpty().Parse(std::string(5000, 'a')), std::nullopt);
}

TEST(ConfigValuesTest, OriginsAreWrittenAsBrowsersSendThem) {
  EXPECT_THAT(WebOrigin().Parse("https://example.org:8443"),
              Optional(std::string("https://example.org:8443")));
  for (const auto* text : {"", "*", "https://example.org/", "https://Example.org", "example.org"}) {
    EXPECT_EQ(WebOrigin().Parse(text), std::nullopt) << text;
  }
}

TEST(ConfigValuesTest, ProxiesNameAPortAndNoUser) {
  EXPECT_THAT(ProxyUrlOrEmpty().Parse("http://proxy:3128"),
              Optional(std::string("http://proxy:3128")));
  for (const auto* text : {"http://proxy", "http://u:p@proxy:3128", "socks5://proxy:1080"}) {
    EXPECT_EQ(ProxyUrlOrEmpty().Parse(text), std::nullopt) << text;
  }
}

TEST(ConfigValuesTest, SendersAreAnAddressPerhapsWithAName) {
  for (const auto* text : {"", "a@b", "Atrium <atrium@example.org>", "Ann B. <a+b@c.d>"}) {
    EXPECT_THAT(MailboxOrEmpty().Parse(text), Optional(std::string(text)));
  }
  for (const auto* text : {"a", "@b", "a@", "a@b@c", "a b@c", "<a@b>", "A <a@b", "A <a@b> c",
                           "A<a@b>", "\"A\" <a@b>", "a@b,c@d", "A <a@b\r\n>"}) {
    EXPECT_EQ(MailboxOrEmpty().Parse(text), std::nullopt) << text;
  }
}

TEST(ConfigValuesTest, HostsHaveNoPort) {
  for (const auto* text : {"", "localhost", "mail.example.org", "127.0.0.1", "::1"}) {
    EXPECT_THAT(HostOrEmpty().Parse(text), Optional(std::string(text)));
  }
  for (const auto* text : {"a:25", "smtp://a", "a/b", "a b", "-a", ".a", "[::1]"}) {
    EXPECT_EQ(HostOrEmpty().Parse(text), std::nullopt) << text;
  }
}

TEST(ConfigValuesTest, PublicUrlsLoseTheSlashAtTheirEnd) {
  const PublicUrl url;
  EXPECT_THAT(url.Parse(""), Optional(std::string()));
  EXPECT_THAT(url.Parse("https://example.org"), Optional(std::string("https://example.org")));
  EXPECT_THAT(url.Parse("http://[::1]:8080/"), Optional(std::string("http://[::1]:8080")));
  for (const auto* text : {"example.org", "/", "ftp://a", "https://a/b", "https://a/?b", "https://",
                           "https://u@a", "https://a:0", "https://a//", "https://a/\n"}) {
    EXPECT_EQ(url.Parse(text), std::nullopt) << text;
  }
}

TEST(ConfigValuesTest, QuotedTextIsSafeToShow) {
  EXPECT_EQ(Quoted("a\"b\\c\n\x1B", 80), R"("a\"b\\c\x0a\x1b")");
  EXPECT_EQ(Quoted("\xFF", 80), R"("\xff")");
  EXPECT_EQ(Quoted("abcdef", 3), R"("abc...")");
  EXPECT_EQ(Printable("http.port"), "http.port");
  EXPECT_EQ(Printable("ht tp"), "\"ht tp\"");
}

}  // namespace
}  // namespace atrium::app
