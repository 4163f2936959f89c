// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <source_location>
#include <string>
#include <string_view>

namespace atrium {

/// What the caller can do about a failure; never which subsystem it came from.
enum class ErrorCode : std::uint8_t {
  kInvalidArgument,   ///< Wrong whatever the stored state is: fix the request.
  kUnauthenticated,   ///< Who is asking is unknown.
  kPermissionDenied,  ///< Who is asking is known, and may not.
  kNotFound,
  kAlreadyExists,
  kConflict,          ///< An expectation no longer holds: read again, then retry.
  kRefusedByState,    ///< What is stored forbids it: the same call succeeds once that has changed.
  kLimitExceeded,     ///< Quota or size. The same call cannot succeed later.
  kRateLimited,       ///< Too often. The same call succeeds after `retry_after`.
  kUnavailable,       ///< Transient. The same call may succeed later.
  kDeadlineExceeded,  ///< Time ran out. The store has written nothing.
  kOutcomeUnknown,    ///< A write was begun, and whether it happened is not known.
  kCorrupt,           ///< Stored bytes do not decode.
  kInternal,          ///< A bug of ours.
};

/// The name of a code as logs and problem documents spell it: "invalid_argument".
std::string_view Name(ErrorCode code);

/// The one error of the whole tree. Made by Fail() or by the designated initialiser.
struct [[nodiscard]] Error {
  ErrorCode code;
  /// For the log. May name keys and hosts; never sent to a client.
  std::string detail;
  /// For the client. Empty: the edge uses the stock phrase for `code`.
  std::string client_message;
  /// When the same call is worth another try; zero: no advice.
  std::chrono::seconds retry_after{0};
  std::source_location where;
};

/// "conflict: rename calendar: version moved (service.cc:42)", for logs and test failures.
std::string Describe(const Error& error);

}  // namespace atrium
