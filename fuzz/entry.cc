// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <string>

#include "fuzz/fuzzing.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // A copy, so that the sanitizer sees a read past the end even when the fuzzer's buffer goes on.
  const std::string input(data, data + size);
  atrium::fuzz::TryInput(input);
  return 0;
}
