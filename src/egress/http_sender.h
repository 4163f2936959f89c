// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "egress/message.h"

namespace atrium::egress {

/// What a room needs in order to call another server; Client is the real one, tests bring a fake.
///
/// Blocks until the response is complete. Any HTTP status is a response. Failures are:
/// kInvalidArgument for a request that cannot be sent, kPermissionDenied when the address or a
/// redirect is refused, kDeadlineExceeded when `timeout` ran out or the response came
/// more slowly than `slowest`, kLimitExceeded when the response
/// is too large or redirects too often, kUnavailable when the server cannot be reached, cuts the
/// connection, or fails the verification of its certificate. Messages name the origin, never path,
/// query or headers.
class HttpSender {
 public:
  HttpSender() = default;
  HttpSender(const HttpSender&) = delete;
  HttpSender& operator=(const HttpSender&) = delete;
  virtual ~HttpSender() = default;

  /// Any thread.
  virtual Result<OutgoingResponse> Send(const OutgoingRequest& request) = 0;
};

}  // namespace atrium::egress
