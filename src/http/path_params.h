// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "base/strong_id.h"
#include "base/ulid.h"
#include "base/uuid.h"

namespace atrium::http {

/// The last parameter of a path that ends in {name...}: what follows, slashes included.
struct RestOfPath {
  std::string text;
};

/// A parameter that lets its holder in, such as the token of a feed: never written to the log.
struct SecretSegment {
  std::string text;
};

/// How a type is read from one decoded path segment, and how the API document calls it.
template <typename T>
struct PathParam;

template <>
struct PathParam<std::string> {
  static constexpr std::string_view kSchema = R"({"type":"string"})";
  static std::optional<std::string> Parse(std::string_view text) { return std::string(text); }
};

template <>
struct PathParam<RestOfPath> {
  static constexpr std::string_view kSchema = R"({"type":"string","format":"path"})";
  static std::optional<RestOfPath> Parse(std::string_view text) {
    return RestOfPath{std::string(text)};
  }
};

template <>
struct PathParam<SecretSegment> {
  static constexpr std::string_view kSchema = R"({"type":"string","format":"password"})";
  static std::optional<SecretSegment> Parse(std::string_view text) {
    return SecretSegment{std::string(text)};
  }
};

template <std::unsigned_integral T>
struct PathParam<T> {
  static constexpr std::string_view kSchema = R"({"type":"integer","minimum":0})";
  static std::optional<T> Parse(std::string_view text) {
    T number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size()) {
      return std::nullopt;
    }
    return number;
  }
};

template <>
struct PathParam<Uuid> {
  static constexpr std::string_view kSchema = R"({"type":"string","format":"uuid"})";
  static std::optional<Uuid> Parse(std::string_view text) {
    const Result<Uuid> uuid = Uuid::Parse(text);
    return uuid ? std::optional(*uuid) : std::nullopt;
  }
};

template <>
struct PathParam<Ulid> {
  static constexpr std::string_view kSchema = R"({"type":"string","format":"ulid"})";
  static std::optional<Ulid> Parse(std::string_view text) {
    const Result<Ulid> ulid = Ulid::Parse(text);
    return ulid ? std::optional(*ulid) : std::nullopt;
  }
};

template <typename Tag, typename Rep>
struct PathParam<StrongId<Tag, Rep>> {
  static constexpr std::string_view kSchema = PathParam<Rep>::kSchema;
  static std::optional<StrongId<Tag, Rep>> Parse(std::string_view text) {
    const std::optional<Rep> rep = PathParam<Rep>::Parse(text);
    return rep ? std::optional(StrongId<Tag, Rep>(*rep)) : std::nullopt;
  }
};

}  // namespace atrium::http
