// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "base/uuid.h"

#include <algorithm>

#include "base/hex.h"

namespace atrium {
namespace {

constexpr std::array<std::size_t, 4> kHyphens = {8, 13, 18, 23};
constexpr std::size_t kTextSize = 36;

std::unexpected<Error> NotAUuid() {
  return Fail(ErrorCode::kInvalidArgument,
              "expected a UUID like 0190163d-8694-739b-aea5-966c26f8ad91");
}

}  // namespace

Result<Uuid> Uuid::Parse(std::string_view text) {
  if (text.size() != kTextSize ||
      !std::ranges::all_of(kHyphens, [&](std::size_t at) { return text[at] == '-'; })) {
    return NotAUuid();
  }
  std::string digits(text);
  std::erase(digits, '-');
  const Result<std::string> bytes = DecodeHex(digits);
  Uuid uuid;
  if (!bytes || bytes->size() != uuid.bytes.size()) {
    return NotAUuid();
  }
  std::ranges::copy(AsBytes(*bytes), uuid.bytes.begin());
  return uuid;
}

std::string Uuid::Render() const {
  std::string text = EncodeHex(bytes);
  for (const std::size_t at : kHyphens) {
    text.insert(at, 1, '-');
  }
  return text;
}

}  // namespace atrium
