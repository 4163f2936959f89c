// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/instant.h"

namespace atrium::store {

/// Builds one part of a key out of values, so that bytewise order is the order of the values, one
/// after the other:
///
///   KeyBytes().Text(calendar).Time(start).Text(id).Take()
///
/// Layout, in docs/formats/keys.md:
///   Text        the bytes, each 00 written as 00 FF, then 00 01
///   Number      8 bytes, big-endian
///   Time        milliseconds since 1970 with the sign bit flipped, 8 bytes, big-endian
///   Descending  as Time or Number, every bit flipped
///   Raw         the bytes alone: only for the last value, or for one of fixed length
class KeyBytes {
 public:
  KeyBytes& Text(std::string_view text);
  KeyBytes& Number(std::uint64_t number);
  KeyBytes& Time(Instant time);
  KeyBytes& Descending(std::uint64_t number);
  KeyBytes& Descending(Instant time);
  KeyBytes& Raw(std::string_view bytes);

  std::string Take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// Takes a key apart again, in the order in which it was built. What does not fit sets Failed() and
/// answers empty values from then on.
class KeyReader {
 public:
  explicit KeyReader(std::string_view bytes) : rest_(bytes) {}

  std::string Text();
  std::uint64_t Number();
  Instant Time();
  std::uint64_t DescendingNumber();
  Instant DescendingTime();
  std::string_view Rest();

  bool Failed() const { return failed_; }
  /// Everything fitted, and nothing is left.
  bool Done() const { return !failed_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool failed_ = false;
};

/// The first key behind all keys that begin with `prefix`; empty when there is none.
std::string PrefixEnd(std::string_view prefix);

}  // namespace atrium::store
