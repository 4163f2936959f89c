// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/socket.h"

#include "http/grammar.h"
#include "http/headers.h"

namespace atrium::http {

bool OffersProtocol(const Request& request, std::string_view protocol) {
  const std::string list = request.headers.Join("Sec-WebSocket-Protocol");
  std::string_view rest = list;
  while (!rest.empty()) {
    // Unlike most tokens, these have a case (RFC 6455 §4.1).
    if (TakeUntil(rest, ',') == protocol) {
      return true;
    }
  }
  return false;
}

SocketEnd EndFor(const Error& error) {
  const auto end = [&](std::uint16_t code) {
    return SocketEnd{.code = code, .reason = error.client_message};
  };
  switch (error.code) {
    case ErrorCode::kInvalidArgument:
    case ErrorCode::kUnauthenticated:
    case ErrorCode::kPermissionDenied:
    case ErrorCode::kNotFound:
    case ErrorCode::kAlreadyExists:
    case ErrorCode::kConflict:
    case ErrorCode::kRefusedByState:
      return end(kCloseRefused);
    case ErrorCode::kLimitExceeded:
      return end(kCloseTooLong);
    case ErrorCode::kRateLimited:
    case ErrorCode::kUnavailable:
    case ErrorCode::kDeadlineExceeded:
    case ErrorCode::kOutcomeUnknown:
      return end(kCloseTryLater);
    case ErrorCode::kCorrupt:
    case ErrorCode::kInternal:
      return end(kCloseInternal);
  }
  return end(kCloseInternal);
}

}  // namespace atrium::http
