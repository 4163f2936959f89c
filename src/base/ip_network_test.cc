// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "base/ip_network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/error.h"
#include "base/testing.h"

namespace atrium {
namespace {

IpAddress Address(std::string_view text) {
  return ParseIpAddress(text).value();
}

bool Contains(std::string_view network, std::string_view address) {
  return ParseNetwork(network).value().Contains(Address(address));
}

TEST(IpAddressTest, RendersWhatItParsed) {
  for (const char* text : {"0.0.0.0", "192.0.2.1", "255.255.255.255", "::", "2001:db8::1"}) {
    EXPECT_EQ(Render(Address(text)), text);
  }
}

TEST(IpAddressTest, IsTheUnspecifiedAddressUntilSet) {
  EXPECT_EQ(IpAddress(), Address("0.0.0.0"));
}

TEST(IpAddressTest, RefusesWhatOnlyALenientReaderTakesForAnAddress) {
  for (const char* text : {"", "127.1", "0x7f.0.0.1", "0177.0.0.1", "1.2.3.4.5", "256.0.0.1",
                           " 1.2.3.4", "[::1]", "fe80::1%eth0", "::1::", "localhost"}) {
    EXPECT_THAT(ParseIpAddress(text), FailsSaying(ErrorCode::kInvalidArgument, "IP address"))
        << text;
  }
}

TEST(IpAddressTest, RefusesTextHiddenBehindAZeroByte) {
  EXPECT_THAT(ParseIpAddress(std::string_view("1.2.3.4\0.5", 10)),
              FailsWith(ErrorCode::kInvalidArgument));
}

TEST(IpAddressTest, UnmappedAnswersTheInnerAddressOfMappedOnesOnly) {
  EXPECT_EQ(Address("::ffff:192.0.2.1").Unmapped(), Address("192.0.2.1"));
  EXPECT_EQ(Address("::192.0.2.1").Unmapped(), Address("::192.0.2.1"));
  EXPECT_EQ(Address("192.0.2.1").Unmapped(), Address("192.0.2.1"));
}

TEST(NetworkTest, ContainsTheFirstAndTheLastAddressOfTheBlockAndNotTheNeighbours) {
  EXPECT_TRUE(Contains("172.16.0.0/12", "172.16.0.0"));
  EXPECT_TRUE(Contains("172.16.0.0/12", "172.31.255.255"));
  EXPECT_FALSE(Contains("172.16.0.0/12", "172.15.255.255"));
  EXPECT_FALSE(Contains("172.16.0.0/12", "172.32.0.0"));
  EXPECT_TRUE(Contains("fe80::/10", "febf:ffff::1"));
  EXPECT_FALSE(Contains("fe80::/10", "fec0::"));
}

TEST(NetworkTest, AnAddressAloneIsABlockOfOne) {
  EXPECT_TRUE(Contains("::1", "::1"));
  EXPECT_FALSE(Contains("::1", "::2"));
  EXPECT_EQ(Render(ParseNetwork("192.0.2.7").value()), "192.0.2.7/32");
}

TEST(NetworkTest, AnEmptyPrefixContainsItsWholeFamilyAndNothingOfTheOther) {
  EXPECT_TRUE(Contains("0.0.0.0/0", "203.0.113.9"));
  EXPECT_FALSE(Contains("0.0.0.0/0", "2001:db8::1"));
  EXPECT_TRUE(Contains("::/0", "2001:db8::1"));
  EXPECT_FALSE(Contains("::/0", "203.0.113.9"));
}

TEST(NetworkTest, MappedAddressesAreJudgedAsIpv4) {
  EXPECT_TRUE(Contains("10.0.0.0/8", "::ffff:10.1.2.3"));
  EXPECT_FALSE(Contains("::/0", "::ffff:10.1.2.3"));
  EXPECT_EQ(ParseNetwork("::ffff:10.0.0.0/104").value(), ParseNetwork("10.0.0.0/8").value());
  EXPECT_EQ(ParseNetwork("::ffff:10.0.0.1").value(), ParseNetwork("10.0.0.1").value());
}

TEST(NetworkTest, RefusesPrefixesThatAreNotOne) {
  for (const char* text : {"10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/+8",
                           "10.0.0.0/8x", "10.0.0.0/8/8", "/8"}) {
    EXPECT_THAT(ParseNetwork(text), FailsSaying(ErrorCode::kInvalidArgument, "is not a network"))
        << text;
  }
}

TEST(NetworkTest, RefusesBitsBeyondThePrefix) {
  EXPECT_THAT(ParseNetwork("10.0.0.1/8"),
              FailsSaying(ErrorCode::kInvalidArgument, "beyond the prefix"));
  EXPECT_THAT(ParseNetwork("2001:db8::1/32"),
              FailsSaying(ErrorCode::kInvalidArgument, "beyond the prefix"));
}

}  // namespace
}  // namespace atrium
