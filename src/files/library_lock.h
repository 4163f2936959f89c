// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"

namespace atrium::files {

/// What is written down about the password of an encrypted library: enough for a client to check a
/// password and to find the key with it, of no use without. Clients know these as enc_version,
/// magic, random_key and salt.
struct LibraryLock {
  int version = 2;
  /// Tells whether a password is the right one: 64 hexadecimal digits.
  std::string magic{};
  /// What the key of the files is derived from, encrypted with the password: 96 hexadecimal digits.
  std::string random_key{};
  /// 64 hexadecimal digits; empty before version 3, which gave each library a salt of its own.
  std::string salt{};

  friend bool operator==(const LibraryLock&, const LibraryLock&) = default;
};

/// kInvalidArgument, naming the field, for a version other than 2, 3 and 4, and for what has not
/// the length of its version or is not in lower-case hexadecimal digits: clients refuse such a
/// library for good.
Result<void> CheckLibraryLock(const LibraryLock& lock);

}  // namespace atrium::files
