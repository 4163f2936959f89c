// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/host.h"

#include <gtest/gtest.h>

#include <string>

namespace atrium::http {
namespace {

TEST(HostTest, NamesAndAddressesWithAndWithoutPortAreHosts) {
  for (const char* good :
       {"localhost", "example.org", "example.org:8080", "my_host-2", "192.0.2.1", "192.0.2.1:80",
        "[::1]", "[2001:db8::1]:443", "example.org:", "a:65535"}) {
    EXPECT_TRUE(IsHostAndPort(good)) << good;
  }
}

TEST(HostTest, EverythingElseIsNot) {
  for (const char* bad : {"", "[[[", "a:b:c", ":80", "a:99999", "::1", "[::1", "[192.0.2.1]", "a b",
                          "a/b", "user@host", "a:-1", "[::1]x", "[]", "h\xc3\xa9"}) {
    EXPECT_FALSE(IsHostAndPort(bad)) << bad;
  }
  EXPECT_FALSE(IsHostAndPort(std::string(256, 'a')));
}

}  // namespace
}  // namespace atrium::http
