// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "store/write_set.h"

#include "store/key_bytes.h"

namespace atrium::store {

std::string SequenceKey(std::uint64_t number) {
  return KeyBytes().Number(number).Take();
}

std::uint64_t SequenceOf(std::string_view sort) {
  KeyReader reader(sort);
  const std::uint64_t number = reader.Number();
  return reader.Done() ? number : 0;
}

}  // namespace atrium::store
