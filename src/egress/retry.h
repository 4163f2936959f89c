// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "base/clock.h"
#include "egress/message.h"

namespace atrium::egress {

/// By the request's policy and, where that leaves it open, by its method.
bool MayRepeat(const OutgoingRequest& request);

/// 429, 502, 503 and 504: the server asks for patience, or a gateway did not reach it.
bool IsTransientStatus(int status);

/// The wait after failed attempt number `attempt` (from 1): `fraction`, which is in [0, 1), of the
/// doubled-and-capped wait. Spreading over the whole range ("full jitter") keeps many clients that
/// failed together from coming back together.
std::chrono::milliseconds BackoffWait(const RetryPolicy& policy, unsigned attempt, double fraction);

/// Reads Retry-After: a number of seconds or an HTTP date (RFC 9110 §10.2.3). A date that has
/// passed is zero, a wait longer than a year is a year, and nullopt is neither of the two forms.
std::optional<std::chrono::milliseconds> ParseRetryAfter(std::string_view value, Instant now);

}  // namespace atrium::egress
