// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "base/error.h"
#include "base/instant.h"
#include "base/json_read.h"
#include "base/json_text.h"
#include "base/json_write.h"
#include "base/result.h"
#include "base/utf8.h"
#include "fuzz/fuzzing.h"

namespace atrium::fuzz {
namespace {

enum class Colour : std::uint8_t { kRed, kDarkGreen };
BOOST_DESCRIBE_ENUM(Colour, kRed, kDarkGreen)

struct Leaf {
  std::string text;
  Colour colour = Colour::kRed;
  std::optional<std::int8_t> small;

  bool operator==(const Leaf&) const = default;
};
BOOST_DESCRIBE_STRUCT(Leaf, (), (text, colour, small))

/// One of every kind of value that can be read.
struct Tree {
  bool flag = false;
  std::uint64_t big = 0;
  double number = 0;
  std::optional<Instant> at;
  std::vector<Leaf> leaves;
  std::map<std::string, Leaf> named;
  std::optional<std::optional<int>> patch;

  bool operator==(const Tree&) const = default;
};
BOOST_DESCRIBE_STRUCT(Tree, (), (flag, big, number, at, leaves, named, patch))

// NOLINTBEGIN(misc-no-recursion): ParseJson bounds the depth.
void Append(std::string& out, const boost::json::value& value);

void AppendArray(std::string& out, const boost::json::array& array) {
  std::string_view separator = "[";
  for (const boost::json::value& element : array) {
    out += separator;
    Append(out, element);
    separator = ",";
  }
  out += array.empty() ? "[]" : "]";
}

void AppendObject(std::string& out, const boost::json::object& object) {
  std::string_view separator = "{";
  for (const auto& member : object) {
    out += separator;
    AppendJsonString(out, member.key());
    out += ":";
    Append(out, member.value());
    separator = ",";
  }
  out += object.empty() ? "{}" : "}";
}

/// Writes with our own pieces, so that reader and writer hold each other to account.
void Append(std::string& out, const boost::json::value& value) {
  if (value.is_object()) {
    AppendObject(out, value.get_object());
  } else if (value.is_array()) {
    AppendArray(out, value.get_array());
  } else if (value.is_string()) {
    AppendJsonString(out, std::string_view(value.get_string()));
  } else if (value.is_double()) {
    // An integer has no negative zero, and a zero without fraction is read back as one.
    AppendJsonNumber(out, value.get_double() == 0 ? 0 : value.get_double());
  } else if (value.is_int64()) {
    AppendJsonNumber(out, value.get_int64());
  } else if (value.is_uint64()) {
    AppendJsonNumber(out, value.get_uint64());
  } else {
    out += value.is_null() ? "null" : value.get_bool() ? "true" : "false";
  }
}
// NOLINTEND(misc-no-recursion)

void CheckDocument(std::string_view input) {
  const Result<boost::json::value> document = ParseJson(input);
  if (!document) {
    Check(document.error().code == ErrorCode::kInvalidArgument, "bad JSON is an invalid argument");
    Check(IsValidUtf8(document.error().client_message), "the mistake can be sent to a client");
    return;
  }
  Check(IsValidUtf8(input), "what was accepted is UTF-8");
  std::string written;
  Append(written, *document);
  const Result<boost::json::value> back = ParseJson(written);
  Check(back.has_value(), "what we write is accepted");
  std::string again;
  Append(again, *back);
  // Compared as text: a number with a fraction of zero may be read back as an integer.
  Check(again == written, "writing and reading is stable");
}

void CheckTree(std::string_view input, const ReadOptions& options) {
  const Result<Tree> tree = FromJson<Tree>(input, options);
  if (!tree) {
    Check(tree.error().code == ErrorCode::kInvalidArgument, "a misfit is an invalid argument");
    Check(IsValidUtf8(tree.error().client_message), "the misfit can be sent to a client");
    return;
  }
  Check(std::isfinite(tree->number), "numbers are finite");
  const Result<Tree> back = FromJson<Tree>(ToJson(*tree));
  Check(back && *back == *tree, "a struct reads back");
}

}  // namespace

void TryInput(std::string_view input) {
  CheckDocument(input);
  CheckTree(input, {});
  CheckTree(input, {.unknown = OnUnknown::kIgnore, .missing = OnMissing::kKeepDefault});
}

}  // namespace atrium::fuzz
