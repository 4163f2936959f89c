// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "base/json_write.h"

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

#include "base/instant.h"
#include "base/strong_id.h"
#include "base/ulid.h"
#include "base/uuid.h"

namespace atrium {

struct Celsius {
  int degrees = 0;
};

template <>
struct JsonWriter<Celsius> {
  static void Append(std::string& out, const Celsius& value) {
    AppendJsonString(out, std::to_string(value.degrees) + " C");
  }
};

/// Spelled as clients of another system know them.
struct DayPlan {
  std::string first_day{};
  std::optional<int> x2_of_y{};
};
BOOST_DESCRIBE_STRUCT(DayPlan, (), (first_day, x2_of_y))
template <>
inline constexpr JsonNames kJsonNames<DayPlan> = JsonNames::kCamel;

enum class DayKind : std::uint8_t { kAllDay, kTimed };
BOOST_DESCRIBE_ENUM(DayKind, kAllDay, kTimed)
template <>
inline constexpr JsonNames kJsonNames<DayKind> = JsonNames::kKebab;

namespace {

using RoomId = StrongId<struct RoomTag, Uuid>;
using PersonId = StrongId<struct PersonTag>;

enum class EntryKind : std::uint8_t { kTimedEntry, kAllDay, kTask2Do };
BOOST_DESCRIBE_ENUM(EntryKind, kTimedEntry, kAllDay, kTask2Do)

struct Attendee {
  std::string name;
  std::optional<std::string> email{};
};
BOOST_DESCRIBE_STRUCT(Attendee, (), (name, email))

struct Entry {
  RoomId room;
  PersonId owner;
  EntryKind kind = EntryKind::kAllDay;
  Instant starts_at;
  std::optional<int> priority;
  std::vector<Attendee> attendees;
  std::map<std::string, bool> flags;
};
BOOST_DESCRIBE_STRUCT(Entry, (), (room, owner, kind, starts_at, priority, attendees, flags))

struct Empty {};
BOOST_DESCRIBE_STRUCT(Empty, (), ())

struct Base {
  int first = 1;
};
BOOST_DESCRIBE_STRUCT(Base, (), (first))

struct Derived : Base {
  int second = 2;
};
BOOST_DESCRIBE_STRUCT(Derived, (Base), (second))

struct Patch {
  std::optional<std::optional<int>> limit;
};
BOOST_DESCRIBE_STRUCT(Patch, (), (limit))

TEST(JsonWriteTest, WritesAStructInTheOrderOfItsDescription) {
  const Entry entry{.room = RoomId(),
                    .owner = PersonId("ann"),
                    .kind = EntryKind::kTimedEntry,
                    .starts_at = Instant(std::chrono::milliseconds(1)),
                    .priority = 5,
                    .attendees = {{.name = "Bob", .email = "bob@example.org"}, {.name = "Eve"}},
                    .flags = {{"b", true}, {"a\n", false}}};
  EXPECT_EQ(ToJson(entry),
            R"({"room":"00000000-0000-0000-0000-000000000000","owner":"ann","kind":"timed_entry",)"
            R"("starts_at":"1970-01-01T00:00:00.001Z","priority":5,)"
            R"("attendees":[{"name":"Bob","email":"bob@example.org"},{"name":"Eve"}],)"
            R"("flags":{"a\n":false,"b":true}})");
}

TEST(JsonWriteTest, LeavesEmptyOptionalsOut) {
  EXPECT_EQ(ToJson(Attendee{.name = "Eve"}), R"({"name":"Eve"})");
  EXPECT_EQ(ToJson(Empty{}), "{}");
}

TEST(JsonWriteTest, EmptyOptionalsAreNullWhereTheyHoldAPlace) {
  EXPECT_EQ(ToJson(std::vector<std::optional<int>>{1, std::nullopt}), "[1,null]");
  EXPECT_EQ(ToJson(Patch{}), "{}");
  EXPECT_EQ(ToJson(Patch{.limit = std::optional<int>()}), R"({"limit":null})");
  EXPECT_EQ(ToJson(Patch{.limit = 3}), R"({"limit":3})");
}

TEST(JsonWriteTest, EnumsLoseTheirKAndBecomeSnakeCase) {
  EXPECT_EQ(ToJson(EntryKind::kTimedEntry), R"("timed_entry")");
  EXPECT_EQ(ToJson(EntryKind::kAllDay), R"("all_day")");
  EXPECT_EQ(ToJson(EntryKind::kTask2Do), R"("task2_do")");
}

TEST(JsonWriteTest, NamesFollowTheSpellingOfTheirType) {
  EXPECT_EQ(ToJson(DayPlan{.first_day = "Monday", .x2_of_y = 2}),
            R"({"firstDay":"Monday","x2OfY":2})");
  EXPECT_EQ(ToJson(DayKind::kAllDay), R"("all-day")");
  EXPECT_EQ(ToJson(DayKind::kTimed), R"("timed")");
}

TEST(JsonWriteDeathTest, AnEnumWithoutNameIsOurMistake) {
  EXPECT_DEATH(ToJson(static_cast<EntryKind>(99)), "described values");
}

TEST(JsonWriteTest, WritesScalars) {
  EXPECT_EQ(ToJson(true), "true");
  EXPECT_EQ(ToJson(std::int8_t{-7}), "-7");
  EXPECT_EQ(ToJson(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
  EXPECT_EQ(ToJson(0.25), "0.25");
  EXPECT_EQ(ToJson(std::numeric_limits<double>::infinity()), "null");
  EXPECT_EQ(ToJson(std::string("a\"\xff")), "\"a\\\"\xef\xbf\xbd\"");
  EXPECT_EQ(ToJson(std::string_view("v")), "\"v\"");
  EXPECT_EQ(ToJson(Ulid()), R"("00000000000000000000000000")");
}

TEST(JsonWriteTest, EmptyContainersAreWritten) {
  EXPECT_EQ(ToJson(std::vector<int>()), "[]");
  EXPECT_EQ(ToJson(std::map<std::string, int>()), "{}");
}

TEST(JsonWriteTest, BaseClassesComeFirst) {
  EXPECT_EQ(ToJson(Derived{}), R"({"first":1,"second":2})");
}

TEST(JsonWriteTest, ATypeMayHaveAFormOfItsOwn) {
  EXPECT_EQ(ToJson(std::vector<Celsius>{{.degrees = 21}}), R"(["21 C"])");
}

TEST(JsonWriteTest, AppendsBehindWhatIsThere) {
  std::string out = "[";
  AppendJson(out, Attendee{.name = "Eve"});
  EXPECT_EQ(out, R"([{"name":"Eve"})");
}

}  // namespace
}  // namespace atrium
