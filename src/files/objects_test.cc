// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/objects.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.h"
#include "base/result.h"
#include "base/testing.h"

namespace atrium::files {
namespace {

using testing::ElementsAre;
using testing::Field;

// Recorded from a real client.
constexpr std::string_view kHelloFile =
    R"({"block_ids": ["2aae6c35c94fcfb415dbe95f408b9ce91ee846ed"], "size": 11, "type": 1, "version": 1})";
constexpr std::string_view kInnerDirectory =
    R"({"dirents": [{"id": "0f11b3fbe765001c5bc8219b60ef8d01b67d450a", "mode": 33188, )"
    R"("modifier": "alice@example.com", "mtime": 1794772613, "name": "nëw.txt", "size": 4}, )"
    R"({"id": "c33608d2c2f3283807a43db5d9022b49176406f2", "mode": 33188, )"
    R"("modifier": "alice@example.com", "mtime": 1794772611, "name": "n.txt", "size": 6}], )"
    R"("type": 3, "version": 1})";
constexpr std::string_view kOuterDirectory =
    R"({"dirents": [{"id": "a7c73343fdd9da4dd7abecc0f21c6dcefef9f97d", "mode": 33188, )"
    R"("modifier": "alice@example.com", "mtime": 1794772613, "name": "hello.txt", "size": 15}, )"
    R"({"id": "1a3704845583feeb572fc2a185562ce8d193ab43", "mode": 16384, "mtime": 1794772613, )"
    R"("name": "dir"}], "type": 3, "version": 1})";

ObjectId Id(char digit) {
  return ObjectId::Parse(std::string(40, digit)).value();
}

Dirent FileNamed(std::string name) {
  return {.id = Id('a'), .mtime = 1, .name = std::move(name), .modifier = "a@b.c", .size = 3};
}

Dirent FolderNamed(std::string name) {
  return {.id = Id('d'), .mode = kDirectoryMode, .mtime = 1, .name = std::move(name)};
}

Directory DirectoryOf(std::vector<Dirent> entries) {
  return Directory::Make(std::move(entries)).value();
}

/// One entry with the given members behind its id, in an object that is right otherwise.
std::string WithEntry(std::string_view members) {
  return std::string(R"({"dirents":[{"id":")")
      .append(40, 'a')
      .append("\",")
      .append(members)
      .append(R"(}],"type":3,"version":1})");
}

TEST(ObjectsTest, TextsOfARealClientHaveItsIds) {
  EXPECT_EQ(ObjectIdOf(kHelloFile).Render(), "aab9a78455aaf01c2779ecc7288ca3c500171b50");
  EXPECT_EQ(ObjectIdOf(kInnerDirectory).Render(), "1a3704845583feeb572fc2a185562ce8d193ab43");
  EXPECT_EQ(ObjectIdOf(kOuterDirectory).Render(), "897b65285c4c46db99a7d660bdf40b0b273bbb0e");
}

TEST(ObjectsTest, WhatAClientWroteIsRenderedByteForByte) {
  EXPECT_EQ(Render(ParseFile(kHelloFile).value()), kHelloFile);
  EXPECT_EQ(Render(ParseDirectory(kInnerDirectory).value()), kInnerDirectory);
  EXPECT_EQ(Render(ParseDirectory(kOuterDirectory).value()), kOuterDirectory);
}

TEST(ObjectsTest, AFileMadeHereHasTheIdThatAClientGivesIt) {
  const FileObject nested{
      .blocks = {BlockId::Parse("b4b3e0a278988bc15f2913af3f4153ccef74e465").value()}, .size = 6};
  EXPECT_EQ(BlockIdOf("nested"), nested.blocks.front());
  EXPECT_EQ(ObjectIdOf(nested).Render(), "c33608d2c2f3283807a43db5d9022b49176406f2");
}

TEST(ObjectsTest, WhatIsEmptyHasTheZeroId) {
  EXPECT_TRUE(IsZero(ObjectIdOf(Directory())));
  EXPECT_TRUE(IsZero(ObjectIdOf(FileObject())));
}

TEST(ObjectsTest, FieldsOfEntriesAreRead) {
  const Result<Directory> directory = ParseDirectory(kOuterDirectory);
  ASSERT_THAT(directory, IsOk());
  const Dirent* file = directory->Find("hello.txt");
  ASSERT_NE(file, nullptr);
  EXPECT_EQ(file->id.Render(), "a7c73343fdd9da4dd7abecc0f21c6dcefef9f97d");
  EXPECT_EQ(file->mode, kFileMode);
  EXPECT_EQ(file->mtime, 1794772613);
  EXPECT_EQ(file->modifier, "alice@example.com");
  EXPECT_EQ(file->size, 15);
  EXPECT_FALSE(file->IsDirectory());
  const Dirent* folder = directory->Find("dir");
  ASSERT_NE(folder, nullptr);
  EXPECT_TRUE(folder->IsDirectory());
  EXPECT_EQ(folder->modifier, "");
}

TEST(ObjectsTest, ControlCharactersAreEscapedAsClientsDo) {
  const auto name_in = [](const std::string& name) {
    const std::string text = Render(DirectoryOf({FolderNamed(name)}));
    const std::size_t start = text.find("\"name\": ") + 8;
    return text.substr(start, text.find('}') - start);
  };
  EXPECT_EQ(name_in("tab\tx"), R"("tab\tx")");
  EXPECT_EQ(name_in("nl\nx"), R"("nl\nx")");
  EXPECT_EQ(name_in("\b\f\r"), R"("\b\f\r")");
  EXPECT_EQ(name_in("ctl\x01\x1Fx"), R"("ctl\u0001\u001Fx")");
  EXPECT_EQ(name_in("quote\"x"), R"("quote\"x")");
  EXPECT_EQ(name_in("back\\slash"), R"("back\\slash")");
  for (const std::string raw : {"del\x7F", "line\xE2\x80\xA8", "smile\xF0\x9F\x98\x80", "amp<&>"}) {
    EXPECT_EQ(name_in(raw), "\"" + raw + "\"");
  }
}

TEST(ObjectsTest, EscapesOfAllKindsAreUnderstood) {
  const Result<Directory> directory = ParseDirectory(
      WithEntry(R"("mode":16384,"mtime":0,"name":"\u0061\u00eb\u20AC\ud83d\ude00\b\f\n\r\t\"\\")"));
  ASSERT_THAT(directory, IsOk());
  EXPECT_THAT(directory->Entries(), ElementsAre(Field(&Dirent::name, "aë€😀\b\f\n\r\t\"\\")));
}

TEST(ObjectsTest, EntriesAreInDescendingOrderOfBytes) {
  const Directory directory =
      DirectoryOf({FileNamed("B"), FileNamed("a"), FileNamed("\xC3\xA9"), FileNamed("aa")});
  EXPECT_THAT(directory.Entries(),
              ElementsAre(Field(&Dirent::name, "\xC3\xA9"), Field(&Dirent::name, "aa"),
                          Field(&Dirent::name, "a"), Field(&Dirent::name, "B")));
}

TEST(ObjectsTest, ADirectoryStaysInOrderThroughItsChanges) {
  Directory directory;
  for (const char* name : {"m", "z", "a", "q"}) {
    ASSERT_THAT(directory.Put(FileNamed(name)), IsOk());
  }
  Dirent replacement = FileNamed("m");
  replacement.size = 99;
  ASSERT_THAT(directory.Put(replacement), IsOk());
  EXPECT_TRUE(directory.Remove("q"));
  EXPECT_FALSE(directory.Remove("q"));
  EXPECT_EQ(directory, DirectoryOf({FileNamed("a"), replacement, FileNamed("z")}));
  EXPECT_EQ(directory.Find("m")->size, 99);
  EXPECT_EQ(directory.Find("b"), nullptr);
  EXPECT_EQ(directory.Find("zz"), nullptr);
}

TEST(ObjectsTest, BadAndDoubleNamesDoNotComeIn) {
  Directory directory;
  EXPECT_THAT(directory.Put(FileNamed("a/b")), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(Directory::Make({FileNamed("..")}), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(Directory::Make({FileNamed("x"), FileNamed("y"), FolderNamed("x")}),
              FailsSaying(ErrorCode::kInvalidArgument, "two entries are named x"));
}

TEST(ObjectsTest, AnySpellingOfTheSameObjectIsRead) {
  const Result<Directory> compact = ParseDirectory(
      "\n{\"version\":1 ,\t\"extra\":{\"a\":[1,-2.5e+3,0,true,false,null,\"x\",{}]},\"type\":3,"
      "\"dirents\":[{\"size\":3,\"name\":\"f\",\"mtime\":1,\"modifier\":\"a@b.c\",\"mode\":33188,"
      "\"lock\":[],\"id\":\"" +
      std::string(40, 'a') + "\"}]}\r\n");
  ASSERT_THAT(compact, IsOk());
  EXPECT_EQ(*compact, DirectoryOf({FileNamed("f")}));
}

TEST(ObjectsTest, SizeAndModifierOfADirectoryMeanNothing) {
  const Result<Directory> directory =
      ParseDirectory(WithEntry(R"("mode":16384,"mtime":5,"name":"d","modifier":"","size":0)"));
  ASSERT_THAT(directory, IsOk());
  EXPECT_EQ(directory->Entries().front().size, 0);
}

TEST(ObjectsTest, OtherRightsThanTheUsualAreRead) {
  for (const char* mode : {"33261", "33204", "33024", "16877"}) {
    EXPECT_THAT(ParseDirectory(WithEntry(
                    std::string(R"("mtime":5,"name":"d","modifier":"","size":0,"mode":)") + mode)),
                IsOk())
        << mode;
  }
}

TEST(ObjectsTest, TheSameTextIsADirectoryOrAFile) {
  EXPECT_THAT(ParseObject(kHelloFile), Holds(testing::VariantWith<FileObject>(testing::_)));
  EXPECT_THAT(ParseObject(kOuterDirectory), Holds(testing::VariantWith<Directory>(testing::_)));
  EXPECT_THAT(ParseDirectory(kHelloFile), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(ParseFile(kOuterDirectory), FailsWith(ErrorCode::kInvalidArgument));
}

TEST(ObjectsTest, EntriesThatWouldBreakATreeAreRefused) {
  const auto refused = [](std::string_view members, const std::string& why) {
    EXPECT_THAT(ParseDirectory(WithEntry(members)), FailsSaying(ErrorCode::kInvalidArgument, why))
        << members;
  };
  refused(R"("mtime":0,"name":"a")", "there is no \"mode\"");
  refused(R"("mode":16384,"name":"a")", "there is no \"mtime\"");
  refused(R"("mode":16384,"mtime":0)", "there is no \"name\"");
  refused(R"("mode":33188,"mtime":0,"name":"a","size":0)", "there is no \"modifier\"");
  refused(R"("mode":33188,"mtime":0,"name":"a","modifier":"")", "there is no \"size\"");
  refused(R"("mode":33188,"mtime":0,"name":"a","modifier":null)",
          "\"modifier\": expected a string");
  refused(R"("mode":33188,"mtime":0,"name":"a","modifier":"","size":-1)", "size is negative");
  refused(R"("mode":40960,"mtime":0,"name":"a")", "the mode is neither");
  refused(R"("mode":-1,"mtime":0,"name":"a")", "the mode is neither");
  refused(R"("mode":4294983680,"mtime":0,"name":"a")", "the mode is neither");
  refused(R"("mode":"16384","mtime":0,"name":"a")", "\"mode\": expected an integer");
  refused(R"("mode":16384.0,"mtime":0,"name":"a")", "\"mode\": expected an integer");
  refused(R"("mode":16384e0,"mtime":0,"name":"a")", "\"mode\": expected an integer");
  refused(R"("mode":016384,"mtime":0,"name":"a")", "\"mode\": expected an integer");
  refused(R"("mode":+16384,"mtime":0,"name":"a")", "\"mode\": expected an integer");
  refused(R"("mode":16384,"mtime":9223372036854775808,"name":"a")", "out of range");
  refused(R"("mode":16384,"mtime":0,"name":"a","name":"b")", "\"name\": the key comes twice");
  refused(R"("mode":16384,"mtime":0,"name":"a","id":"x")", "\"id\": the key comes twice");
  refused(R"("mode":16384,"mtime":0,"name":"")", "must not be empty");
  refused(R"("mode":16384,"mtime":0,"name":"..")", "are not names");
  refused(R"("mode":16384,"mtime":0,"name":"a\/b")", "must not contain \"/\"");
  refused(R"("mode":16384,"mtime":0,"name":"a\u0000b")", "NUL in a string");
  refused(R"("mode":16384,"mtime":0,"name":"\ud800")", "half a character");
  refused(R"("mode":16384,"mtime":0,"name":"\udc00")", "half a character");
  refused(R"("mode":16384,"mtime":0,"name":"\ud800\u0041")", "half a character");
  refused(R"("mode":16384,"mtime":0,"name":"\x41")", "an unknown escape");
  refused(R"("mode":16384,"mtime":0,"name":"\u004")", "four hexadecimal digits");
  refused("\"mode\":16384,\"mtime\":0,\"name\":\"caf\xE9\"", "not UTF-8");
  refused("\"mode\":16384,\"mtime\":0,\"name\":\"a\nb\"", "control character");
  refused(R"("mode":16384,"mtime":0,"name":")" + std::string(256, 'x') + "\"",
          "longer than 255 bytes");
}

TEST(ObjectsTest, IdsThatAreNoneAreRefused) {
  EXPECT_THAT(ParseDirectory(R"({"dirents":[{"id":"abc"}],"type":3,"version":1})"),
              FailsSaying(ErrorCode::kInvalidArgument, "\"id\": an id is 40"));
  EXPECT_THAT(ParseFile(R"({"block_ids":[7],"size":1,"type":1,"version":1})"),
              FailsSaying(ErrorCode::kInvalidArgument, "expected a string"));
  EXPECT_THAT(ParseFile(R"({"block_ids":[")" + std::string(40, '0') +
                        R"("],"size":1,"type":1,"version":1})"),
              FailsSaying(ErrorCode::kInvalidArgument, "the zero id is no block"));
}

TEST(ObjectsTest, EntriesOutOfOrderAndDoubleOnesAreRefused) {
  const auto entry = [](const std::string& name) {
    return "{\"id\":\"" + std::string(40, 'a') + R"(","mode":16384,"mtime":0,"name":")" + name +
           "\"}";
  };
  const auto object = [&](const std::string& first, const std::string& second) {
    return "{\"dirents\":[" + entry(first) + "," + entry(second) + R"(],"type":3,"version":1})";
  };
  EXPECT_THAT(ParseDirectory(object("b", "a")), IsOk());
  EXPECT_THAT(ParseDirectory(object("a", "b")),
              FailsSaying(ErrorCode::kInvalidArgument, "not in descending order"));
  EXPECT_THAT(ParseDirectory(object("a", "a")),
              FailsSaying(ErrorCode::kInvalidArgument, "two entries are named a"));
}

TEST(ObjectsTest, ObjectsOfOtherShapesAreRefused) {
  const auto refused = [](std::string_view text, const std::string& why) {
    EXPECT_THAT(ParseObject(text), FailsSaying(ErrorCode::kInvalidArgument, why)) << text;
  };
  refused("", "expected {");
  refused("[]", "expected {");
  refused("null", "expected {");
  refused("{}", "version: expected 1");
  refused(R"({"dirents":[],"type":3})", "version: expected 1");
  refused(R"({"dirents":[],"type":3,"version":0})", "version: expected 1");
  refused(R"({"dirents":[],"version":1})", "type: expected 1 or 3");
  refused(R"({"dirents":[],"type":2,"version":1})", "type: expected 1 or 3");
  refused(R"({"type":3,"version":1})", "there is no \"dirents\"");
  refused(R"({"size":0,"type":1,"version":1})", "there is no \"block_ids\"");
  refused(R"({"block_ids":[],"type":1,"version":1})", "there is no \"size\"");
  refused(R"({"block_ids":[],"size":1,"type":1,"version":1})", "has no blocks");
  refused(R"({"block_ids":[],"size":-1,"type":1,"version":1})", "the size is negative");
  refused(R"({"dirents":[],"dirents":[],"type":3,"version":1})", "the key comes twice");
  refused(R"({"dirents":[],"type":3,"version":1}x)", "something follows");
  refused(R"({"dirents":[],"type":3,"version":1,})", "expected a string");
  refused(R"({"dirents":[],"type":3,"version":1)", "expected }");
  refused(R"({"dirents":[,],"type":3,"version":1})", "expected {");
  refused(R"({"x":tru,"dirents":[],"type":3,"version":1})", "expected a value");
  refused(R"({"x":01,"dirents":[],"type":3,"version":1})", "begins with zero");
  refused(R"({"x":1.,"dirents":[],"type":3,"version":1})", "expected a value");
  refused(R"({"x)", "a string without an end");
}

TEST(ObjectsTest, DepthIsLimitedAlsoWhereNobodyLooks) {
  const auto nested = [](std::size_t depth) {
    return "{\"x\":" + std::string(depth, '[') + std::string(depth, ']') +
           R"(,"dirents":[],"type":3,"version":1})";
  };
  EXPECT_THAT(ParseObject(nested(31)), IsOk());
  EXPECT_THAT(ParseObject(nested(32)),
              FailsSaying(ErrorCode::kInvalidArgument, "nested too deeply"));
  EXPECT_THAT(ParseObject(nested(1'000'000)),
              FailsSaying(ErrorCode::kInvalidArgument, "nested too deeply"));
}

TEST(ObjectsTest, AnObjectThatIsTooLongIsNotEvenRead) {
  EXPECT_THAT(ParseObject(std::string(kObjectBytesMax + 1, ' ')),
              FailsWith(ErrorCode::kLimitExceeded));
}

TEST(ObjectsTest, ADirectoryOfAHundredThousandEntriesReadsBack) {
  std::vector<Dirent> entries;
  for (int i = 0; i < 100'000; ++i) {
    entries.push_back(FileNamed("photo number " + std::to_string(i) + ".jpg"));
  }
  const Directory directory = DirectoryOf(std::move(entries));
  EXPECT_THAT(ParseDirectory(Render(directory)), Holds(directory));
}

}  // namespace
}  // namespace atrium::files
