// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace atrium::store {

/// What a client was told of its request: kept with the commit when the client named the request.
struct Answer {
  /// As HTTP numbers it.
  int status = 204;
  /// JSON, or empty.
  std::string body{};

  friend bool operator==(const Answer&, const Answer&) = default;
};

}  // namespace atrium::store
