// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/error.h"
#include "base/testing.h"

namespace atrium::files {
namespace {

TEST(NamesTest, NamesOfAllKindsAreAllowed) {
  for (const std::string& name :
       {std::string("a"), std::string("..."), std::string(".hidden"), std::string("n\xC3\xABw.txt"),
        std::string("tab\tand\nline"), std::string("back\\slash"), std::string("amp<&>"),
        std::string(" "), std::string("\xF0\x9F\x98\x80"), std::string(255, 'x')}) {
    EXPECT_THAT(CheckName(name), IsOk()) << name;
  }
}

TEST(NamesTest, WhatNoFileSystemHoldsIsRefusedWithTheReason) {
  using std::string_view_literals::operator""sv;
  const auto refused = [](std::string_view name, const std::string& why) {
    EXPECT_THAT(CheckName(name), FailsSaying(ErrorCode::kInvalidArgument, "name: " + why));
  };
  refused("", "must not be empty");
  refused(".", "\".\" and \"..\" are not names");
  refused("..", "\".\" and \"..\" are not names");
  refused("a/b", "must not contain \"/\"");
  refused("/", "must not contain \"/\"");
  refused("a\0b"sv, "must not contain NUL");
  refused("caf\xE9", "not UTF-8");
  refused("\xC0\xAF", "not UTF-8");
  refused("\xED\xA0\x80", "not UTF-8");
  refused(std::string(256, 'x'), "longer than 255 bytes");
}

}  // namespace
}  // namespace atrium::files
