// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <mutex>

#include "base/clock.h"
#include "base/result.h"
#include "gauges/instruments.h"
#include "gauges/records.h"
#include "jobs/job.h"
#include "store/store.h"

namespace atrium::gauges {

/// What happened between two readings.
struct Growth {
  std::chrono::seconds measured{0};
  /// How much more was counted; what is not counted is as it is now.
  Reading more{};
};

/// The point with what came on top of it.
Point Folded(Point point, const Growth& growth);

/// Writes down what the instruments show. Any thread. What it is given outlives it.
class Recorder {
 public:
  /// What is counted has been counted from now on.
  Recorder(store::Store& store, const Clock& clock, Instruments& instruments);

  /// One reading, in one commit. When it fails, what it would have written comes with the next one;
  /// when nobody knows whether it was written, it is taken for written.
  Result<void> Sample();

 private:
  Result<void> Write(const Growth& growth, Instant now);

  store::Store& store_;
  const Clock& clock_;
  Instruments& instruments_;
  std::mutex mutex_;
  // Guarded by mutex_. Of the last reading that was written.
  Reading last_{};
  SteadyInstant last_at_;
};

/// Samples each minute.
jobs::JobSpec MakeSampleJob(Recorder& recorder);

}  // namespace atrium::gauges
