// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "store/key_bytes.h"

#include <array>
#include <cstddef>

namespace atrium::store {
namespace {

constexpr char kEscape = '\0';
constexpr char kEscapedZero = '\xFF';
constexpr char kEndOfText = '\x01';
constexpr std::uint64_t kSignBit = std::uint64_t{1} << 63;

std::uint64_t Ordered(Instant time) {
  return static_cast<std::uint64_t>(time.time_since_epoch().count()) ^ kSignBit;
}

Instant FromOrdered(std::uint64_t ordered) {
  return Instant(std::chrono::milliseconds(static_cast<std::int64_t>(ordered ^ kSignBit)));
}

}  // namespace

KeyBytes& KeyBytes::Text(std::string_view text) {
  bytes_.reserve(bytes_.size() + text.size() + 2);
  for (const char byte : text) {
    bytes_ += byte;
    if (byte == kEscape) {
      bytes_ += kEscapedZero;
    }
  }
  bytes_ += kEscape;
  bytes_ += kEndOfText;
  return *this;
}

KeyBytes& KeyBytes::Number(std::uint64_t number) {
  std::array<char, 8> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<char>(number >> (56 - 8 * i));
  }
  bytes_.append(bytes.data(), bytes.size());
  return *this;
}

KeyBytes& KeyBytes::Time(Instant time) {
  return Number(Ordered(time));
}

KeyBytes& KeyBytes::Descending(std::uint64_t number) {
  return Number(~number);
}

KeyBytes& KeyBytes::Descending(Instant time) {
  return Number(~Ordered(time));
}

KeyBytes& KeyBytes::Raw(std::string_view bytes) {
  bytes_ += bytes;
  return *this;
}

std::string KeyReader::Text() {
  std::string text;
  for (std::size_t i = 0; i + 1 < rest_.size(); ++i) {
    if (rest_[i] != kEscape) {
      text += rest_[i];
      continue;
    }
    const char next = rest_[++i];
    if (next == kEndOfText) {
      rest_.remove_prefix(i + 1);
      return text;
    }
    if (next != kEscapedZero) {
      break;
    }
    text += kEscape;
  }
  failed_ = true;
  rest_ = {};
  return {};
}

std::uint64_t KeyReader::Number() {
  if (rest_.size() < 8) {
    failed_ = true;
    rest_ = {};
    return 0;
  }
  std::uint64_t number = 0;
  for (const char byte : rest_.substr(0, 8)) {
    number = number << 8 | static_cast<unsigned char>(byte);
  }
  rest_.remove_prefix(8);
  return number;
}

Instant KeyReader::Time() {
  const std::uint64_t ordered = Number();
  return failed_ ? Instant() : FromOrdered(ordered);
}

std::uint64_t KeyReader::DescendingNumber() {
  const std::uint64_t flipped = Number();
  return failed_ ? 0 : ~flipped;
}

Instant KeyReader::DescendingTime() {
  const std::uint64_t flipped = Number();
  return failed_ ? Instant() : FromOrdered(~flipped);
}

std::string_view KeyReader::Rest() {
  return std::exchange(rest_, {});
}

std::string PrefixEnd(std::string_view prefix) {
  std::string end(prefix);
  while (!end.empty() && end.back() == '\xFF') {
    end.pop_back();
  }
  if (!end.empty()) {
    ++end.back();
  }
  return end;
}

}  // namespace atrium::store
