// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <boost/json/value.hpp>
#include <boost/mp11/algorithm.hpp>
#include <boost/mp11/list.hpp>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/instant.h"
#include "base/json_shape.h"
#include "base/result.h"
#include "base/strong_id.h"

namespace atrium {

enum class OnUnknown : std::uint8_t { kRefuse, kIgnore };
enum class OnMissing : std::uint8_t { kRefuse, kKeepDefault };

struct ReadOptions {
  /// Members the struct does not have. Refused by default, since a misspelt one is a mistake; to be
  /// ignored where other people's documents are read.
  OnUnknown unknown = OnUnknown::kRefuse;
  /// Members that are neither optional nor there. kKeepDefault leaves what the struct's own
  /// initialiser says, at every depth: for configuration, and for documents of earlier releases.
  OnMissing missing = OnMissing::kRefuse;
};

/// How deep arrays and objects may nest.
inline constexpr std::size_t kJsonDepthMax = 32;

/// Parses strict JSON: valid UTF-8, one document, no comments, no trailing commas, no member twice
/// in one object, at most kJsonDepthMax deep. Otherwise kInvalidArgument, whose client message says
/// where: "line 2, column 17: syntax error". Numbers with a fraction are read exactly.
Result<boost::json::value> ParseJson(std::string_view text);

/// What is wrong, and where: a JSON pointer (RFC 6901), empty for the whole document.
struct ReadFault {
  std::string path;
  std::string problem;
};
using ReadOutcome = std::expected<void, ReadFault>;

/// How JSON becomes values; the types are those of JsonWriter, and a type with a form of its own
/// specialises this one too:
///
///   template <> struct JsonReader<Colour> {
///     static ReadOutcome Read(const boost::json::value& json, Colour& out, const ReadOptions&
///     options);
///   };
///
/// Nothing is converted: "1" is not 1, 1.0 is not an integer, null is only an empty optional. An
/// optional may be absent or null; optional<optional<T>> tells the two apart (absent is the outer
/// one empty, null the inner one), as a partial update needs it.
template <typename T>
struct JsonReader;

/// Reads a document that is already parsed. kInvalidArgument, whose client message names the place:
/// "/attendees/1/partstat: expected string".
template <std::default_initializable T>
Result<T> FromJsonValue(const boost::json::value& json, const ReadOptions& options = {});

/// Parses, then reads.
template <std::default_initializable T>
Result<T> FromJson(std::string_view text, const ReadOptions& options = {});

namespace json_read_internal {

ReadOutcome Fault(std::string problem);
/// The same fault one level further up.
ReadFault Under(std::string_view key, ReadFault fault);
ReadFault Under(std::size_t index, ReadFault fault);
std::unexpected<Error> ToError(const ReadFault& fault);

ReadOutcome ReadBool(const boost::json::value& json, bool& out);
ReadOutcome ReadDouble(const boost::json::value& json, double& out);
/// Exact for all integers of 64 bits: the sign is kept apart.
struct WideInteger {
  bool negative;
  std::int64_t as_signed;
  std::uint64_t as_unsigned;
};
std::expected<WideInteger, ReadFault> ReadInteger(const boost::json::value& json);
std::expected<std::string_view, ReadFault> ReadText(const boost::json::value& json);
std::expected<const boost::json::array*, ReadFault> ReadArray(const boost::json::value& json);
std::expected<const boost::json::object*, ReadFault> ReadObject(const boost::json::value& json);

const boost::json::value* Find(const boost::json::object& object, std::string_view name);
ReadOutcome RefuseUnknown(const boost::json::object& object,
                          std::span<const std::string_view> known);
ReadOutcome RefuseMissing(std::string_view name);
/// "expected one of: timed_entry, all_day"
ReadOutcome RefuseName(std::span<const std::string_view> known);

/// For types whose text form decides.
template <typename T>
ReadOutcome ReadParsed(const boost::json::value& json, T& out,
                       Result<T> (*parse)(std::string_view)) {
  ASSIGN_OR_RETURN(const std::string_view text, ReadText(json));
  Result<T> parsed = parse(text);
  if (!parsed) {
    return Fault(std::move(parsed).error().client_message);
  }
  out = *std::move(parsed);
  return {};
}

}  // namespace json_read_internal

template <>
struct JsonReader<bool> {
  static ReadOutcome Read(const boost::json::value& json, bool& out, const ReadOptions&) {
    return json_read_internal::ReadBool(json, out);
  }
};

template <json_shape::Integer T>
struct JsonReader<T> {
  static ReadOutcome Read(const boost::json::value& json, T& out, const ReadOptions&) {
    ASSIGN_OR_RETURN(const auto wide, json_read_internal::ReadInteger(json));
    if (wide.negative ? !std::in_range<T>(wide.as_signed) : !std::in_range<T>(wide.as_unsigned)) {
      return json_read_internal::Fault("the number is out of range");
    }
    out = wide.negative ? static_cast<T>(wide.as_signed) : static_cast<T>(wide.as_unsigned);
    return {};
  }
};

template <>
struct JsonReader<double> {
  static ReadOutcome Read(const boost::json::value& json, double& out, const ReadOptions&) {
    return json_read_internal::ReadDouble(json, out);
  }
};

template <>
struct JsonReader<std::string> {
  static ReadOutcome Read(const boost::json::value& json, std::string& out, const ReadOptions&) {
    ASSIGN_OR_RETURN(out, json_read_internal::ReadText(json));
    return {};
  }
};

template <>
struct JsonReader<Instant> {
  static ReadOutcome Read(const boost::json::value& json, Instant& out, const ReadOptions&) {
    return json_read_internal::ReadParsed(json, out, &ParseInstant);
  }
};

/// Uuid and Ulid.
template <HasTextForm T>
  requires(!json_shape::DescribedStruct<T>)
struct JsonReader<T> {
  static ReadOutcome Read(const boost::json::value& json, T& out, const ReadOptions&) {
    return json_read_internal::ReadParsed(json, out, &T::Parse);
  }
};

template <typename Tag, typename Rep>
struct JsonReader<StrongId<Tag, Rep>> {
  static ReadOutcome Read(const boost::json::value& json, StrongId<Tag, Rep>& out,
                          const ReadOptions& options) {
    Rep value{};
    RETURN_IF_ERROR(JsonReader<Rep>::Read(json, value, options));
    out = StrongId<Tag, Rep>(std::move(value));
    return {};
  }
};

template <typename T>
struct JsonReader<std::optional<T>> {
  static ReadOutcome Read(const boost::json::value& json, std::optional<T>& out,
                          const ReadOptions& options) {
    if (json.is_null() && !json_shape::kIsOptional<T>) {
      out.reset();
      return {};
    }
    return JsonReader<T>::Read(json, out.emplace(), options);
  }
};

template <typename T>
struct JsonReader<std::vector<T>> {
  static ReadOutcome Read(const boost::json::value& json, std::vector<T>& out,
                          const ReadOptions& options) {
    ASSIGN_OR_RETURN(const boost::json::array* array, json_read_internal::ReadArray(json));
    out.clear();
    out.reserve(array->size());
    for (const boost::json::value& element : *array) {
      T value{};
      if (ReadOutcome read = JsonReader<T>::Read(element, value, options); !read) {
        return std::unexpected(json_read_internal::Under(out.size(), std::move(read).error()));
      }
      out.push_back(std::move(value));
    }
    return {};
  }
};

template <typename T, typename Compare>
struct JsonReader<std::map<std::string, T, Compare>> {
  static ReadOutcome Read(const boost::json::value& json, std::map<std::string, T, Compare>& out,
                          const ReadOptions& options) {
    ASSIGN_OR_RETURN(const boost::json::object* object, json_read_internal::ReadObject(json));
    out.clear();
    for (const auto& member : *object) {
      const std::string_view key = member.key();
      T value{};
      if (ReadOutcome read = JsonReader<T>::Read(member.value(), value, options); !read) {
        return std::unexpected(json_read_internal::Under(key, std::move(read).error()));
      }
      out.emplace(key, std::move(value));
    }
    return {};
  }
};

template <json_shape::DescribedEnum T>
struct JsonReader<T> {
  static ReadOutcome Read(const boost::json::value& json, T& out, const ReadOptions&) {
    ASSIGN_OR_RETURN(const std::string_view text, json_read_internal::ReadText(json));
    bool found = false;
    boost::mp11::mp_for_each<json_shape::Enumerators<T>>([&](auto enumerator) {
      if (json_shape::EnumeratorName<decltype(enumerator)>::kText.View() == text) {
        out = enumerator.value;
        found = true;
      }
    });
    return found ? ReadOutcome{} : json_read_internal::RefuseName(kNames);
  }

 private:
  static constexpr auto kNames = []<typename... Enumerator>(boost::mp11::mp_list<Enumerator...>) {
    return std::array{json_shape::EnumeratorName<Enumerator>::kText.View()...};
  }(boost::mp11::mp_rename<json_shape::Enumerators<T>, boost::mp11::mp_list>());
};

template <json_shape::DescribedStruct T>
struct JsonReader<T> {
  static ReadOutcome Read(const boost::json::value& json, T& out, const ReadOptions& options) {
    ASSIGN_OR_RETURN(const boost::json::object* object, json_read_internal::ReadObject(json));
    ReadOutcome outcome;
    std::size_t found = 0;
    boost::mp11::mp_for_each<json_shape::Members<T>>([&](auto member) {
      if (!outcome) {
        return;
      }
      constexpr std::string_view kName = json_shape::MemberName<decltype(member)>();
      const boost::json::value* value = json_read_internal::Find(*object, kName);
      if (value != nullptr) {
        ++found;
        outcome = ReadMember(kName, *value, out.*member.pointer, options);
      } else {
        outcome = WithoutMember(kName, out.*member.pointer, options);
      }
    });
    if (outcome && options.unknown == OnUnknown::kRefuse && found != object->size()) {
      return json_read_internal::RefuseUnknown(*object, kNames);
    }
    return outcome;
  }

 private:
  template <typename Member>
  static ReadOutcome ReadMember(std::string_view name, const boost::json::value& json, Member& out,
                                const ReadOptions& options) {
    ReadOutcome read = JsonReader<Member>::Read(json, out, options);
    if (!read) {
      return std::unexpected(json_read_internal::Under(name, std::move(read).error()));
    }
    return read;
  }

  template <typename Member>
  static ReadOutcome WithoutMember(std::string_view name, const Member&,
                                   const ReadOptions& options) {
    if (json_shape::kIsOptional<Member> || options.missing == OnMissing::kKeepDefault) {
      return {};
    }
    return json_read_internal::RefuseMissing(name);
  }

  static constexpr auto kNames = []<typename... Member>(boost::mp11::mp_list<Member...>) {
    return std::array<std::string_view, sizeof...(Member)>{json_shape::MemberName<Member>()...};
  }(boost::mp11::mp_rename<json_shape::Members<T>, boost::mp11::mp_list>());
};

template <std::default_initializable T>
Result<T> FromJsonValue(const boost::json::value& json, const ReadOptions& options) {
  T out{};
  if (const ReadOutcome read = JsonReader<T>::Read(json, out, options); !read) {
    return json_read_internal::ToError(read.error());
  }
  return out;
}

template <std::default_initializable T>
Result<T> FromJson(std::string_view text, const ReadOptions& options) {
  ASSIGN_OR_RETURN(const boost::json::value json, ParseJson(text));
  return FromJsonValue<T>(json, options);
}

}  // namespace atrium
