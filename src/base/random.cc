// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "base/random.h"

#include <openssl/rand.h>

#include <vector>

#include "base/base64.h"
#include "base/check.h"

namespace atrium {

void FillRandom(std::span<std::byte> bytes) {
  auto* out = reinterpret_cast<unsigned char*>(bytes.data());
  Check(RAND_bytes_ex(nullptr, out, bytes.size(), 0) == 1, "the random generator works");
}

std::string RandomToken(std::size_t bytes) {
  std::vector<std::byte> random(bytes);
  FillRandom(random);
  return EncodeBase64Url(random);
}

}  // namespace atrium
