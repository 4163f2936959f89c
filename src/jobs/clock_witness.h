// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "jobs/clock_doubt.h"
#include "jobs/job.h"
#include "store/engine.h"

namespace atrium::jobs {

/// Remembers in the store what time it was, so that nothing is erased by its age when the clock of
/// a machine has jumped: jobs that erase by age ask it before each run. Any thread. What it is
/// given outlives it.
class ClockWitness {
 public:
  ClockWitness(store::Engine& engine, const Clock& clock) : engine_(engine), clock_(clock) {}

  /// Looks at the clock and writes down what it says. Answers with what is known now, also when it
  /// could not be written.
  Result<ClockRecord> Look();

  /// Looks, and refuses with kRefusedByState while the time is in doubt, saying what can be done.
  Result<void> CheckTrusted();

  /// Somebody says that the time is right. Answers with it.
  Result<Instant> Trust();

  /// Why jobs that erase by age wait; nullopt: they do not. As of the last look.
  std::optional<std::string> Problem();

 private:
  store::Engine& engine_;
  const Clock& clock_;
  std::mutex mutex_;
  // Guarded by mutex_.
  /// Of the last look that was written down.
  std::optional<SteadyInstant> looked_at_;
  ClockRecord latest_;
};

/// The time that is believed by somebody who has just started. Writes nothing.
Result<Instant> ReadBelievedTime(store::Engine& engine, const Clock& clock);

/// Has it look each minute, and tells `horizon` the time that is believed.
JobSpec MakeClockJob(ClockWitness& witness, std::function<void(Instant)> horizon);

}  // namespace atrium::jobs
