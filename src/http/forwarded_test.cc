// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/forwarded.h"

#include <gtest/gtest.h>

#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ip_network.h"
#include "http/request.h"

namespace atrium::http {
namespace {

IpAddress Address(std::string_view text) {
  return ParseIpAddress(text).value();
}

std::vector<Network> Trusted() {
  return {ParseNetwork("10.0.0.0/8").value(), ParseNetwork("fd00::/8").value()};
}

ForwardedOrigin From(std::string_view peer, const ForwardedHeaders& headers) {
  return ResolveForwarded(Address(peer), Trusted(), headers);
}

std::string ClientOf(std::string_view peer, std::string_view forwarded_for) {
  return Render(From(peer, {.forwarded_for = forwarded_for}).client);
}

TEST(ForwardedTest, HeadersOfUntrustedPeersAreIgnored) {
  const ForwardedOrigin origin = From("192.0.2.1", {.forwarded_for = "198.51.100.7",
                                                    .forwarded_proto = "https",
                                                    .forwarded_host = "evil.example"});
  EXPECT_EQ(origin, ForwardedOrigin{.client = Address("192.0.2.1")});
}

TEST(ForwardedTest, NothingIsTrustedByDefault) {
  const ForwardedOrigin origin =
      ResolveForwarded(Address("127.0.0.1"), {}, {.forwarded_for = "198.51.100.7"});
  EXPECT_EQ(origin, ForwardedOrigin{.client = Address("127.0.0.1")});
}

TEST(ForwardedTest, TheRightmostUntrustedAddressIsTheClient) {
  const std::vector<std::pair<std::string_view, std::string_view>> cases = {
      {"198.51.100.7", "198.51.100.7"},
      {"1.2.3.4, 198.51.100.7", "198.51.100.7"},
      {"1.2.3.4, 198.51.100.7, 10.0.0.2", "198.51.100.7"},
      {"198.51.100.7,10.0.0.3 ,\t10.0.0.2", "198.51.100.7"},
      {"garbage, 198.51.100.7", "198.51.100.7"},
      {"2001:db8::7", "2001:db8::7"},
      {"[2001:db8::7]", "2001:db8::7"},
      {"[2001:db8::7]:443", "2001:db8::7"},
      {"198.51.100.7:5555", "198.51.100.7"},
      {"::ffff:198.51.100.7", "198.51.100.7"},
      {"198.51.100.7, ::ffff:10.0.0.2", "198.51.100.7"},
      {"198.51.100.7, fd00::2", "198.51.100.7"},
  };
  for (const auto& [forwarded_for, client] : cases) {
    EXPECT_EQ(ClientOf("10.0.0.1", forwarded_for), client) << forwarded_for;
  }
}

TEST(ForwardedTest, WhenAllAreTrustedTheFirstOfThemAsked) {
  EXPECT_EQ(ClientOf("10.0.0.1", "10.0.0.3, 10.0.0.2"), "10.0.0.3");
  EXPECT_EQ(ClientOf("10.0.0.1", ""), "10.0.0.1");
}

TEST(ForwardedTest, GarbageEndsTheWalkAtTheProxyThatSentIt) {
  for (const std::string_view garbage :
       {"198.51.100.7, unknown", "198.51.100.7,", "198.51.100.7, ,", "198.51.100.7, 10.0.0",
        "198.51.100.7, [fd00::2", "198.51.100.7, [fd00::2]x",
        "198.51.100.7, 10.0.0.2:", "198.51.100.7, 10.0.0.2:x", "198.51.100.7, [",
        "198.51.100.7, []", "198.51.100.7;", "198.51.100.7 10.0.0.2", "198.51.100.7, 010.0.0.2"}) {
    EXPECT_EQ(ClientOf("10.0.0.1", garbage), "10.0.0.1") << garbage;
  }
  EXPECT_EQ(ClientOf("10.0.0.1", "198.51.100.7, garbage, 10.0.0.2"), "10.0.0.2");
}

TEST(ForwardedTest, MappedPeersAreThoseTheyStandFor) {
  EXPECT_EQ(ClientOf("::ffff:10.0.0.1", "198.51.100.7"), "198.51.100.7");
  EXPECT_EQ(ClientOf("::ffff:192.0.2.1", "198.51.100.7"), "192.0.2.1");
}

TEST(ForwardedTest, SchemeAndHostComeFromTheOutermostTrustedProxy) {
  const std::string_view two_hops = "198.51.100.7, 10.0.0.2";
  EXPECT_EQ(From("10.0.0.1", {.forwarded_for = two_hops, .forwarded_proto = "https"}).scheme,
            Scheme::kHttps);
  EXPECT_EQ(From("10.0.0.1", {.forwarded_for = two_hops, .forwarded_proto = "HTTPS, http"}).scheme,
            Scheme::kHttps);
  EXPECT_EQ(
      From("10.0.0.1", {.forwarded_for = two_hops, .forwarded_proto = "https, http, http"}).scheme,
      Scheme::kHttp);
  EXPECT_EQ(
      From("10.0.0.1", {.forwarded_for = "198.51.100.7", .forwarded_host = "made.up, a.example"})
          .host,
      "a.example");
}

TEST(ForwardedTest, SchemesAndHostsThatAreNoneAreIgnored) {
  for (const std::string_view bad : {"", "ftp", "https://", "on", "http s"}) {
    EXPECT_EQ(From("10.0.0.1", {.forwarded_proto = bad}).scheme, std::nullopt) << bad;
  }
  const std::string long_name(256, 'a');
  for (const std::string_view bad :
       {std::string_view(""), std::string_view("a/b"), std::string_view("a b"),
        std::string_view("a@b"), std::string_view("a\"b"), std::string_view("\xC3\xA4"),
        std::string_view(long_name)}) {
    EXPECT_EQ(From("10.0.0.1", {.forwarded_host = bad}).host, std::nullopt) << bad;
  }
  EXPECT_EQ(From("10.0.0.1", {.forwarded_host = "[2001:db8::1]:8443"}).host, "[2001:db8::1]:8443");
}

TEST(ForwardedTest, EndlessListsEndTheWalk) {
  std::string forwarded_for = "198.51.100.7";
  for (int i = 0; i < 100; ++i) {
    forwarded_for += ",10.0.0.2";
  }
  EXPECT_EQ(ClientOf("10.0.0.1", forwarded_for), "10.0.0.2");
}

}  // namespace
}  // namespace atrium::http
