// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "store/key_bytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/hex.h"
#include "store/write_set.h"

namespace atrium::store {
namespace {

using std::chrono::milliseconds;

Instant At(std::int64_t count) {
  return Instant(milliseconds(count));
}

std::string Hex(const std::string& bytes) {
  return EncodeHex(bytes);
}

TEST(KeyBytesTest, HasTheLayoutOfTheFormatDocument) {
  EXPECT_EQ(Hex(KeyBytes().Text("ab").Take()), "61620001");
  EXPECT_EQ(Hex(KeyBytes().Text(std::string_view("a\0b", 3)).Take()), "6100ff620001");
  EXPECT_EQ(Hex(KeyBytes().Number(258).Take()), "0000000000000102");
  EXPECT_EQ(Hex(KeyBytes().Time(At(1)).Take()), "8000000000000001");
  EXPECT_EQ(Hex(KeyBytes().Time(At(-1)).Take()), "7fffffffffffffff");
  EXPECT_EQ(Hex(KeyBytes().Descending(std::uint64_t{1}).Take()), "fffffffffffffffe");
  EXPECT_EQ(Hex(KeyBytes().Descending(At(1)).Take()), "7ffffffffffffffe");
  EXPECT_EQ(Hex(KeyBytes().Text("").Raw("x").Take()), "000178");
}

TEST(KeyBytesTest, TextSortsAsItsBytesWhateverFollows) {
  const std::vector<std::string> ordered = {"",
                                            std::string("\0", 1),
                                            std::string("\0\0", 2),
                                            std::string("\0\xFF", 2),
                                            "\x01",
                                            "a",
                                            std::string("a\0", 2),
                                            std::string("a\0z", 3),
                                            "a\x01",
                                            "ab",
                                            "b",
                                            "\xFF"};
  for (std::size_t i = 1; i < ordered.size(); ++i) {
    EXPECT_LT(KeyBytes().Text(ordered[i - 1]).Text("zz").Take(),
              KeyBytes().Text(ordered[i]).Text("").Take())
        << i;
  }
}

TEST(KeyBytesTest, TimesBeforeAndAfter1970KeepTheirOrder) {
  EXPECT_LT(KeyBytes().Time(At(-5)).Take(), KeyBytes().Time(At(0)).Take());
  EXPECT_LT(KeyBytes().Time(At(0)).Take(), KeyBytes().Time(At(5)).Take());
  EXPECT_GT(KeyBytes().Descending(At(-5)).Take(), KeyBytes().Descending(At(5)).Take());
}

TEST(KeyReaderTest, GivesBackWhatWasWritten) {
  const std::string text("x\0y\xFF", 4);
  const std::string bytes = KeyBytes()
                                .Text(text)
                                .Number(7)
                                .Time(At(-3))
                                .Descending(std::uint64_t{9})
                                .Descending(At(4))
                                .Raw("tail")
                                .Take();
  KeyReader reader(bytes);
  EXPECT_EQ(reader.Text(), text);
  EXPECT_EQ(reader.Number(), 7U);
  EXPECT_EQ(reader.Time(), At(-3));
  EXPECT_EQ(reader.DescendingNumber(), 9U);
  EXPECT_EQ(reader.DescendingTime(), At(4));
  EXPECT_FALSE(reader.Done());
  EXPECT_EQ(reader.Rest(), "tail");
  EXPECT_TRUE(reader.Done());
}

TEST(KeyReaderTest, NoticesWhatDoesNotFit) {
  for (const std::string& bytes :
       {std::string(), std::string("abc"), std::string("ab\0", 3), std::string("ab\0\x02", 4)}) {
    KeyReader reader(bytes);
    EXPECT_EQ(reader.Text(), "");
    EXPECT_TRUE(reader.Failed()) << Hex(bytes);
    EXPECT_EQ(reader.Time(), Instant());
  }
  KeyReader reader("1234567");
  EXPECT_EQ(reader.Number(), 0U);
  EXPECT_TRUE(reader.Failed());
}

TEST(PrefixEndTest, IsTheFirstKeyBehindAllThatBeginWithIt) {
  EXPECT_EQ(PrefixEnd("ab"), "ac");
  EXPECT_EQ(PrefixEnd("a\xFF\xFF"), "b");
  EXPECT_EQ(PrefixEnd("\xFF"), "");
}

TEST(SequenceKeyTest, IsOrderedAndReadBack) {
  EXPECT_LT(SequenceKey(255), SequenceKey(256));
  EXPECT_EQ(SequenceOf(SequenceKey(77)), 77U);
  EXPECT_EQ(SequenceOf("short"), 0U);
  EXPECT_EQ(SequenceOf(SequenceKey(1) + "x"), 0U);
}

}  // namespace
}  // namespace atrium::store
