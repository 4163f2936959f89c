// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/library_lock.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace atrium::files {
namespace {

struct HexField {
  std::string_view name;
  std::string_view text;
  std::size_t digits;
};

bool IsLowerHex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

Result<void> CheckHex(const HexField& field) {
  if (field.text.size() != field.digits || !std::ranges::all_of(field.text, IsLowerHex)) {
    return Fail(ErrorCode::kInvalidArgument,
                std::string(field.name)
                    .append(": expected " + std::to_string(field.digits))
                    .append(" hexadecimal digits in lower case"));
  }
  return {};
}

}  // namespace

Result<void> CheckLibraryLock(const LibraryLock& lock) {
  if (lock.version < 2 || lock.version > 4) {
    return Fail(ErrorCode::kInvalidArgument, "enc_version: expected 2, 3 or 4");
  }
  RETURN_IF_ERROR(CheckHex({.name = "magic", .text = lock.magic, .digits = 64}));
  RETURN_IF_ERROR(CheckHex({.name = "random_key", .text = lock.random_key, .digits = 96}));
  const std::size_t salt_digits = lock.version >= 3 ? 64 : 0;
  return CheckHex({.name = "salt", .text = lock.salt, .digits = salt_digits});
}

}  // namespace atrium::files
