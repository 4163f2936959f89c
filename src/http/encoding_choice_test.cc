// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/encoding_choice.h"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <ostream>
#include <string_view>
#include <utility>
#include <vector>

namespace atrium::http {

void PrintTo(ContentEncoding encoding, std::ostream* out) {
  *out << Name(encoding);
}

namespace {

constexpr auto kBrotli = ContentEncoding::kBrotli;
constexpr auto kGzip = ContentEncoding::kGzip;
constexpr auto kIdentity = ContentEncoding::kIdentity;
constexpr std::array kAll = {kBrotli, kGzip, kIdentity};

TEST(EncodingChoiceTest, TheHeaderDecidesAmongAllThree) {
  const std::vector<std::pair<std::string_view, ContentEncoding>> cases = {
      {"gzip, deflate, br", kBrotli},
      {"gzip, deflate", kGzip},
      {"deflate", kIdentity},
      {"", kIdentity},
      {"gzip;q=0.5", kGzip},
      {"gzip;q=1.0, br;q=0.8", kGzip},
      {"br;q=0.001", kBrotli},
      {"br;q=0, gzip", kGzip},
      {"br;q=0.000, gzip;q=0", kIdentity},
      {"identity, gzip;q=0.5", kIdentity},
      {"identity;q=0.5, gzip;q=0.5", kGzip},
      {"*", kBrotli},
      {"*;q=0.5, gzip", kGzip},
      {"br;q=0, *", kGzip},
      {"*;q=0, identity", kIdentity},
      {"GZIP ; Q=1", kGzip},
      {"x-gzip", kGzip},
      {"gzip;q=0, gzip", kIdentity},
  };
  for (const auto& [header, choice] : cases) {
    EXPECT_EQ(ChooseEncoding(header, kAll), choice) << header;
  }
}

TEST(EncodingChoiceTest, NothingIsChosenWhenEverythingIsRefused) {
  for (const std::string_view header :
       {"*;q=0", "identity;q=0", "gzip;q=0, identity;q=0", "deflate, *;q=0.0"}) {
    EXPECT_EQ(ChooseEncoding(header, kAll), std::nullopt) << header;
  }
  EXPECT_EQ(ChooseEncoding("gzip", {}), std::nullopt);
}

TEST(EncodingChoiceTest, WithoutTheHeaderTheBytesGoAsTheyAre) {
  EXPECT_EQ(ChooseEncoding(std::nullopt, kAll), kIdentity);
}

TEST(EncodingChoiceTest, OnlyAvailableFormsAreChosen) {
  EXPECT_EQ(ChooseEncoding("br, gzip", std::array{kGzip, kIdentity}), kGzip);
  EXPECT_EQ(ChooseEncoding("br, gzip", std::array{kIdentity}), kIdentity);
  EXPECT_EQ(ChooseEncoding("br, identity;q=0", std::array{kGzip, kIdentity}), std::nullopt);
}

TEST(EncodingChoiceTest, MalformedElementsArePassedOver) {
  for (const std::string_view header :
       {"br;q=2, gzip", "br;q=1.001, gzip", "br;q=, gzip", "br;q=0.1234, gzip", "br;q=.5, gzip",
        "br;q=-1, gzip", "br;x=1, gzip", "br;q, gzip", "br q=1, gzip", ",;,gzip",
        "br;q=1;q=1, gzip", "br;q=0.x, gzip", "br;q=1x, gzip", "\"br\", gzip"}) {
    EXPECT_EQ(ChooseEncoding(header, kAll), kGzip) << header;
  }
}

}  // namespace
}  // namespace atrium::http
