// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/packing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.h"
#include "base/hex.h"
#include "base/result.h"
#include "base/testing.h"

namespace atrium::files {
namespace {

using std::string_literals::operator""s;

constexpr std::string_view kFile =
    R"({"block_ids": ["2aae6c35c94fcfb415dbe95f408b9ce91ee846ed"], "size": 11, "type": 1, "version": 1})";

std::string Packed(std::string_view text) {
  std::string out;
  AppendPacked(out, {.id = ObjectIdOf(text), .deflated = Deflate(text)});
  return out;
}

std::string RawRecord(const std::string& id, const std::string& length, std::string_view bytes) {
  return id + length + std::string(bytes);
}

/// The ids and contents in a body that is fed in pieces of this size.
Result<std::vector<std::pair<ObjectId, std::string>>> ReadAll(std::string_view body,
                                                              std::size_t piece) {
  std::vector<std::pair<ObjectId, std::string>> objects;
  PackReader reader;
  while (!body.empty()) {
    reader.Feed(body.substr(0, piece));
    body.remove_prefix(std::min(piece, body.size()));
    while (true) {
      ASSIGN_OR_RETURN(const std::optional<PackedObject> object, reader.Next());
      if (!object) {
        break;
      }
      objects.emplace_back(object->id, object->deflated);
    }
  }
  RETURN_IF_ERROR(reader.Finish());
  return objects;
}

TEST(PackingTest, ARecordIsIdLengthAndContent) {
  std::string out;
  AppendPacked(out, {.id = ObjectIdOf("x"), .deflated = std::string(0x01020304 & 0xffff, 'z')});
  EXPECT_EQ(out.substr(0, 40), ObjectIdOf("x").Render());
  EXPECT_EQ(out.substr(40, 4), "\0\0\x03\x04"s);
  EXPECT_EQ(out.size(), 44U + 0x0304);
}

TEST(PackingTest, WhereTheBodyIsCutMakesNoDifference) {
  std::string body;
  std::vector<std::pair<ObjectId, std::string>> written;
  for (const std::string text : {"first", "second", "", "a rather longer fourth"}) {
    body += Packed(text);
    written.emplace_back(ObjectIdOf(text), Deflate(text));
  }
  for (const std::size_t piece : {1UZ, 7UZ, 44UZ, 45UZ, 100UZ, 10'000UZ}) {
    EXPECT_THAT(ReadAll(body, piece), Holds(written)) << piece;
  }
}

TEST(PackingTest, ABodyWithoutObjectsIsFine) {
  EXPECT_THAT(ReadAll("", 1), Holds(testing::IsEmpty()));
}

TEST(PackingTest, AnErrorNamesTheByteAtWhichItsObjectBegins) {
  const std::string good = Packed("good");
  const std::string place = "the object at byte " + std::to_string(good.size()) + ": ";
  const auto refused = [&](const std::string& bad, ErrorCode code, const std::string& why) {
    for (const std::size_t piece : {3UZ, 1000UZ}) {
      EXPECT_THAT(ReadAll(good + bad, piece), FailsSaying(code, place + why));
    }
  };
  const std::string id(40, 'a');
  refused("short", ErrorCode::kInvalidArgument, "cut off");
  refused(RawRecord(id, "\0\0\0\x05"s, "four"), ErrorCode::kInvalidArgument, "cut off");
  refused(RawRecord(id, "\0\0\0"s, ""), ErrorCode::kInvalidArgument, "cut off");
  refused(RawRecord(id, "\0\0\0\0"s, ""), ErrorCode::kInvalidArgument, "has no content");
  refused(RawRecord(std::string(40, 'A'), "\0\0\0\x01"s, "x"), ErrorCode::kInvalidArgument,
          "does not begin with an id");
  refused(RawRecord(std::string(40, '0'), "\0\0\0\x01"s, "x"), ErrorCode::kInvalidArgument,
          "does not begin with an id");
  refused(RawRecord(id, "\xff\xff\xff\xff"s, "x"), ErrorCode::kLimitExceeded, "too long");
}

TEST(PackingTest, WhatIsDeflatedInflates) {
  for (const std::string& text :
       {std::string(), std::string("x"), std::string(kFile), std::string(3'000'000, 'a')}) {
    EXPECT_THAT(Inflate(Deflate(text)), Holds(text));
  }
}

TEST(PackingTest, TheStreamHasTheHeaderThatClientsExpect) {
  EXPECT_TRUE(Deflate(kFile).starts_with("\x78\x9c"));
}

TEST(PackingTest, ABombGoesNoFurtherThanTheLimit) {
  const std::string bomb = Deflate(std::string(10'000'000, '\0'));
  EXPECT_LT(bomb.size(), 10'000U);
  EXPECT_THAT(Inflate(bomb, 1'000'000), FailsWith(ErrorCode::kLimitExceeded));
  EXPECT_THAT(Inflate(bomb, 9'999'999), FailsWith(ErrorCode::kLimitExceeded));
  EXPECT_THAT(Inflate(bomb, 10'000'000), IsOk());
}

TEST(PackingTest, WhatIsNotOneWholeStreamIsRefused) {
  const std::string good = Deflate(kFile);
  std::string altered = good;
  altered.back() = static_cast<char>(altered.back() ^ 1);
  const std::string gzip = DecodeHex("1f8b0800000000000003030000000000000000").value();
  for (const std::string& bad :
       {std::string(), std::string("plain text"), altered, gzip, good.substr(0, good.size() - 1),
        good + "x", good + good, good.substr(2)}) {
    EXPECT_THAT(Inflate(bad), FailsWith(ErrorCode::kInvalidArgument)) << EncodeHex(bad);
  }
}

TEST(PackingTest, AnObjectIsVerifiedAsAWhole) {
  const std::string deflated = Deflate(kFile);
  const Result<VerifiedObject> verified =
      VerifyPacked({.id = ObjectIdOf(kFile), .deflated = deflated});
  ASSERT_THAT(verified, IsOk());
  EXPECT_EQ(verified->text, kFile);
  EXPECT_EQ(std::get<FileObject>(verified->object).size, 11);
}

TEST(PackingTest, AnObjectUnderAnotherIdIsRefused) {
  EXPECT_THAT(VerifyPacked({.id = ObjectIdOf("other"), .deflated = Deflate(kFile)}),
              FailsSaying(ErrorCode::kInvalidArgument,
                          "object " + ObjectIdOf("other").Render() + ": the text has another id"));
}

TEST(PackingTest, AnObjectThatIsNoneIsRefused) {
  EXPECT_THAT(VerifyPacked({.id = ObjectIdOf("{}"), .deflated = Deflate("{}")}),
              FailsSaying(ErrorCode::kInvalidArgument, "version: expected 1"));
  EXPECT_THAT(VerifyPacked({.id = ObjectIdOf("{}"), .deflated = "{}"}),
              FailsSaying(ErrorCode::kInvalidArgument, "not a compressed text"));
}

}  // namespace
}  // namespace atrium::files
