// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "blobs/pack_format.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <optional>
#include <string>

#include "base/hex.h"
#include "blobs/blobs.h"

namespace atrium::blobs {
namespace {

using ::testing::Eq;
using ::testing::Optional;

PackHead SomePack() {
  PackHead pack{.number = 0x0102030405060708};
  for (std::size_t i = 0; i < pack.salt.size(); ++i) {
    pack.salt[i] = static_cast<std::byte>(0xA0 + i);
  }
  return pack;
}

RecordHead SomeRecord() {
  return {.kind = RecordKind::kWhole,
          .id = BlobId::Of("abc"),
          .bytes = 3,
          .note_bytes = 4,
          .note_check = CheckOf("note")};
}

std::string Encoded(const RecordHead& head, std::uint64_t at = kHeadBytes) {
  std::string bytes;
  AppendRecordHead(bytes, head, SomePack(), at);
  return bytes;
}

// Golden bytes: docs/formats/blobs.md shows them. They are added to and never edited.

TEST(PackFormat, TheHeadOfAPackHasTheseBytes) {
  EXPECT_EQ(EncodeHex(EncodePackHead(SomePack())),
            "4154525041434b31"
            "0102030405060708"
            "a0a1a2a3a4a5a6a7a8a9aaabacadaeaf"
            "000000000000000000000000000000000000000000000000"
            "66566412b48d8c8d");
}

TEST(PackFormat, TheHeadOfARecordHasTheseBytes) {
  EXPECT_EQ(EncodeHex(Encoded(SomeRecord())),
            "41425231"
            "01000004"
            "0000000000000003"
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
            "edb465624291e405"
            "b7bbe01d1ebdcb09");
}

TEST(PackFormat, WhatWasWrittenIsRead) {
  EXPECT_THAT(DecodePackHead(EncodePackHead(SomePack())), Optional(Eq(SomePack())));
  for (const RecordKind kind : {RecordKind::kWhole, RecordKind::kOwnFile, RecordKind::kMention}) {
    RecordHead head = SomeRecord();
    head.kind = kind;
    EXPECT_THAT(DecodeRecordHead(Encoded(head), SomePack(), kHeadBytes), Optional(Eq(head)));
  }
}

TEST(PackFormat, OneWrongBitIsNoticed) {
  const std::string pack = EncodePackHead(SomePack());
  const std::string record = Encoded(SomeRecord());
  for (std::size_t bit = 0; bit < kHeadBytes * 8; ++bit) {
    std::string wrong_pack = pack;
    wrong_pack[bit / 8] = static_cast<char>(wrong_pack[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_EQ(DecodePackHead(wrong_pack), std::nullopt) << bit;
    std::string wrong_record = record;
    wrong_record[bit / 8] = static_cast<char>(wrong_record[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_EQ(DecodeRecordHead(wrong_record, SomePack(), kHeadBytes), std::nullopt) << bit;
  }
}

TEST(PackFormat, ARecordBelongsToItsPackAndItsPlace) {
  const std::string bytes = Encoded(SomeRecord());
  PackHead other = SomePack();
  other.salt[0] = std::byte{0};
  EXPECT_EQ(DecodeRecordHead(bytes, other, kHeadBytes), std::nullopt);
  EXPECT_EQ(DecodeRecordHead(bytes, SomePack(), kHeadBytes + 1), std::nullopt);
}

TEST(PackFormat, APartOfAHeadIsNone) {
  EXPECT_EQ(DecodePackHead(EncodePackHead(SomePack()).substr(0, kHeadBytes - 1)), std::nullopt);
  EXPECT_EQ(
      DecodeRecordHead(Encoded(SomeRecord()).substr(0, kHeadBytes - 1), SomePack(), kHeadBytes),
      std::nullopt);
  EXPECT_EQ(DecodePackHead(std::string(kHeadBytes, '\0')), std::nullopt);
  EXPECT_EQ(DecodeRecordHead(std::string(kHeadBytes, '\0'), SomePack(), 0), std::nullopt);
}

TEST(PackFormat, WhatNoVersionWritesIsNotRead) {
  RecordHead unknown = SomeRecord();
  unknown.kind = static_cast<RecordKind>(4);
  EXPECT_EQ(DecodeRecordHead(Encoded(unknown), SomePack(), kHeadBytes), std::nullopt);
  RecordHead large = SomeRecord();
  large.bytes = kBlobBytesMax + 1;
  EXPECT_EQ(DecodeRecordHead(Encoded(large), SomePack(), kHeadBytes), std::nullopt);
  RecordHead talkative = SomeRecord();
  talkative.note_bytes = kNoteBytesMax + 1;
  EXPECT_EQ(DecodeRecordHead(Encoded(talkative), SomePack(), kHeadBytes), std::nullopt);
}

}  // namespace
}  // namespace atrium::blobs
