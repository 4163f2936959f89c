// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/result.h"

namespace atrium {

/// A moment in UTC, to the millisecond.
using Instant = std::chrono::time_point<std::chrono::system_clock, std::chrono::milliseconds>;

/// RFC 3339 in UTC, always 24 characters: "2026-11-15T22:34:00.123Z", so that text order is time
/// order.
///
/// Four digits hold the years 0001 to 9999; an instant outside them renders as the nearer end.
std::string RenderInstant(Instant instant);

/// Reads an RFC 3339 date-time with any offset: "2026-11-15T23:34:00+01:00".
///
/// Digits of the fraction past the millisecond are dropped. Refuses with kInvalidArgument dates
/// that do not exist, moments outside the years 0001 to 9999 (before and after the offset is
/// applied), a missing offset, and the leap second ":60", which Instant cannot express.
Result<Instant> ParseInstant(std::string_view text);

}  // namespace atrium
