// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "base/json_read.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>
#include <chrono>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_write.h"
#include "base/testing.h"
#include "base/ulid.h"
#include "base/uuid.h"

namespace atrium {

struct Celsius {
  int degrees = 0;
};

template <>
struct JsonReader<Celsius> {
  static ReadOutcome Read(const boost::json::value& json, Celsius& out,
                          const ReadOptions& options) {
    return JsonReader<int>::Read(json, out.degrees, options);
  }
};

namespace {

using ::testing::ElementsAre;
using ::testing::Eq;
using ::testing::Field;
using ::testing::Optional;

using RoomId = StrongId<struct RoomTag, Uuid>;
using PersonId = StrongId<struct PersonTag>;

enum class Partstat : std::uint8_t { kNeedsAction, kAccepted };
BOOST_DESCRIBE_ENUM(Partstat, kNeedsAction, kAccepted)

struct Attendee {
  std::string name;
  Partstat partstat = Partstat::kNeedsAction;
  std::optional<std::string> email;
};
BOOST_DESCRIBE_STRUCT(Attendee, (), (name, partstat, email))

struct Entry {
  RoomId room;
  PersonId owner;
  Ulid change;
  Instant starts_at;
  std::uint8_t priority = 3;
  std::vector<Attendee> attendees;
  std::map<std::string, double> weights;
};
BOOST_DESCRIBE_STRUCT(Entry, (), (room, owner, change, starts_at, priority, attendees, weights))

struct Patch {
  std::optional<std::optional<int>> limit;
};
BOOST_DESCRIBE_STRUCT(Patch, (), (limit))

struct Limits {
  int requests = 10;
  bool strict = true;
};
BOOST_DESCRIBE_STRUCT(Limits, (), (requests, strict))

struct Configuration {
  Limits limits;
  std::string name = "atrium";
};
BOOST_DESCRIBE_STRUCT(Configuration, (), (limits, name))

constexpr std::string_view kEntry =
    R"({"room":"919108f7-52d1-4320-9bac-f847db4148a8","owner":"ann",)"
    R"("change":"01ARZ3NDEKTSV4RRFFQ69G5FAV","starts_at":"1970-01-01T00:00:00.001Z","priority":255,)"
    R"("attendees":[{"name":"Bob","partstat":"accepted","email":"bob@example.org"},)"
    R"({"name":"Eve","partstat":"needs_action"}],"weights":{"a":0.1,"b":2}})";

TEST(JsonReadTest, WhatWasReadIsWrittenAlike) {
  const Result<Entry> entry = FromJson<Entry>(kEntry);
  ASSERT_THAT(entry, IsOk());
  EXPECT_EQ(ToJson(*entry), kEntry);
}

TEST(JsonReadTest, WhitespaceAndOrderDoNotMatter) {
  const auto attendee =
      FromJson<Attendee>(" {\n\t\"partstat\" : \"accepted\" ,\r\n \"name\" : \"Bob\" } ");
  EXPECT_THAT(attendee, Holds(Field(&Attendee::partstat, Partstat::kAccepted)));
}

TEST(JsonReadTest, AnOptionalMayBeAbsentOrNull) {
  EXPECT_THAT(FromJson<Attendee>(R"({"name":"Eve","partstat":"accepted","email":null})"),
              Holds(Field(&Attendee::email, Eq(std::nullopt))));
  EXPECT_THAT(FromJson<Attendee>(R"({"name":"Eve","partstat":"accepted"})"),
              Holds(Field(&Attendee::email, Eq(std::nullopt))));
}

TEST(JsonReadTest, ADoubleOptionalTellsNullFromAbsent) {
  EXPECT_THAT(FromJson<Patch>("{}"), Holds(Field(&Patch::limit, Eq(std::nullopt))));
  EXPECT_THAT(FromJson<Patch>(R"({"limit":null})"),
              Holds(Field(&Patch::limit, Optional(Eq(std::nullopt)))));
  EXPECT_THAT(FromJson<Patch>(R"({"limit":4})"),
              Holds(Field(&Patch::limit, Optional(Optional(4)))));
}

TEST(JsonReadTest, AMissingMemberIsNamed) {
  EXPECT_THAT(FromJson<Attendee>(R"({"name":"Eve"})"),
              FailsSaying(ErrorCode::kInvalidArgument, "/partstat: missing"));
}

TEST(JsonReadTest, DefaultsAreKeptWhenAskedFor) {
  const auto read = FromJson<Configuration>(R"({"limits":{"strict":false}})",
                                            {.missing = OnMissing::kKeepDefault});
  ASSERT_THAT(read, IsOk());
  EXPECT_EQ(read->limits.requests, 10);
  EXPECT_FALSE(read->limits.strict);
  EXPECT_EQ(read->name, "atrium");
}

TEST(JsonReadTest, AnUnknownMemberIsNamedOrIgnored) {
  constexpr std::string_view kText = R"({"requests":1,"strict":true,"a/b~c":2})";
  EXPECT_THAT(FromJson<Limits>(kText),
              FailsSaying(ErrorCode::kInvalidArgument, "/a~1b~0c: unknown member"));
  EXPECT_THAT(FromJson<Limits>(kText, {.unknown = OnUnknown::kIgnore}),
              Holds(Field(&Limits::requests, 1)));
}

TEST(JsonReadTest, OptionsReachEveryDepth) {
  EXPECT_THAT(
      FromJson<Configuration>(R"({"limits":{"requests":1,"strict":true,"x":1},"name":"n"})"),
      FailsSaying(ErrorCode::kInvalidArgument, "/limits/x: unknown member"));
  EXPECT_THAT(FromJson<Configuration>(R"({"limits":{"requests":1,"strict":true,"x":1},"name":"n"})",
                                      {.unknown = OnUnknown::kIgnore}),
              IsOk());
}

TEST(JsonReadTest, AFaultDeepInsideIsNamedByItsPath) {
  std::string text(kEntry);
  text.replace(text.find("\"needs_action\""), std::string_view("\"needs_action\"").size(), "7");
  const Result<Entry> entry = FromJson<Entry>(text);
  ASSERT_THAT(entry, FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_EQ(entry.error().client_message, "/attendees/1/partstat: expected string");
}

TEST(JsonReadTest, AFaultOfTheWholeDocumentHasNoPath) {
  EXPECT_EQ(FromJson<Limits>("[]").error().client_message, "expected object");
}

TEST(JsonReadTest, AnUnknownEnumeratorIsAnsweredWithTheKnownOnes) {
  EXPECT_THAT(FromJson<Partstat>(R"("declined")"),
              FailsSaying(ErrorCode::kInvalidArgument, "expected one of: needs_action, accepted"));
  EXPECT_THAT(FromJson<Partstat>(R"("kAccepted")"), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(FromJson<Partstat>("0"), FailsSaying(ErrorCode::kInvalidArgument, "string"));
}

TEST(JsonReadTest, IntegersAreRangeChecked) {
  EXPECT_THAT(FromJson<std::uint8_t>("255"), Holds(255));
  EXPECT_THAT(FromJson<std::uint8_t>("256"),
              FailsSaying(ErrorCode::kInvalidArgument, "out of range"));
  EXPECT_THAT(FromJson<std::uint8_t>("-1"),
              FailsSaying(ErrorCode::kInvalidArgument, "out of range"));
  EXPECT_THAT(FromJson<std::int8_t>("-128"), Holds(-128));
  EXPECT_THAT(FromJson<std::int8_t>("128"), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(FromJson<std::int64_t>("-9223372036854775808"),
              Holds(std::numeric_limits<std::int64_t>::min()));
  EXPECT_THAT(FromJson<std::uint64_t>("18446744073709551615"),
              Holds(std::numeric_limits<std::uint64_t>::max()));
  EXPECT_THAT(FromJson<std::int64_t>("9223372036854775808"),
              FailsSaying(ErrorCode::kInvalidArgument, "out of range"));
}

TEST(JsonReadTest, OnlyAnIntegerIsAnInteger) {
  for (const char* text : {"1.0", "1e2", "\"1\"", "true", "null", "18446744073709551616"}) {
    EXPECT_THAT(FromJson<int>(text), FailsSaying(ErrorCode::kInvalidArgument, "expected integer"))
        << text;
  }
}

TEST(JsonReadTest, DoublesAreReadExactly) {
  for (const double number : {0.1, 1.0 / 3, 5e-324, 1.7976931348623157e308, 123456.789e-7,
                              9007199254740993.5, -2.2250738585072014e-308}) {
    EXPECT_THAT(FromJson<double>(ToJson(number)), Holds(number));
  }
  EXPECT_THAT(FromJson<double>("3"), Holds(3.0));
  EXPECT_THAT(FromJson<double>("-3"), Holds(-3.0));
}

TEST(JsonReadTest, DoublesAreFinite) {
  EXPECT_THAT(FromJson<double>("1e400"), FailsSaying(ErrorCode::kInvalidArgument, "out of range"));
  EXPECT_THAT(FromJson<double>("-1e400"), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(FromJson<double>("NaN"), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(FromJson<double>("\"1\""), FailsSaying(ErrorCode::kInvalidArgument, "number"));
}

TEST(JsonReadTest, BooleansAreNotNumbers) {
  EXPECT_THAT(FromJson<bool>("true"), Holds(true));
  EXPECT_THAT(FromJson<bool>("1"), FailsSaying(ErrorCode::kInvalidArgument, "expected boolean"));
}

TEST(JsonReadTest, StringsAreUnescapedAndMayHoldNul) {
  EXPECT_THAT(FromJson<std::string>(R"("a\"\u00fc\ud83d\udcc5\u0000")"),
              Holds(std::string("a\"\xc3\xbc\xf0\x9f\x93\x85\0", 9)));
}

TEST(JsonReadTest, IllFormedTextIsRefused) {
  EXPECT_THAT(FromJson<std::string>("\"\xff\""),
              FailsSaying(ErrorCode::kInvalidArgument, "line 1"));
  EXPECT_THAT(FromJson<std::string>("\"\xc0\xaf\""), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(FromJson<std::string>(R"("\ud83d")"), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(FromJson<std::string>("\"a\nb\""), FailsWith(ErrorCode::kInvalidArgument));
}

TEST(JsonReadTest, IdsAndInstantsSayWhatTheyExpect) {
  EXPECT_THAT(FromJson<RoomId>(R"("room")"), FailsSaying(ErrorCode::kInvalidArgument, "UUID"));
  EXPECT_THAT(FromJson<Ulid>(R"("x")"), FailsSaying(ErrorCode::kInvalidArgument, "ULID"));
  EXPECT_THAT(FromJson<Instant>(R"("today")"),
              FailsSaying(ErrorCode::kInvalidArgument, "RFC 3339"));
  EXPECT_THAT(FromJson<Instant>("0"), FailsSaying(ErrorCode::kInvalidArgument, "string"));
  EXPECT_THAT(FromJson<PersonId>(R"("ann")"), Holds(PersonId("ann")));
}

TEST(JsonReadTest, ReadsContainers) {
  EXPECT_THAT(FromJson<std::vector<int>>("[1,2]"), Holds(ElementsAre(1, 2)));
  EXPECT_THAT(FromJson<std::vector<bool>>("[true,false]"), Holds(ElementsAre(true, false)));
  EXPECT_THAT(FromJson<std::vector<std::optional<int>>>("[1,null]"),
              Holds(ElementsAre(Optional(1), Eq(std::nullopt))));
  EXPECT_THAT(FromJson<std::vector<int>>("{}"),
              FailsSaying(ErrorCode::kInvalidArgument, "expected array"));
  EXPECT_THAT((FromJson<std::map<std::string, int>>(R"({"a/b":"c"})")),
              FailsSaying(ErrorCode::kInvalidArgument, "/a~1b: expected integer"));
}

TEST(JsonReadTest, ATypeMayHaveAFormOfItsOwn) {
  EXPECT_THAT(FromJson<std::vector<Celsius>>("[21]"),
              Holds(ElementsAre(Field(&Celsius::degrees, 21))));
}

TEST(ParseJsonTest, AMemberMayNotComeTwice) {
  EXPECT_THAT(ParseJson(R"({"a":1,"b":2,"a":3})"),
              FailsSaying(ErrorCode::kInvalidArgument, "the member a comes twice"));
  EXPECT_THAT(ParseJson(R"({"x":[{"a":1,"\u0061":3}]})"),
              FailsSaying(ErrorCode::kInvalidArgument, "the member a comes twice"));
}

TEST(ParseJsonTest, DifferentObjectsMayShareNames) {
  EXPECT_THAT(ParseJson(R"({"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]})"), IsOk());
}

TEST(ParseJsonTest, DepthIsBounded) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_THAT(ParseJson(nested(kJsonDepthMax)), IsOk());
  EXPECT_THAT(ParseJson(nested(kJsonDepthMax + 1)),
              FailsSaying(ErrorCode::kInvalidArgument, "deep"));
  EXPECT_THAT(ParseJson(nested(1'000'000)), FailsWith(ErrorCode::kInvalidArgument));
}

TEST(ParseJsonTest, SaysWhereTheTextIsWrong) {
  EXPECT_THAT(ParseJson("{\"a\":1,\n \"b\": x}"),
              FailsSaying(ErrorCode::kInvalidArgument, "line 2, column 7: syntax error"));
  EXPECT_THAT(ParseJson("[1] 2"), FailsSaying(ErrorCode::kInvalidArgument, "line 1, column 5"));
  EXPECT_THAT(ParseJson("[1"), FailsSaying(ErrorCode::kInvalidArgument, "line 1, column 3"));
  EXPECT_THAT(ParseJson(""), FailsSaying(ErrorCode::kInvalidArgument, "line 1, column 1"));
}

class RefusedJsonTest : public ::testing::TestWithParam<const char*> {};

TEST_P(RefusedJsonTest, IsInvalid) {
  EXPECT_THAT(ParseJson(GetParam()), FailsSaying(ErrorCode::kInvalidArgument, "line 1, column"));
}

INSTANTIATE_TEST_SUITE_P(ParseJsonTest, RefusedJsonTest,
                         ::testing::Values(" ", "{", "}", "[1,]", "{\"a\":1,}", "{a:1}", "{'a':1}",
                                           "[1 2]", "01", "+1", ".5", "1.", "0x1", "tru", "TRUE",
                                           "nan", "Infinity", "/* */ 1", "// x\n1", "1 1", "\"a",
                                           "\"\\x\"", "\"\\u12\"", "\xef\xbb\xbf[]"));

TEST(ParseJsonTest, LongNamesFromOutsideAreCutInMessages) {
  const std::string name(10'000, 'n');
  const Result<Limits> read =
      FromJson<Limits>(R"({"requests":1,"strict":true,")" + name + R"(":1})");
  ASSERT_THAT(read, FailsSaying(ErrorCode::kInvalidArgument, "nnn...: unknown member"));
  EXPECT_LT(read.error().client_message.size(), 100);
}

TEST(ParseJsonTest, TheValueOutlivesTheText) {
  Result<boost::json::value> value = [] {
    const std::string text = R"({"key":"a text that is too long to be stored inside the value"})";
    return ParseJson(text);
  }();
  ASSERT_THAT(value, IsOk());
  EXPECT_EQ(value->at("key").as_string(), "a text that is too long to be stored inside the value");
}

}  // namespace
}  // namespace atrium
