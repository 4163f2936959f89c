// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "icalendar/color.h"

#include <gtest/gtest.h>

#include <optional>
#include <string_view>

namespace atrium::icalendar {
namespace {

TEST(ColorTest, NamesAndHexFormsBecomeOneForm) {
  EXPECT_EQ(ParseColor("DodgerBlue"), "#1e90ff");
  EXPECT_EQ(ParseColor("black"), "#000000");
  EXPECT_EQ(ParseColor("yellowgreen"), "#9acd32");
  EXPECT_EQ(ParseColor("#19F"), "#1199ff");
  EXPECT_EQ(ParseColor("#1E90FF"), "#1e90ff");
  EXPECT_EQ(ParseColor("#1E90FFCC"), "#1e90ff");
}

TEST(ColorTest, WhatIsNoColourIsNone) {
  for (const std::string_view text : {"", "#", "#12", "#12345", "#1234567", "#12345g", "#123456zz",
                                      "#-12345", "bluish", "1e90ff"}) {
    EXPECT_EQ(ParseColor(text), std::nullopt) << text;
  }
}

TEST(ColorTest, TheNearestNameIsFound) {
  EXPECT_EQ(NearestColorName("#1e90ff"), "dodgerblue");
  EXPECT_EQ(NearestColorName("#1f91fe"), "dodgerblue");
  EXPECT_EQ(NearestColorName("#000001"), "black");
}

}  // namespace
}  // namespace atrium::icalendar
