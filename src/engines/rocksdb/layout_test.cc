// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/rocksdb/layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/hex.h"

namespace atrium::rocks {
namespace {

Instant At(std::int64_t milliseconds) {
  return Instant(std::chrono::milliseconds(milliseconds));
}

std::string Counters(const std::vector<store::Counter>& counters) {
  std::string encoded;
  EncodeCounters(counters, encoded);
  return encoded;
}

// The golden bytes of docs/formats/rocksdb.md: added to, never edited.

TEST(LayoutTest, KeysHaveTheBytesOfTheFormatDocument) {
  EXPECT_EQ(EncodeHex(EncodeKey(200, {.partition = "ann", .sort = "work"})),
            "00c80003616e6e776f726b");
  EXPECT_EQ(EncodeHex(EncodeKey(200, {.partition = "ann", .sort = ""})), "00c80003616e6e");
  EXPECT_EQ(EncodeHex(KeyBuffer(200, {.partition = "ann", .sort = "work"}).View()),
            "00c80003616e6e776f726b");
  EXPECT_EQ(EncodeHex(kMetadataKey), "0000000661747269756d");
}

TEST(LayoutTest, ValuesHaveTheBytesOfTheFormatDocument) {
  EXPECT_EQ(EncodeHex(EncodeValue({.version = {0x0102030405060708}, .document = "{}"})),
            "010001020304050607087b7d");
  EXPECT_EQ(EncodeHex(EncodeValue({.version = {1}, .expires_at = At(258), .document = "{}"})),
            "0101000000000000000100000000000001027b7d");
  const std::string counters = Counters({{.name = "a", .value = 5}, {.name = "bc", .value = -1}});
  EXPECT_EQ(EncodeHex(EncodeValue({.version = {1}, .counters = counters, .document = "{}"})),
            "010200000000000000010002000161000000000000000500026263ffffffffffffffff7b7d");
  EXPECT_EQ(EncodeHex(EncodeValue(
                {.version = {1}, .expires_at = At(-1), .counters = counters, .document = "{}"})),
            "01030000000000000001ffffffffffffffff0002000161000000000000000500026263ffffffffffffffff"
            "7b7d");
}

TEST(LayoutTest, MetadataHaveTheBytesOfTheFormatDocument) {
  EXPECT_EQ(EncodeHex(EncodeMetadata({.format = 1, .highest = {0x0102030405060708}})),
            "000000010102030405060708");
  EXPECT_EQ(DecodeMetadata(EncodeMetadata({.format = 7, .highest = {9}})),
            (Metadata{.format = 7, .highest = {9}}));
  EXPECT_EQ(DecodeMetadata("short"), std::nullopt);
}

TEST(LayoutTest, KeysOfAnyLengthAreTakenApartAgain) {
  for (const std::size_t length : {0U, 1U, 100U, 300U, 512U}) {
    const std::string partition(length, 'p');
    const std::string sort(length, '\xFF');
    const KeyBuffer key(9, {.partition = partition, .sort = sort});
    EXPECT_EQ(DecodeKey(key.View()), (store::KeyView{.partition = partition, .sort = sort}));
    EXPECT_EQ(PrefixSize(key.View()), 4 + length);
  }
}

TEST(LayoutTest, APartitionIsOneStretchOfKeys) {
  EXPECT_LT(EncodeKey(1, {.partition = "a", .sort = "\xFF"}),
            EncodeKey(1, {.partition = "b", .sort = ""}));
  EXPECT_LT(EncodeKey(1, {.partition = "b", .sort = "\xFF"}),
            EncodeKey(1, {.partition = "aa", .sort = ""}));
  EXPECT_LT(EncodeKey(1, {.partition = "z", .sort = "z"}),
            EncodeKey(2, {.partition = "a", .sort = ""}));
}

TEST(LayoutTest, ValuesAreTakenApartAgain) {
  const std::vector<store::Counter> counters = {{.name = "", .value = 7},
                                                {.name = "used", .value = INT64_MIN}};
  const std::string encoded = Counters(counters);
  const std::string value = EncodeValue(
      {.version = {3}, .expires_at = At(5), .counters = encoded, .document = "document"});
  const auto view = DecodeValue(value);
  ASSERT_TRUE(view);
  EXPECT_EQ(view->version.number, 3U);
  EXPECT_EQ(view->expires_at, At(5));
  EXPECT_EQ(view->document, "document");
  std::vector<store::Counter> decoded;
  ASSERT_TRUE(DecodeCounters(view->counters, decoded));
  EXPECT_EQ(decoded, counters);
}

TEST(LayoutTest, BytesThatAreNoValueDoNotDecode) {
  const std::string good = EncodeValue({.version = {1},
                                        .expires_at = At(1),
                                        .counters = Counters({{.name = "a", .value = 1}}),
                                        .document = ""});
  for (std::size_t length = 0; length < good.size(); ++length) {
    EXPECT_FALSE(DecodeValue(good.substr(0, length))) << length;
  }
  std::string newer = good;
  newer[0] = 2;
  EXPECT_FALSE(DecodeValue(newer));
  std::string unknown_flag = good;
  unknown_flag[1] = 4;
  EXPECT_FALSE(DecodeValue(unknown_flag));
}

TEST(LayoutTest, AVersionIsWrittenIntoAnEncodedValue) {
  std::string value = EncodeValue({.expires_at = At(5), .document = "x"});
  SetVersion(value, {42});
  EXPECT_EQ(value, EncodeValue({.version = {42}, .expires_at = At(5), .document = "x"}));
}

}  // namespace
}  // namespace atrium::rocks
