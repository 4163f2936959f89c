// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/mp11/algorithm.hpp>
#include <concepts>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "base/instant.h"
#include "base/json_shape.h"
#include "base/json_text.h"
#include "base/strong_id.h"

namespace atrium {

/// How values become JSON. Known are: bool, integers, double (what is not finite becomes null),
/// strings, enums and structs made known to Boost.Describe, optional, vector, map from string,
/// Instant (RFC 3339), Uuid, Ulid and StrongId. A type with a form of its own specialises this:
///
///   template <> struct JsonWriter<Colour> { static void Append(std::string& out, const Colour&
///   colour); };
///
/// The members of a struct keep their C++ names (or what kJsonNames makes of them) and their order;
/// an empty optional is left out, and is null only inside a vector, a map or another optional.
template <typename T>
struct JsonWriter;

/// Appends `value`. The outcome is always valid JSON in valid UTF-8.
template <typename T>
void AppendJson(std::string& out, const T& value) {
  JsonWriter<T>::Append(out, value);
}

template <typename T>
std::string ToJson(const T& value) {
  std::string out;
  AppendJson(out, value);
  return out;
}

template <>
struct JsonWriter<bool> {
  static void Append(std::string& out, bool value) { out += value ? "true" : "false"; }
};

template <json_shape::Integer T>
struct JsonWriter<T> {
  static void Append(std::string& out, T value) { AppendJsonNumber(out, value); }
};

template <std::floating_point T>
struct JsonWriter<T> {
  static void Append(std::string& out, T value) { AppendJsonNumber(out, value); }
};

template <>
struct JsonWriter<std::string> {
  static void Append(std::string& out, const std::string& value) { AppendJsonString(out, value); }
};

template <>
struct JsonWriter<std::string_view> {
  static void Append(std::string& out, std::string_view value) { AppendJsonString(out, value); }
};

template <>
struct JsonWriter<Instant> {
  static void Append(std::string& out, Instant value) {
    AppendJsonString(out, RenderInstant(value));
  }
};

/// Uuid and Ulid.
template <HasTextForm T>
  requires(!json_shape::DescribedStruct<T>)
struct JsonWriter<T> {
  static void Append(std::string& out, const T& value) { AppendJsonString(out, value.Render()); }
};

template <typename Tag, typename Rep>
struct JsonWriter<StrongId<Tag, Rep>> {
  static void Append(std::string& out, const StrongId<Tag, Rep>& value) {
    AppendJson(out, value.value());
  }
};

template <typename T>
struct JsonWriter<std::optional<T>> {
  static void Append(std::string& out, const std::optional<T>& value) {
    if (value) {
      AppendJson(out, *value);
    } else {
      out += "null";
    }
  }
};

template <typename T>
struct JsonWriter<std::vector<T>> {
  static void Append(std::string& out, const std::vector<T>& values) {
    out += '[';
    bool first = true;
    for (const T& value : values) {
      if (!first) {
        out += ',';
      }
      first = false;
      AppendJson(out, value);
    }
    out += ']';
  }
};

template <typename T, typename Compare>
struct JsonWriter<std::map<std::string, T, Compare>> {
  static void Append(std::string& out, const std::map<std::string, T, Compare>& values) {
    out += '{';
    bool first = true;
    for (const auto& [key, value] : values) {
      if (!first) {
        out += ',';
      }
      first = false;
      AppendJsonString(out, key);
      out += ':';
      AppendJson(out, value);
    }
    out += '}';
  }
};

template <json_shape::DescribedEnum T>
struct JsonWriter<T> {
  static void Append(std::string& out, T value) {
    std::string_view name;
    boost::mp11::mp_for_each<json_shape::Enumerators<T>>([&](auto enumerator) {
      if (enumerator.value == value) {
        name = json_shape::EnumeratorName<decltype(enumerator)>::kText.View();
      }
    });
    Check(!name.empty(), "an enum holds one of its described values");
    out += '"';
    out += name;
    out += '"';
  }
};

template <json_shape::DescribedStruct T>
struct JsonWriter<T> {
  static void Append(std::string& out, const T& value) {
    out += '{';
    const std::size_t start = out.size();
    boost::mp11::mp_for_each<json_shape::Members<T>>([&](auto member) {
      AppendMember(out, start, json_shape::MemberName<decltype(member)>(), value.*member.pointer);
    });
    out += '}';
  }

 private:
  template <typename Member>
  static void AppendMember(std::string& out, std::size_t start, std::string_view name,
                           const Member& member) {
    if constexpr (json_shape::kIsOptional<Member>) {
      if (!member) {
        return;
      }
    }
    // A C++ name has nothing to escape.
    out += out.size() == start ? "\"" : ",\"";
    out += name;
    out += "\":";
    AppendJson(out, member);
  }
};

}  // namespace atrium
