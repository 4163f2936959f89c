// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"

#include <cstdlib>

namespace atrium {

std::string_view Name(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
      return "invalid_argument";
    case ErrorCode::kUnauthenticated:
      return "unauthenticated";
    case ErrorCode::kPermissionDenied:
      return "permission_denied";
    case ErrorCode::kNotFound:
      return "not_found";
    case ErrorCode::kAlreadyExists:
      return "already_exists";
    case ErrorCode::kConflict:
      return "conflict";
    case ErrorCode::kRefusedByState:
      return "refused_by_state";
    case ErrorCode::kLimitExceeded:
      return "limit_exceeded";
    case ErrorCode::kRateLimited:
      return "rate_limited";
    case ErrorCode::kUnavailable:
      return "unavailable";
    case ErrorCode::kDeadlineExceeded:
      return "deadline_exceeded";
    case ErrorCode::kOutcomeUnknown:
      return "outcome_unknown";
    case ErrorCode::kCorrupt:
      return "corrupt";
    case ErrorCode::kInternal:
      return "internal";
  }
  std::abort();  // Unreachable: -Wswitch keeps the list above complete.
}

std::string Describe(const Error& error) {
  std::string_view file = error.where.file_name();
  file.remove_prefix(file.find_last_of('/') + 1);
  std::string text(Name(error.code));
  text.append(": ").append(error.detail.empty() ? error.client_message : error.detail);
  text.append(" (").append(file).append(":").append(std::to_string(error.where.line())).append(")");
  return text;
}

}  // namespace atrium
