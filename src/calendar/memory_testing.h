// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <malloc.h>

#include <cstddef>
#include <vector>

/// What the process has allocated, for tests of what takes how much.
namespace atrium::calendar::testing {

inline std::size_t AllocatedBytes() {
  const struct mallinfo2 all = ::mallinfo2();
  return all.uordblks + all.hblkhd;
}

/// Whether AllocatedBytes() means anything: with sanitizers it does not.
inline bool DoesAllocatorTell() {
  const std::size_t before = AllocatedBytes();
  const std::vector<char> some(std::size_t{1} << 20, 'x');
  return some.back() == 'x' && AllocatedBytes() > before;
}

}  // namespace atrium::calendar::testing
