// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "egress/address_guard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include "base/ip_network.h"

namespace atrium::egress {
namespace {

using ::testing::Eq;
using ::testing::Optional;

std::optional<std::string_view> Objection(std::string_view address,
                                          std::initializer_list<std::string_view> allowed = {}) {
  std::vector<Network> networks;
  for (const std::string_view network : allowed) {
    networks.push_back(ParseNetwork(network).value());
  }
  return AddressGuard(networks).FindObjection(ParseIpAddress(address).value());
}

TEST(AddressGuardTest, LetsPublicAddressesPass) {
  for (const char* address :
       {"8.8.8.8", "1.1.1.1", "172.15.255.255", "172.32.0.0", "100.63.255.255", "100.128.0.0",
        "169.253.255.255", "192.0.1.0", "198.17.255.255", "198.20.0.0", "223.255.255.255",
        "126.255.255.255", "128.0.0.0", "2606:4700::1111", "2a00:1450::1",
        "2001:4860:4860::8888"}) {
    EXPECT_EQ(Objection(address), std::nullopt) << address;
  }
}

struct Case {
  const char* address;
  const char* kind;
};

class RefusedAddressTest : public ::testing::TestWithParam<Case> {};

TEST_P(RefusedAddressTest, IsRefusedByKind) {
  EXPECT_THAT(Objection(GetParam().address), Optional(Eq(GetParam().kind))) << GetParam().address;
}

INSTANTIATE_TEST_SUITE_P(
    V4, RefusedAddressTest,
    ::testing::Values(
        Case{"0.0.0.0", "an unspecified address"}, Case{"0.255.255.255", "an unspecified address"},
        Case{"10.0.0.1", "a private address"}, Case{"172.16.0.1", "a private address"},
        Case{"172.31.255.255", "a private address"}, Case{"192.168.1.1", "a private address"},
        Case{"127.0.0.1", "a loopback address"}, Case{"127.255.255.254", "a loopback address"},
        Case{"169.254.169.254", "a link-local address"},
        Case{"100.64.0.1", "an address shared behind a carrier's NAT"},
        Case{"100.127.255.255", "an address shared behind a carrier's NAT"},
        Case{"192.0.0.8", "an address reserved for protocols"},
        Case{"192.0.2.1", "a documentation address"},
        Case{"198.51.100.1", "a documentation address"},
        Case{"203.0.113.1", "a documentation address"},
        Case{"198.19.255.255", "a benchmark address"}, Case{"224.0.0.1", "a multicast address"},
        Case{"239.255.255.255", "a multicast address"}, Case{"240.0.0.1", "a reserved address"},
        Case{"255.255.255.255", "the broadcast address"}));

INSTANTIATE_TEST_SUITE_P(
    V6, RefusedAddressTest,
    ::testing::Values(
        Case{"::", "an unspecified address"}, Case{"::1", "a loopback address"},
        Case{"fc00::1", "a private address"}, Case{"fd12:3456::1", "a private address"},
        Case{"fe80::1", "a link-local address"}, Case{"febf::1", "a link-local address"},
        Case{"fec0::1", "a private address"}, Case{"ff02::1", "a multicast address"},
        Case{"2001:db8::1", "a documentation address"},
        Case{"3fff:fff::1", "a documentation address"}, Case{"2001:2::1", "a benchmark address"},
        Case{"2001::1", "an address reserved for protocols"},
        Case{"2001:20::1", "an address reserved for protocols"}));

TEST(AddressGuardTest, RefusesIpv6OutsideTheGlobalUnicastBlock) {
  for (const char* address : {"::127.0.0.1", "::8.8.8.8", "::ffff:0:8.8.8.8", "100::1",
                              "64:ff9b:1::8.8.8.8", "1fff::1", "4000::1", "5f00::1"}) {
    EXPECT_THAT(Objection(address), Optional(Eq("an address outside the public Internet")))
        << address;
  }
}

TEST(AddressGuardTest, JudgesAddressesThatCarryAnIpv4AddressByWhatTheyCarry) {
  EXPECT_THAT(Objection("::ffff:127.0.0.1"), Optional(Eq("a loopback address")));
  EXPECT_THAT(Objection("::ffff:169.254.169.254"), Optional(Eq("a link-local address")));
  EXPECT_THAT(Objection("64:ff9b::10.0.0.1"), Optional(Eq("a private address")));
  EXPECT_THAT(Objection("2002:7f00:1::1"), Optional(Eq("a loopback address")));
  EXPECT_THAT(Objection("2002:c0a8:101::"), Optional(Eq("a private address")));
  EXPECT_EQ(Objection("::ffff:8.8.8.8"), std::nullopt);
  EXPECT_EQ(Objection("64:ff9b::8.8.8.8"), std::nullopt);
  EXPECT_EQ(Objection("2002:808:808::1"), std::nullopt);
}

TEST(AddressGuardTest, AllowedNetworksPassAndTheirNeighboursDoNot) {
  EXPECT_EQ(Objection("10.1.2.3", {"10.1.0.0/16"}), std::nullopt);
  EXPECT_THAT(Objection("10.2.0.1", {"10.1.0.0/16"}), Optional(Eq("a private address")));
  EXPECT_EQ(Objection("::1", {"::1"}), std::nullopt);
  EXPECT_EQ(Objection("fd00::5", {"10.0.0.0/8", "fd00::/8"}), std::nullopt);
}

TEST(AddressGuardTest, AnAllowedIpv4NetworkIsAllowedInEveryForm) {
  EXPECT_EQ(Objection("::ffff:10.1.2.3", {"10.0.0.0/8"}), std::nullopt);
  EXPECT_EQ(Objection("64:ff9b::10.1.2.3", {"10.0.0.0/8"}), std::nullopt);
}

TEST(AddressGuardTest, AllowingAllOfIpv6DoesNotAllowIpv4InDisguise) {
  EXPECT_THAT(Objection("::ffff:127.0.0.1", {"::/0"}), Optional(Eq("a loopback address")));
}

}  // namespace
}  // namespace atrium::egress
