// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace atrium {

/// Writes the last `count` digits of `number` from `first` on, with zeros before it. Dates and
/// times are written with every record, which is too often for a format that is read each time.
inline void PutDigits(char* first, std::size_t count, unsigned number) {
  for (std::size_t i = count; i > 0; --i) {
    first[i - 1] = static_cast<char>('0' + number % 10);
    number /= 10;
  }
}

}  // namespace atrium
