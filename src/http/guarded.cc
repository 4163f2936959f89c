// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/guarded.h"

#include <exception>
#include <string>

#include "base/result.h"

namespace atrium::http {

Error CaughtError() {
  try {
    throw;
  } catch (const std::exception& error) {
    return FailPrivately(ErrorCode::kInternal, std::string("exception: ") + error.what()).error();
  } catch (...) {
    return FailPrivately(ErrorCode::kInternal, "exception of an unknown type").error();
  }
}

}  // namespace atrium::http
