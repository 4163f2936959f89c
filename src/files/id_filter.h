// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "base/uuid.h"

namespace atrium::files {

/// Remembers ids in a fixed amount of memory (a Bloom filter). What was added it always has; of the
/// rest it takes one in a hundred for known when ten bits for each id are there, and others with
/// another seed. Any thread.
class IdFilter {
 public:
  /// Enough for thirteen million ids.
  static constexpr std::size_t kBytes = std::size_t{16} << 20;

  /// `bytes` is a power of two.
  explicit IdFilter(const Uuid& seed, std::size_t bytes = kBytes);

  /// An id is a digest of sixteen bytes at least.
  void Add(std::string_view id);
  bool MayHave(std::string_view id) const;

 private:
  struct Steps {
    std::uint64_t at = 0;
    std::uint64_t stride = 0;
  };
  Steps StepsOf(std::string_view id) const;

  std::uint64_t first_seed_ = 0;
  std::uint64_t second_seed_ = 0;
  std::uint64_t mask_ = 0;
  struct Free {
    void operator()(std::uint64_t* words) const { std::free(words); }
  };
  /// From calloc, so that what no id has touched takes no memory: most libraries are small.
  std::unique_ptr<std::uint64_t[], Free> words_;
};

}  // namespace atrium::files
