// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/chunker.h"

#include <algorithm>

namespace atrium::files {
namespace {

/// Polynomials over GF(2), of which bit n is the coefficient of x^n.
constexpr std::uint64_t kModulus = 0xbfe6b8a5bf378d83;
constexpr int kDegree = 63;

constexpr std::uint64_t TimesPowerOfX(std::uint64_t polynomial, int power) {
  for (int i = 0; i < power; ++i) {
    polynomial <<= 1;
    if (polynomial >> kDegree != 0) {
      polynomial ^= kModulus;
    }
  }
  return polynomial;
}

using Table = std::array<std::uint32_t, 256>;

/// What a byte adds to the fingerprint after 47 others have followed it.
constexpr Table kLeaving = [] {
  Table table{};
  for (std::uint64_t i = 0; i < table.size(); ++i) {
    table[i] = static_cast<std::uint32_t>(TimesPowerOfX(i, 8 * 47));
  }
  return table;
}();

/// What the reduction of the byte that leaves at the top adds.
constexpr Table kReduction = [] {
  Table table{};
  for (std::uint64_t i = 0; i < table.size(); ++i) {
    table[i] = static_cast<std::uint32_t>(TimesPowerOfX(TimesPowerOfX(i, 8 * 47) >> 55, kDegree));
  }
  return table;
}();

static_assert(kLeaving[0] == 0 && kReduction[0] == 0);
static_assert(kLeaving[1] == 0x420a4013 && kReduction[1] == 0xe5eca819);
static_assert(kLeaving[2] == 0x84148026 && kReduction[2] == 0xcbd95032);
static_assert(kLeaving[128] == 0x284d9b4d && kReduction[128] == 0xdd4d201b);
static_assert(kLeaving[255] == 0x649da906 && kReduction[255] == 0x27a926e5);

/// Both at once: (((f ^ kLeaving[o]) << 8) | b) ^ kReduction[o] is (f << 8) ^ b ^ kStep[o], whose
/// lookup need not wait for f.
constexpr Table kStep = [] {
  Table table{};
  for (std::size_t i = 0; i < table.size(); ++i) {
    table[i] = kLeaving[i] << 8 ^ kReduction[i];
  }
  return table;
}();

constexpr std::uint32_t kMask = (1U << 23) - 1;
constexpr std::uint32_t kCutValue = 0x13;

constexpr std::uint32_t ByteOf(char c) {
  return static_cast<unsigned char>(c);
}

constexpr std::uint32_t Rolled(std::uint32_t fingerprint, char oldest, char next) {
  return fingerprint << 8 ^ ByteOf(next) ^ kStep[ByteOf(oldest)];
}

}  // namespace

Chunker::Cut Chunker::Take(std::string_view piece) {
  std::size_t taken = Skip(piece);
  bool cut = false;
  if (taken > 0 && position_ + taken == kBlockBytesMin) {
    BeginFingerprint(piece.substr(0, taken));
    cut = IsCut();
  }
  const std::size_t room = kBlockBytesMax - position_;
  if (!cut && position_ + taken >= kBlockBytesMin) {
    taken = Roll(piece, taken, std::min(piece.size(), room));
    cut = taken > 0 && (IsCut() || taken == room);
  }
  Remember(piece.substr(0, taken));
  position_ = cut ? 0 : position_ + taken;
  return {.bytes = taken, .ends_block = cut};
}

/// How many bytes come before any cut is possible.
std::size_t Chunker::Skip(std::string_view piece) const {
  return position_ < kBlockBytesMin ? std::min(piece.size(), kBlockBytesMin - position_) : 0;
}

/// The clients' fingerprint begins with four bytes instead of a whole window.
void Chunker::BeginFingerprint(std::string_view taken) {
  fingerprint_ = 0;
  for (std::size_t back = 4; back > 0; --back) {
    const char c =
        taken.size() >= back ? taken[taken.size() - back] : window_[kWindow + taken.size() - back];
    fingerprint_ = fingerprint_ << 8 | ByteOf(c);
  }
}

bool Chunker::IsCut() const {
  return (fingerprint_ & kMask) == kCutValue;
}

/// Goes on until just after a cut, or to `end`.
std::size_t Chunker::Roll(std::string_view piece, std::size_t at, std::size_t end) {
  std::uint32_t fingerprint = fingerprint_;
  bool cut = false;
  for (; !cut && at < std::min(end, kWindow); ++at) {
    fingerprint = Rolled(fingerprint, window_[at], piece[at]);
    cut = (fingerprint & kMask) == kCutValue;
  }
  for (; !cut && at < end; ++at) {
    fingerprint = Rolled(fingerprint, piece[at - kWindow], piece[at]);
    cut = (fingerprint & kMask) == kCutValue;
  }
  fingerprint_ = fingerprint;
  return at;
}

void Chunker::Remember(std::string_view taken) {
  if (taken.size() >= kWindow) {
    std::ranges::copy(taken.substr(taken.size() - kWindow), window_.begin());
    return;
  }
  std::ranges::rotate(window_, window_.begin() + static_cast<std::ptrdiff_t>(taken.size()));
  std::ranges::copy(taken, window_.end() - static_cast<std::ptrdiff_t>(taken.size()));
}

}  // namespace atrium::files
