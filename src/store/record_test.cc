// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "store/record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/describe/class.hpp>

#include "base/testing.h"

namespace atrium::store {
namespace {

struct Plain {
  std::string name{};
  int age = 7;
  std::optional<std::string> mail{};
};
BOOST_DESCRIBE_STRUCT(Plain, (), (name, age, mail))

struct Strict {
  std::string name{};
};
BOOST_DESCRIBE_STRUCT(Strict, (), (name))

/// Its third format; the first had "title", the second "titles".
struct Grown {
  std::vector<std::string> names{};
};
BOOST_DESCRIBE_STRUCT(Grown, (), (names))

}  // namespace

template <>
struct RecordFormat<Strict> {
  static constexpr unsigned kNumber = 1;
  static constexpr UnknownFields kUnknown = UnknownFields::kRefuse;
};

template <>
struct RecordFormat<Grown> {
  static constexpr unsigned kNumber = 3;
  static constexpr UnknownFields kUnknown = UnknownFields::kKeep;
  static Result<void> Upgrade(unsigned from, boost::json::object& document) {
    if (from == 1) {
      document["titles"] = boost::json::array{document["title"]};
      document.erase("title");
    } else {
      document["names"] = document["titles"];
      document.erase("titles");
    }
    return {};
  }
};

namespace {

TEST(RecordTest, TheFirstFormatIsTheDocumentOfTheApi) {
  EXPECT_EQ(EncodeRecord(Plain{.name = "Ann", .age = 3}), R"({"name":"Ann","age":3})");
}

TEST(RecordTest, ReadsBackWhatItWrote) {
  const auto stored =
      DecodeRecord<Plain>(EncodeRecord(Plain{.name = "Ann", .age = 3, .mail = "a@b"}), Version{5});
  ASSERT_THAT(stored, IsOk());
  EXPECT_EQ(stored->record.name, "Ann");
  EXPECT_EQ(stored->record.mail, "a@b");
  EXPECT_EQ(stored->version, Version{5});
}

TEST(RecordTest, AMemberThatIsNewHasItsDefault) {
  const auto stored = DecodeRecord<Plain>(R"({"name":"Ann"})", {});
  ASSERT_THAT(stored, IsOk());
  EXPECT_EQ(stored->record.age, 7);
}

TEST(RecordTest, KeepsMembersOfALaterRelease) {
  const auto stored =
      DecodeRecord<Plain>(R"({"colour":"red","name":"Ann","age":3,"more":{"x":[1]}})", {});
  ASSERT_THAT(stored, IsOk());
  EXPECT_EQ(EncodeRecord(stored->record, stored->unknown),
            R"({"name":"Ann","age":3,"colour":"red","more":{"x":[1]}})");
}

TEST(RecordTest, RefusesThemWhereTheyMayChangeTheMeaning) {
  EXPECT_THAT(DecodeRecord<Strict>(R"({"name":"Ann"})", {}), IsOk());
  EXPECT_THAT(DecodeRecord<Strict>(R"({"name":"Ann","x":1})", {}), FailsWith(ErrorCode::kCorrupt));
}

TEST(RecordTest, LaterFormatsNameThemselves) {
  EXPECT_EQ(EncodeRecord(Grown{.names = {"a"}}), R"({"names":["a"],"format":3})");
}

TEST(RecordTest, EarlierFormatsAreLiftedStepByStep) {
  for (const char* document : {R"({"title":"a","x":1})", R"({"titles":["a"],"x":1,"format":2})",
                               R"({"names":["a"],"x":1,"format":3})"}) {
    const auto stored = DecodeRecord<Grown>(document, {});
    ASSERT_THAT(stored, IsOk()) << document;
    EXPECT_EQ(EncodeRecord(stored->record, stored->unknown), R"({"names":["a"],"x":1,"format":3})");
  }
}

TEST(RecordTest, AFormatOfALaterReleaseIsNotGuessedAt) {
  EXPECT_THAT(DecodeRecord<Grown>(R"({"names":["a"],"format":4})", {}),
              FailsWith(ErrorCode::kCorrupt));
  EXPECT_THAT(DecodeRecord<Plain>(R"({"name":"a","format":2})", {}),
              FailsWith(ErrorCode::kCorrupt));
}

TEST(RecordTest, WhatIsNoRecordIsCorrupt) {
  for (const char* document : {"", "[]", "{", R"({"name":7})", R"({"name":"a","format":"x"})",
                               R"({"name":"a","format":1})"}) {
    EXPECT_THAT(DecodeRecord<Plain>(document, {}), FailsWith(ErrorCode::kCorrupt)) << document;
  }
}

}  // namespace
}  // namespace atrium::store
