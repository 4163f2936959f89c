// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace atrium::app {

/// A value as text, before a kind has read it or after it has rendered it.
struct ConfigValue {
  enum class Shape : std::uint8_t { kScalar, kList };

  Shape shape = Shape::kScalar;
  /// Exactly one for a scalar.
  std::vector<std::string> items;
};

// A kind is a type of value with its bounds. Each has
//   Type        what it yields,
//   Parse       text to value; nullopt for anything but what Expectation() describes,
//   Render      value to text that Parse reads back as the same value,
//   Expectation the rule in words, to follow "expected ".

/// A whole number in decimal digits.
struct WholeNumber {
  using Type = std::uint64_t;
  Type min = 0;
  Type max = 0;

  std::optional<Type> Parse(std::string_view text) const;
  std::string Render(Type value) const;
  std::string Expectation() const;
};

/// A decimal number such as 2000 or 0.5; never an infinity.
struct DecimalNumber {
  using Type = double;
  Type min = 0;
  Type max = 0;

  std::optional<Type> Parse(std::string_view text) const;
  std::string Render(Type value) const;
  std::string Expectation() const;
};

/// A whole number with one of the units ms, s, m, h, d. The unit is never optional: "30" has been
/// read as seconds and as milliseconds by too many programs.
struct Duration {
  using Type = std::chrono::milliseconds;
  Type min{};
  Type max{};

  std::optional<Type> Parse(std::string_view text) const;
  std::string Render(Type value) const;
  std::string Expectation() const;
};

/// A whole number of bytes, optionally with a unit: B; kB, KB, MB, GB, TB in powers of 1000;
/// KiB, MiB, GiB, TiB in powers of 1024.
struct ByteSize {
  using Type = std::uint64_t;
  Type min = 0;
  Type max = 0;

  std::optional<Type> Parse(std::string_view text) const;
  std::string Render(Type value) const;
  std::string Expectation() const;
};

/// on or off; true and false are understood.
struct Switch {
  using Type = bool;

  std::optional<Type> Parse(std::string_view text) const;
  std::string Render(Type value) const;
  std::string Expectation() const;
};

/// One of a few words.
template <typename Enum>
struct Choice {
  using Type = Enum;
  std::vector<std::pair<std::string_view, Enum>> words;

  std::optional<Type> Parse(std::string_view text) const {
    for (const auto& [word, value] : words) {
      if (word == text) {
        return value;
      }
    }
    return std::nullopt;
  }

  std::string Render(Type value) const {
    for (const auto& [word, known] : words) {
      if (known == value) {
        return std::string(word);
      }
    }
    return {};
  }

  std::string Expectation() const {
    std::string text = "one of ";
    for (const auto& [word, value] : words) {
      text.append(value == words.front().second ? "" : ", ").append(word);
    }
    return text;
  }
};

/// `text` in double quotes, fit for one line of a message or of YAML: control characters and bytes
/// that are not UTF-8 are escaped. Longer than `length_max` bytes: cut, and marked as cut.
std::string Quoted(std::string_view text, std::size_t length_max);

/// A name as it is when it is made of letters, digits and "_.-/", else quoted and cut.
std::string Printable(std::string_view name);

}  // namespace atrium::app
