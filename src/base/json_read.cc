// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "base/json_read.h"

#include <algorithm>
#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/error.hpp>
#include <boost/json/monotonic_resource.hpp>
#include <boost/json/parse_options.hpp>
#include <boost/json/value_stack.hpp>
#include <charconv>
#include <cmath>
#include <system_error>

#include "base/utf8.h"

namespace atrium {
namespace {

namespace json = boost::json;

/// Names from outside come back in messages; this much of them is enough to find the place.
constexpr std::size_t kQuotedBytesMax = 64;

/// What a builder notes about the keys it meets. Boost.JSON lets the last of two equal ones win,
/// which would hide half of what the sender said.
enum class Keys : std::uint8_t {
  kCount,    ///< How many there are: enough to see that some were lost, and quick.
  kCompare,  ///< Those of each open object, so that the one that came twice can be named.
};

/// Builds the value as json::parser does, with exact numbers.
class Builder {
 public:
  // NOLINTBEGIN(readability-identifier-naming): these names, and the on_ ones, are basic_parser's.
  static constexpr std::size_t max_object_size = json::object::max_size();
  static constexpr std::size_t max_array_size = json::array::max_size();
  static constexpr std::size_t max_key_size = json::string::max_size();
  static constexpr std::size_t max_string_size = json::string::max_size();
  // NOLINTEND(readability-identifier-naming)

  using Failure = boost::system::error_code;

  Builder(json::storage_ptr storage, Keys keys) : compare_(keys == Keys::kCompare) {
    stack_.reset(std::move(storage));
  }

  json::value Release() { return stack_.release(); }

  /// Of all objects together, as the text has them.
  std::size_t Members() const { return members_; }

  /// The key that came twice, if that is why the parser stopped; null otherwise.
  const std::string* Duplicate() const { return duplicate_ ? &*duplicate_ : nullptr; }

  // NOLINTBEGIN(readability-identifier-naming)
  bool on_document_begin(Failure&) { return true; }
  bool on_document_end(Failure&) { return true; }
  bool on_object_begin(Failure&) {
    if (compare_) {
      starts_.push_back(keys_.size());
    }
    return true;
  }
  bool on_object_end(std::size_t count, Failure& failure) {
    stack_.push_object(count);
    members_ += count;
    return !compare_ || CloseObject(failure);
  }
  bool on_array_begin(Failure&) { return true; }
  bool on_array_end(std::size_t count, Failure&) {
    stack_.push_array(count);
    return true;
  }
  bool on_key_part(json::string_view part, std::size_t, Failure&) {
    if (compare_) {
      partial_key_ += std::string_view(part);
    }
    stack_.push_chars(part);
    return true;
  }
  bool on_key(json::string_view part, std::size_t, Failure&) {
    if (compare_) {
      partial_key_ += std::string_view(part);
      keys_.push_back(std::exchange(partial_key_, {}));
    }
    stack_.push_key(part);
    return true;
  }
  bool on_string_part(json::string_view part, std::size_t, Failure&) {
    stack_.push_chars(part);
    return true;
  }
  bool on_string(json::string_view part, std::size_t, Failure&) {
    stack_.push_string(part);
    return true;
  }
  bool on_number_part(json::string_view, Failure&) { return true; }
  bool on_int64(std::int64_t number, json::string_view, Failure&) {
    stack_.push_int64(number);
    return true;
  }
  bool on_uint64(std::uint64_t number, json::string_view, Failure&) {
    stack_.push_uint64(number);
    return true;
  }
  bool on_double(double rough, json::string_view text, Failure&) {
    stack_.push_double(Exact(rough, text));
    return true;
  }
  bool on_bool(bool truth, Failure&) {
    stack_.push_bool(truth);
    return true;
  }
  bool on_null(Failure&) {
    stack_.push_null();
    return true;
  }
  bool on_comment_part(json::string_view, Failure&) { return true; }
  bool on_comment(json::string_view, Failure&) { return true; }
  // NOLINTEND(readability-identifier-naming)

 private:
  /// Boost.JSON 1.81 may miss the nearest double by one step; from_chars does not.
  static double Exact(double rough, std::string_view text) {
    double exact = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), exact);
    return failed == std::errc() && end == text.data() + text.size() ? exact : rough;
  }

  bool CloseObject(Failure& failure) {
    const auto first = keys_.begin() + static_cast<std::ptrdiff_t>(starts_.back());
    starts_.pop_back();
    std::sort(first, keys_.end());
    const auto twice = std::adjacent_find(first, keys_.end());
    if (twice != keys_.end()) {
      duplicate_ = *twice;
      failure = make_error_code(boost::system::errc::invalid_argument);
      return false;
    }
    keys_.erase(first, keys_.end());
    return true;
  }

  const bool compare_;
  json::value_stack stack_;
  std::size_t members_ = 0;
  std::vector<std::string> keys_;    // Of all objects that are open, outermost first.
  std::vector<std::size_t> starts_;  // Where in keys_ each open object begins.
  std::string partial_key_;
  std::optional<std::string> duplicate_;
};

std::string Quoted(std::string_view name) {
  const std::string_view shown = TruncateUtf8(name, kQuotedBytesMax);
  return std::string(shown) + (shown.size() < name.size() ? "..." : "");
}

std::unexpected<Error> FailAt(std::string_view text, std::size_t offset, std::string_view problem) {
  const std::string_view before = text.substr(0, offset);
  const auto line = std::ranges::count(before, '\n') + 1;
  const std::size_t column = offset - (before.find_last_of('\n') + 1) + 1;
  return Fail(ErrorCode::kInvalidArgument, "line " + std::to_string(line) + ", column " +
                                               std::to_string(column) + ": " +
                                               std::string(problem));
}

/// RFC 6901 §3.
std::string Escaped(std::string_view key) {
  std::string escaped;
  for (const char c : key) {
    if (c == '~') {
      escaped += "~0";
    } else if (c == '/') {
      escaped += "~1";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::string Listed(std::span<const std::string_view> names) {
  std::string list;
  for (const std::string_view name : names) {
    list.append(list.empty() ? "" : ", ").append(name);
  }
  return list;
}

std::unexpected<ReadFault> Expected(std::string_view what) {
  return std::unexpected(ReadFault{.path = {}, .problem = "expected " + std::string(what)});
}

struct Built {
  json::value value;
  std::size_t members = 0;
};

Result<Built> Build(std::string_view text, Keys keys) {
  json::parse_options options;
  options.max_depth = kJsonDepthMax;
  json::basic_parser<Builder> parser(options,
                                     json::make_shared_resource<json::monotonic_resource>(), keys);
  boost::system::error_code failure;
  const std::size_t read = parser.write_some(false, text.data(), text.size(), failure);
  if (const std::string* key = parser.handler().Duplicate()) {
    return FailAt(text, read, "the member " + Quoted(*key) + " comes twice in one object");
  }
  if (failure) {
    return FailAt(text, read, failure.message());
  }
  if (read < text.size()) {
    return FailAt(text, read, "text after the end of the document");
  }
  const std::size_t members = parser.handler().Members();
  return Built{.value = parser.handler().Release(), .members = members};
}

/// Of all objects in it. No deeper than kJsonDepthMax.
std::size_t CountMembers(const json::value& value) {
  std::size_t count = 0;
  if (const json::object* object = value.if_object()) {
    count = object->size();
    for (const auto& [name, member] : *object) {
      count += CountMembers(member);
    }
  } else if (const json::array* array = value.if_array()) {
    for (const json::value& element : *array) {
      count += CountMembers(element);
    }
  }
  return count;
}

}  // namespace

Result<boost::json::value> ParseJson(std::string_view text) {
  ASSIGN_OR_RETURN(Built built, Build(text, Keys::kCount));
  if (CountMembers(built.value) < built.members) {
    ASSIGN_OR_RETURN(built, Build(text, Keys::kCompare));
  }
  return std::move(built.value);
}

namespace json_read_internal {

ReadOutcome Fault(std::string problem) {
  return std::unexpected(ReadFault{.path = {}, .problem = std::move(problem)});
}

ReadFault Under(std::string_view key, ReadFault fault) {
  fault.path.insert(0, "/" + Escaped(Quoted(key)));
  return fault;
}

ReadFault Under(std::size_t index, ReadFault fault) {
  fault.path.insert(0, "/" + std::to_string(index));
  return fault;
}

std::unexpected<Error> ToError(const ReadFault& fault) {
  return Fail(ErrorCode::kInvalidArgument,
              fault.path.empty() ? fault.problem : fault.path + ": " + fault.problem);
}

ReadOutcome ReadBool(const json::value& json, bool& out) {
  if (!json.is_bool()) {
    return Expected("boolean");
  }
  out = json.get_bool();
  return {};
}

ReadOutcome ReadDouble(const json::value& json, double& out) {
  if (!json.is_number()) {
    return Expected("number");
  }
  const auto number = json.to_number<double>();
  if (!std::isfinite(number)) {
    return Fault("the number is out of range");
  }
  out = number;
  return {};
}

std::expected<WideInteger, ReadFault> ReadInteger(const json::value& json) {
  if (const std::int64_t* number = json.if_int64()) {
    return WideInteger{.negative = *number < 0,
                       .as_signed = *number,
                       .as_unsigned = static_cast<std::uint64_t>(*number)};
  }
  if (const std::uint64_t* number = json.if_uint64()) {
    return WideInteger{.negative = false, .as_signed = 0, .as_unsigned = *number};
  }
  return Expected("integer");
}

std::expected<std::string_view, ReadFault> ReadText(const json::value& json) {
  const json::string* text = json.if_string();
  if (text == nullptr) {
    return Expected("string");
  }
  return std::string_view(text->data(), text->size());
}

std::expected<const json::array*, ReadFault> ReadArray(const json::value& json) {
  const json::array* array = json.if_array();
  if (array == nullptr) {
    return Expected("array");
  }
  return array;
}

std::expected<const json::object*, ReadFault> ReadObject(const json::value& json) {
  const json::object* object = json.if_object();
  if (object == nullptr) {
    return Expected("object");
  }
  return object;
}

const json::value* Find(const json::object& object, std::string_view name) {
  return object.if_contains(name);
}

ReadOutcome RefuseUnknown(const json::object& object, std::span<const std::string_view> known) {
  for (const json::key_value_pair& member : object) {
    const std::string_view key = member.key();
    if (std::ranges::find(known, key) == known.end()) {
      return std::unexpected(Under(key, {.path = {}, .problem = "unknown member"}));
    }
  }
  return {};
}

ReadOutcome RefuseMissing(std::string_view name) {
  return std::unexpected(Under(name, {.path = {}, .problem = "missing"}));
}

ReadOutcome RefuseName(std::span<const std::string_view> known) {
  return Expected("one of: " + Listed(known));
}

}  // namespace json_read_internal
}  // namespace atrium
