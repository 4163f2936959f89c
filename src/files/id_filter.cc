// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/id_filter.h"

#include <atomic>
#include <bit>
#include <cstring>

#include "base/check.h"

namespace atrium::files {
namespace {

constexpr int kProbes = 7;
constexpr std::uint64_t kBitsOfWord = 64;

std::uint64_t WordAt(const void* bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof(word));
  return word;
}

/// Spreads what a seed and an id have in common over all bits (the finalizer of MurmurHash3).
std::uint64_t Mixed(std::uint64_t word) {
  word = (word ^ (word >> 33U)) * 0xff51'afd7'ed55'8ccdULL;
  word = (word ^ (word >> 33U)) * 0xc4ce'b9fe'1a85'ec53ULL;
  return word ^ (word >> 33U);
}

}  // namespace

IdFilter::IdFilter(const Uuid& seed, std::size_t bytes)
    : first_seed_(WordAt(seed.bytes.data())),
      second_seed_(WordAt(seed.bytes.data() + 8)),
      mask_((bytes * 8) - 1),
      words_(static_cast<std::uint64_t*>(
          std::calloc(bytes / sizeof(std::uint64_t), sizeof(std::uint64_t)))) {
  Check(std::has_single_bit(bytes) && bytes >= sizeof(std::uint64_t), "a filter is 2^n bytes");
  Check(words_ != nullptr, "there is memory for a filter");
}

IdFilter::Steps IdFilter::StepsOf(std::string_view id) const {
  Check(id.size() >= 16, "an id is a digest");
  return {.at = Mixed(WordAt(id.data()) ^ first_seed_),
          .stride = Mixed(WordAt(id.data() + 8) ^ second_seed_) | 1U};
}

void IdFilter::Add(std::string_view id) {
  auto [at, stride] = StepsOf(id);
  for (int probe = 0; probe < kProbes; ++probe, at += stride) {
    const std::uint64_t bit = at & mask_;
    std::atomic_ref(words_[bit / kBitsOfWord])
        .fetch_or(std::uint64_t{1} << (bit % kBitsOfWord), std::memory_order_relaxed);
  }
}

bool IdFilter::MayHave(std::string_view id) const {
  auto [at, stride] = StepsOf(id);
  for (int probe = 0; probe < kProbes; ++probe, at += stride) {
    const std::uint64_t bit = at & mask_;
    const std::uint64_t word =
        std::atomic_ref(words_[bit / kBitsOfWord]).load(std::memory_order_relaxed);
    if ((word >> (bit % kBitsOfWord) & 1U) == 0) {
      return false;
    }
  }
  return true;
}

}  // namespace atrium::files
