// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace atrium {

/// A representation that has a strict text form of its own, as Uuid and Ulid have.
template <typename Rep>
concept HasTextForm = requires(const Rep& rep, std::string_view text) {
  { Rep::Parse(text) } -> std::same_as<Result<Rep>>;
  { rep.Render() } -> std::same_as<std::string>;
};

/// An id of one kind of thing, which the compiler keeps apart from the ids of all other kinds:
///
///   using CalendarId = StrongId<struct CalendarTag, Uuid>;
///
/// Two ids compare and hash as their representations do. Starts as the representation's own start:
/// nil, or empty.
template <typename Tag, typename Rep = std::string>
class StrongId {
 public:
  StrongId() = default;
  explicit StrongId(Rep value) : value_(std::move(value)) {}

  /// Reads the text form of the representation. A string has no form to check: construct it.
  static Result<StrongId> Parse(std::string_view text)
    requires HasTextForm<Rep>
  {
    ASSIGN_OR_RETURN(Rep value, Rep::Parse(text));
    return StrongId(std::move(value));
  }

  /// The text form of the representation, or the string itself.
  std::string Render() const
    requires HasTextForm<Rep> || std::same_as<Rep, std::string>
  {
    if constexpr (HasTextForm<Rep>) {
      return value_.Render();
    } else {
      return value_;
    }
  }

  const Rep& value() const { return value_; }

  friend auto operator<=>(const StrongId&, const StrongId&) = default;

 private:
  Rep value_{};
};

}  // namespace atrium

template <typename Tag, typename Rep>
struct std::hash<atrium::StrongId<Tag, Rep>> {
  std::size_t operator()(const atrium::StrongId<Tag, Rep>& id) const noexcept {
    return std::hash<Rep>()(id.value());
  }
};
