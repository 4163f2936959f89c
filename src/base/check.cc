// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace atrium {

void CheckFailed(std::string_view expectation, std::source_location where) {
  std::fprintf(stderr, "broken invariant: %.*s (%s:%u)\n", static_cast<int>(expectation.size()),
               expectation.data(), where.file_name(), where.line());
  std::abort();
}

}  // namespace atrium
