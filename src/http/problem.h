// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string_view>

#include "base/error.h"
#include "http/reply.h"

namespace atrium::http {

/// An RFC 9457 problem document. `detail` is read by people; empty leaves it out.
Reply ProblemReply(int status, std::string_view detail, std::string_view request_id);

/// The problem document for an error: its client message, never its detail. Carries Retry-After
/// where the error advises one.
Reply ErrorReply(const Error& error, std::string_view request_id);

/// Tells the client when to come back.
void AddRetryAfter(Reply& reply, std::chrono::seconds delay);

}  // namespace atrium::http
