// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <expected>
#include <type_traits>
#include <utility>

#include "base/error.h"

namespace atrium::http {

/// Inside a catch block: what was thrown, as kInternal. Its words are for the log alone.
Error CaughtError();

/// Calls code of rooms, which answers a Result. What it throws, whatever that is, becomes the
/// error: a bug of ours costs one client an answer, and never the server.
template <typename Call>
std::invoke_result_t<Call> Guarded(Call&& call) {
  try {
    return std::forward<Call>(call)();
  } catch (...) {
    return std::unexpected(CaughtError());
  }
}

}  // namespace atrium::http
