// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
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
class Warrant;

/// By when an answer is wanted.
class Deadline {
 public:
  /// None.
  constexpr Deadline() = default;
  /// A moment, for all that is asked on behalf of one request.
  // NOLINTNEXTLINE(google-explicit-constructor): a moment is a deadline.
  constexpr Deadline(SteadyInstant at) : at_(at) {}

  /// So long from the moment of each call: for work of many calls, none of which may hang.
  static constexpr Deadline PerCall(std::chrono::milliseconds time) {
    Deadline made;
    made.per_call_ = time;
    return made;
  }

  bool HasPassed(const Clock& clock) const {
    return per_call_ == std::chrono::milliseconds::zero() && at_ != SteadyInstant::max() &&
           clock.Steady() >= at_;
  }

  /// The moment; the end of time where there is none, or it counts from each call.
  constexpr SteadyInstant Moment() const { return at_; }

  /// When a call that begins now has to end.
  SteadyInstant Of(const Clock& clock) const {
    return per_call_ == std::chrono::milliseconds::zero() ? at_ : clock.Steady() + per_call_;
  }

 private:
  SteadyInstant at_ = SteadyInstant::max();
  /// Zero: the moment counts.
  std::chrono::milliseconds per_call_{};
};

/// On whose behalf and under which terms the store is asked. First in each call; what it points
/// to outlives the call.
struct OpContext {
  /// What one call of work in the background may take.
  static constexpr std::chrono::seconds kTimePerCall{30};

  /// For a request: its id, and when its client gives up.
  static constexpr OpContext ForRequest(std::string_view id, SteadyInstant deadline) {
    return {.deadline = deadline, .trace = id};
  }

  /// For whatever no request asked for, under its name: a job, a command, the start of the server.
  static constexpr OpContext ForWork(std::string_view name,
                                     Consistency consistency = Consistency::kDefault) {
    return {.deadline = Deadline::PerCall(kTimePerCall), .trace = name, .consistency = consistency};
  }

  /// Once past, nothing is begun any more: kDeadlineExceeded. A commit that was begun and cannot
  /// be waited for any longer is kOutcomeUnknown.
  Deadline deadline{};
  /// The id of the request, or the name of the work, for logs.
  std::string_view trace{};
  /// The organisation, for metering and for logs.
  std::string_view tenant{};
  Consistency consistency = Consistency::kDefault;
  Tally* tally = nullptr;
  /// Set when the client named its request with an idempotency key: see once_only.h.
  OnceOnly* once = nullptr;
  /// By what right it writes; null for the server's own work. See warrant.h.
  const Warrant* warrant = nullptr;
};

}  // namespace atrium::store
