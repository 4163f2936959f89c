// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/cookies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/testing.h"

namespace atrium::http {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using namespace std::chrono_literals;

TEST(CookiesTest, PairsAreReadInOrder) {
  EXPECT_THAT(ParseCookies("a=1; b=two; c=").cookies,
              ElementsAre(Cookie{.name = "a", .value = "1"}, Cookie{.name = "b", .value = "two"},
                          Cookie{.name = "c", .value = ""}));
}

TEST(CookiesTest, TheFirstOfSeveralWins) {
  const Cookies cookies = ParseCookies("session=mine; session=planted");
  EXPECT_EQ(cookies.Find("session"), "mine");
  EXPECT_EQ(cookies.cookies.size(), 1U);
}

TEST(CookiesTest, NamesAreCaseSensitive) {
  EXPECT_EQ(ParseCookies("Session=1").Find("session"), std::nullopt);
}

TEST(CookiesTest, QuotesSpacesAndEqualsSignsOfValuesAreUnderstood) {
  const Cookies cookies = ParseCookies("a=\"1\";b = x y ;c=k=v;d=\";e=\"\"");
  EXPECT_EQ(cookies.Find("a"), "1");
  EXPECT_EQ(cookies.Find("b"), "x y");
  EXPECT_EQ(cookies.Find("c"), "k=v");
  EXPECT_EQ(cookies.Find("d"), "\"");
  EXPECT_EQ(cookies.Find("e"), "");
}

TEST(CookiesTest, BadPairsDoNotSpoilTheGoodOnes) {
  for (const std::string_view bad : {"", "flag", "=v", "a b=1", "x=\x01", "x=a\nb", "x=\xC3\xA4",
                                     "\xC3\xA4=x", "x=\x7F", ";;"}) {
    const std::string header = std::string(bad) + "; session=s";
    EXPECT_THAT(ParseCookies(header).cookies, ElementsAre(Cookie{.name = "session", .value = "s"}))
        << bad;
  }
}

TEST(CookiesTest, PastTheLimitsEverythingIsIgnored) {
  EXPECT_EQ(ParseCookies("a=1;b=2;c=3", {.cookies_max = 2}).cookies.size(), 2U);
  EXPECT_THAT(ParseCookies("a=1;b=234", {.bytes_max = 8}).cookies,
              ElementsAre(Cookie{.name = "a", .value = "1"}));
  EXPECT_EQ(ParseCookies("a=1;b=234", {.bytes_max = 9}).Find("b"), "234");
  EXPECT_EQ(ParseCookies("a=1;b=234;c=5", {.bytes_max = 9}).Find("b"), "234");
  EXPECT_THAT(ParseCookies("a=123456789", {.bytes_max = 8}).cookies, IsEmpty());
}

TEST(CookiesTest, TheDefaultsOfACookieAreTheCarefulOnes) {
  EXPECT_THAT(RenderSetCookie({.name = "session", .value = "abc"}),
              Holds("session=abc; Path=/; HttpOnly; Secure; SameSite=Lax"));
}

TEST(CookiesTest, EveryAttributeIsRendered) {
  EXPECT_THAT(RenderSetCookie({.name = "theme",
                               .value = "dark",
                               .path = "/app",
                               .max_age = 1h,
                               .http_only = false,
                               .secure = false,
                               .same_site = SameSite::kStrict}),
              Holds("theme=dark; Path=/app; Max-Age=3600; SameSite=Strict"));
  EXPECT_THAT(
      RenderSetCookie({.name = "a", .value = "", .max_age = -5s, .same_site = SameSite::kNone}),
      Holds("a=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=None"));
}

TEST(CookiesTest, CharactersThatBreakOutAreRefused) {
  for (const std::string_view bad : {"", "a b", "a=b", "a;b", "a\r\nb", "\xC3\xA4"}) {
    EXPECT_THAT(RenderSetCookie({.name = std::string(bad), .value = "v"}),
                FailsSaying(ErrorCode::kInvalidArgument, "name"))
        << bad;
  }
  for (const std::string_view bad : {"a;b", "a b", "a,b", "a\"b", "a\\b", "a\nb", "\xC3\xA4"}) {
    EXPECT_THAT(RenderSetCookie({.name = "n", .value = std::string(bad)}),
                FailsSaying(ErrorCode::kInvalidArgument, "value"))
        << bad;
  }
  for (const std::string_view bad : {"", "app", "/a;Domain=x", "/a\r\nX: y"}) {
    EXPECT_THAT(RenderSetCookie({.name = "n", .value = "v", .path = std::string(bad)}),
                FailsSaying(ErrorCode::kInvalidArgument, "path"))
        << bad;
  }
}

TEST(CookiesTest, WhatBrowsersWouldDropIsRefused) {
  EXPECT_THAT(RenderSetCookie({.name = "__Host-s", .value = "v"}), IsOk());
  EXPECT_THAT(RenderSetCookie({.name = "__host-s", .value = "v", .path = "/x"}),
              FailsSaying(ErrorCode::kInvalidArgument, "path"));
  for (const std::string_view name : {"__Host-s", "__Secure-s"}) {
    EXPECT_THAT(RenderSetCookie({.name = std::string(name), .value = "v", .secure = false}),
                FailsSaying(ErrorCode::kInvalidArgument, "Secure"));
  }
  EXPECT_THAT(
      RenderSetCookie({.name = "s", .value = "v", .secure = false, .same_site = SameSite::kNone}),
      FailsSaying(ErrorCode::kInvalidArgument, "Secure"));
}

}  // namespace
}  // namespace atrium::http
