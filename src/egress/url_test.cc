// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "egress/url.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/error.h"
#include "base/testing.h"

namespace atrium::egress {
namespace {

std::string Resolved(std::string_view base, std::string_view reference) {
  return ResolveReference(ParseUrl(base).value(), reference).value().text;
}

TEST(UrlTest, ReadsSchemeHostAndPort) {
  const Url url = ParseUrl("https://example.org:8443/a/b?c=d").value();
  EXPECT_EQ(url.text, "https://example.org:8443/a/b?c=d");
  EXPECT_EQ(url.scheme, Scheme::kHttps);
  EXPECT_EQ(url.host, "example.org");
  EXPECT_EQ(url.port, 8443);
}

TEST(UrlTest, KnowsTheDefaultPorts) {
  EXPECT_EQ(ParseUrl("http://example.org").value().port, 80);
  EXPECT_EQ(ParseUrl("https://example.org").value().port, 443);
}

TEST(UrlTest, DropsTheFragment) {
  EXPECT_EQ(ParseUrl("https://example.org/a#b").value().text, "https://example.org/a");
}

TEST(UrlTest, ReadsAddressesWithoutBrackets) {
  EXPECT_EQ(ParseUrl("http://[2001:db8::1]:81/").value().host, "2001:db8::1");
  EXPECT_EQ(ParseUrl("http://192.0.2.1/").value().host, "192.0.2.1");
}

TEST(UrlTest, NormalisesAddressesInDisguise) {
  EXPECT_EQ(ParseUrl("http://0x7f.1/").value().host, "127.0.0.1");
  EXPECT_EQ(ParseUrl("http://2130706433/").value().host, "127.0.0.1");
  EXPECT_EQ(ParseUrl("http://0177.0.0.1/").value().host, "127.0.0.1");
}

TEST(UrlTest, WritesHostsInLowerCase) {
  const Url url = ParseUrl("http://Example.ORG/Path").value();
  EXPECT_EQ(url.host, "example.org");
  EXPECT_EQ(url.text, "http://example.org/Path");
}

TEST(UrlTest, RefusesHostsOutsideAscii) {
  EXPECT_THAT(ParseUrl("http://b\xC3\xBC.example/"),
              FailsSaying(ErrorCode::kInvalidArgument, "ASCII"));
  EXPECT_THAT(ParseUrl("http://b%C3%BC.example/"),
              FailsSaying(ErrorCode::kInvalidArgument, "ASCII"));
}

TEST(UrlTest, RefusesOtherSchemes) {
  for (const char* text : {"ftp://example.org/", "file:///etc/passwd", "gopher://example.org/",
                           "dict://example.org/", "smb://example.org/x"}) {
    EXPECT_THAT(ParseUrl(text), FailsSaying(ErrorCode::kInvalidArgument, "http and https")) << text;
  }
}

TEST(UrlTest, RefusesCredentials) {
  for (const char* text : {"http://ann:secret@example.org/", "http://ann@example.org/",
                           "http://:secret@example.org/", "http://@example.org/"}) {
    EXPECT_THAT(ParseUrl(text), FailsSaying(ErrorCode::kInvalidArgument, "user name")) << text;
  }
}

TEST(UrlTest, RefusesWhatIsNotAnAbsoluteUrl) {
  for (const char* text :
       {"", "/path", "example.org", "http://", "http://exa mple.org/",
        "http://example.org/\r\nX: y", "http://example.org:99999/", "http://example.org:0/"}) {
    EXPECT_THAT(ParseUrl(text), FailsWith(ErrorCode::kInvalidArgument)) << text;
  }
}

TEST(UrlTest, RefusesZonesAndZeroBytes) {
  EXPECT_THAT(ParseUrl("http://[fe80::1%25eth0]/"),
              FailsSaying(ErrorCode::kInvalidArgument, "zone"));
  EXPECT_THAT(ParseUrl(std::string_view("http://a.example\0.b/", 20)),
              FailsSaying(ErrorCode::kInvalidArgument, "zero byte"));
}

TEST(UrlTest, ResolvesReferences) {
  EXPECT_EQ(Resolved("http://a.example/x/y?q=1", "z"), "http://a.example/x/z");
  EXPECT_EQ(Resolved("http://a.example/x/y", "/z?r=2"), "http://a.example/z?r=2");
  EXPECT_EQ(Resolved("http://a.example/x/y", "../z"), "http://a.example/z");
  EXPECT_EQ(Resolved("http://a.example/x", "//b.example/z"), "http://b.example/z");
  EXPECT_EQ(Resolved("http://a.example/x", "https://b.example/z"), "https://b.example/z");
}

TEST(UrlTest, RefusesReferencesThatLeaveHttp) {
  const Url base = ParseUrl("http://a.example/").value();
  EXPECT_THAT(ResolveReference(base, "file:///etc/passwd"), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(ResolveReference(base, "http://ann:secret@b.example/"),
              FailsWith(ErrorCode::kInvalidArgument));
}

TEST(UrlTest, AnOriginIsSchemeHostAndPort) {
  const Url url = ParseUrl("http://a.example/x").value();
  EXPECT_TRUE(SameOrigin(url, ParseUrl("http://a.example:80/y").value()));
  EXPECT_TRUE(SameOrigin(url, ParseUrl("http://A.EXAMPLE/y").value()));
  EXPECT_FALSE(SameOrigin(url, ParseUrl("https://a.example/x").value()));
  EXPECT_FALSE(SameOrigin(url, ParseUrl("http://a.example:81/x").value()));
  EXPECT_FALSE(SameOrigin(url, ParseUrl("http://b.example/x").value()));
}

TEST(UrlTest, AnOriginIsRenderedWithoutPathAndQuery) {
  EXPECT_EQ(RenderOrigin(ParseUrl("https://a.example/token/123?key=456").value()),
            "https://a.example:443");
  EXPECT_EQ(RenderOrigin(ParseUrl("http://[2001:db8::1]/x").value()), "http://[2001:db8::1]:80");
}

}  // namespace
}  // namespace atrium::egress
