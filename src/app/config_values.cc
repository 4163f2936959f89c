// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/config_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <limits>
#include <span>
#include <system_error>

#include "base/utf8.h"

namespace atrium::app {
namespace {

constexpr std::size_t kPrintableBytesMax = 80;

struct Unit {
  std::string_view name;
  std::uint64_t factor;
};

// Rendering tries them in this order and keeps the shortest text, so an earlier name wins a tie.
constexpr std::array<Unit, 5> kTimeUnits = {{{.name = "d", .factor = 86'400'000},
                                             {.name = "h", .factor = 3'600'000},
                                             {.name = "m", .factor = 60'000},
                                             {.name = "s", .factor = 1000},
                                             {.name = "ms", .factor = 1}}};
constexpr std::array<Unit, 11> kSizeUnits = {{{.name = "TiB", .factor = 1ULL << 40U},
                                              {.name = "GiB", .factor = 1ULL << 30U},
                                              {.name = "MiB", .factor = 1ULL << 20U},
                                              {.name = "KiB", .factor = 1ULL << 10U},
                                              {.name = "TB", .factor = 1'000'000'000'000},
                                              {.name = "GB", .factor = 1'000'000'000},
                                              {.name = "MB", .factor = 1'000'000},
                                              {.name = "kB", .factor = 1000},
                                              {.name = "KB", .factor = 1000},
                                              {.name = "B", .factor = 1},
                                              {.name = "", .factor = 1}}};

std::optional<std::uint64_t> ParseDigits(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc{} || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return number;
}

std::optional<std::uint64_t> ParseWithUnit(std::string_view text, std::span<const Unit> units) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::optional<std::uint64_t> number = ParseDigits(text.substr(0, digits));
  for (const Unit& unit : units) {
    if (unit.name != text.substr(digits)) {
      continue;
    }
    if (!number || *number > std::numeric_limits<std::uint64_t>::max() / unit.factor) {
      return std::nullopt;
    }
    return *number * unit.factor;
  }
  return std::nullopt;
}

std::string RenderWithUnit(std::uint64_t number, std::span<const Unit> units) {
  std::string shortest;
  for (const Unit& unit : units) {
    if (number % unit.factor != 0 || (number == 0 && unit.factor != 1)) {
      continue;
    }
    std::string text = fmt::format("{}{}", number / unit.factor, unit.name);
    if (shortest.empty() || text.size() < shortest.size()) {
      shortest = std::move(text);
    }
  }
  return shortest;
}

}  // namespace

std::optional<std::uint64_t> WholeNumber::Parse(std::string_view text) const {
  const std::optional<std::uint64_t> number = ParseDigits(text);
  return number && *number >= min && *number <= max ? number : std::nullopt;
}

std::string WholeNumber::Render(std::uint64_t value) const {
  return std::to_string(value);
}

std::string WholeNumber::Expectation() const {
  return fmt::format("a whole number from {} to {}", min, max);
}

std::optional<double> DecimalNumber::Parse(std::string_view text) const {
  double number = 0;
  const auto [end, failure] =
      std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  // The negated comparison also refuses "nan".
  if (failure != std::errc{} || end != text.data() + text.size() ||
      !(number >= min && number <= max)) {
    return std::nullopt;
  }
  return number;
}

std::string DecimalNumber::Render(double value) const {
  std::array<char, 400> buffer{};
  const auto [end, failure] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed);
  return failure == std::errc{} ? std::string(buffer.data(), end) : std::string();
}

std::string DecimalNumber::Expectation() const {
  return fmt::format("a number from {} to {}", Render(min), Render(max));
}

std::optional<std::chrono::milliseconds> Duration::Parse(std::string_view text) const {
  const std::optional<std::uint64_t> number = ParseWithUnit(text, kTimeUnits);
  if (!number || *number < static_cast<std::uint64_t>(min.count()) ||
      *number > static_cast<std::uint64_t>(max.count())) {
    return std::nullopt;
  }
  return std::chrono::milliseconds{*number};
}

std::string Duration::Render(std::chrono::milliseconds value) const {
  return RenderWithUnit(static_cast<std::uint64_t>(value.count()), kTimeUnits);
}

std::string Duration::Expectation() const {
  return fmt::format("a duration from {} to {}, with a unit (ms, s, m, h, d)", Render(min),
                     Render(max));
}

std::optional<std::uint64_t> ByteSize::Parse(std::string_view text) const {
  const std::optional<std::uint64_t> number = ParseWithUnit(text, kSizeUnits);
  return number && *number >= min && *number <= max ? number : std::nullopt;
}

std::string ByteSize::Render(std::uint64_t value) const {
  return RenderWithUnit(value, kSizeUnits);
}

std::string ByteSize::Expectation() const {
  return fmt::format("a size from {} to {} (B, KB, MB, GB, KiB, MiB, GiB)", Render(min),
                     Render(max));
}

std::optional<bool> Switch::Parse(std::string_view text) const {
  if (text == "on" || text == "true") {
    return true;
  }
  if (text == "off" || text == "false") {
    return false;
  }
  return std::nullopt;
}

std::string Switch::Render(bool value) const {
  return value ? "on" : "off";
}

std::string Switch::Expectation() const {
  return "on or off";
}

std::string Quoted(std::string_view text, std::size_t length_max) {
  const bool cut = text.size() > length_max;
  text = TruncateUtf8(text, length_max);
  const bool readable = IsValidUtf8(text);
  std::string quoted = "\"";
  for (const char byte : text) {
    const auto value = static_cast<unsigned char>(byte);
    if (value < 0x20 || value == 0x7F || (value >= 0x80 && !readable)) {
      quoted += fmt::format("\\x{:02x}", value);
    } else {
      quoted.append(byte == '"' || byte == '\\' ? "\\" : "").push_back(byte);
    }
  }
  return quoted + (cut ? "...\"" : "\"");
}

std::string Printable(std::string_view name) {
  const bool plain = std::ranges::all_of(name, [](unsigned char letter) {
    return std::isalnum(letter) != 0 ||
           std::string_view("_.-/").contains(static_cast<char>(letter));
  });
  return plain && !name.empty() ? std::string(name) : Quoted(name, kPrintableBytesMax);
}

}  // namespace atrium::app
