// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "base/clock.h"

namespace atrium::store {

/// How sure an answer must be. A cluster maps each class to a consistency level of its
/// configuration; embedded engines are always as sure as can be, and ignore it.
enum class Consistency : std::uint8_t {
  kDefault,
  kReads,     ///< A listing that may be a moment old.
  kWrites,    ///< A write, or a read just before one.
  kCritical,  ///< Decides about access or money.
};

/// What one request has asked of the store so far; budgets in tests are asserted on it. Used by
/// one thread at a time.
struct Tally {
  std::uint32_t gets = 0;
  std::uint32_t scans = 0;
  std::uint32_t commits = 0;
  std::uint32_t walks = 0;

  friend bool operator==(const Tally&, const Tally&) = default;
};

class OnceOnly;

/// On whose behalf and under which terms the store is asked. First in each call; what it points
/// to outlives the call.
struct OpContext {
  /// Once past, nothing is begun any more: kDeadlineExceeded. A commit that was begun and cannot
  /// be waited for any longer is kOutcomeUnknown.
  SteadyInstant deadline = SteadyInstant::max();
  /// The id of the request, for logs.
  std::string_view trace{};
  /// The organisation, for metering and for logs.
  std::string_view tenant{};
  Consistency consistency = Consistency::kDefault;
  Tally* tally = nullptr;
  /// Set when the client named its request with an idempotency key: see once_only.h.
  OnceOnly* once = nullptr;
};

}  // namespace atrium::store
