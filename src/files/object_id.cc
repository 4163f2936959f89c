// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/object_id.h"

#include <array>
#include <cstdint>

#include "base/hex.h"

namespace atrium::files {
namespace {

constexpr std::uint8_t kNoDigit = 0xff;

constexpr std::array<std::uint8_t, 256> kDigitValues = [] {
  std::array<std::uint8_t, 256> values{};
  values.fill(kNoDigit);
  for (std::size_t i = 0; i < 10; ++i) {
    values['0' + i] = static_cast<std::uint8_t>(i);
  }
  for (std::size_t i = 0; i < 6; ++i) {
    values['a' + i] = static_cast<std::uint8_t>(10 + i);
  }
  return values;
}();

std::uint8_t DigitValue(char c) {
  return kDigitValues[static_cast<unsigned char>(c)];
}

std::unexpected<Error> NotAnId() {
  return Fail(ErrorCode::kInvalidArgument, "an id is 40 hexadecimal digits in lower case");
}

}  // namespace

Result<Sha1Id> Sha1Id::Parse(std::string_view text) {
  if (text.size() != kTextLength) {
    return NotAnId();
  }
  Sha1Id id;
  std::uint8_t seen = 0;
  for (std::size_t i = 0; i < id.bytes.size(); ++i) {
    const std::uint8_t high = DigitValue(text[2 * i]);
    const std::uint8_t low = DigitValue(text[2 * i + 1]);
    // Only kNoDigit has bits above the lowest four.
    seen = static_cast<std::uint8_t>(seen | high | low);
    id.bytes[i] = static_cast<std::byte>(high << 4 | low);
  }
  if (seen > 0xf) {
    return NotAnId();
  }
  return id;
}

std::string Sha1Id::Render() const {
  return EncodeHex(bytes);
}

void Sha1Id::AppendTo(std::string& out) const {
  constexpr std::string_view kDigits = "0123456789abcdef";
  for (const std::byte byte : bytes) {
    out += kDigits[std::to_integer<std::size_t>(byte >> 4)];
    out += kDigits[std::to_integer<std::size_t>(byte & std::byte{0x0f})];
  }
}

ObjectId ObjectIdOf(std::string_view text) {
  return ObjectId(Sha1Id{.bytes = Sha1Of(text)});
}

BlockId BlockIdOf(std::string_view bytes) {
  return BlockId(Sha1Id{.bytes = Sha1Of(bytes)});
}

}  // namespace atrium::files
