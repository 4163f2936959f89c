// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "gauges/recorder.h"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/instant.h"
#include "gauges/keys.h"
#include "gauges/resolution.h"
#include "store/batch.h"
#include "store/record.h"

namespace atrium::gauges {
namespace {

constexpr store::OpContext kOp = store::OpContext::ForWork("gauges.sample");

/// Adds what comes to the point of this stretch, or begins one.
Result<void> AddTo(store::Batch& batch, store::Store& store, const Point& empty,
                   const Growth& growth) {
  ASSIGN_OR_RETURN(const std::optional<store::Stored<Point>> found,
                   store::Find(store, kOp, Points(), Points().KeyOf(empty)));
  if (found) {
    batch.Replace(Points(), *found, Folded(found->record, growth));
  } else {
    batch.Create(Points(), Folded(empty, growth));
  }
  return {};
}

/// How much more; a counter that fell has begun anew.
std::uint64_t Increase(std::uint64_t before, std::uint64_t now) {
  return now >= before ? now - before : now;
}

Reading Increase(const Reading& before, const Reading& now) {
  Reading more = now;
  more.requests = Increase(before.requests, now.requests);
  more.errors = Increase(before.errors, now.errors);
  more.bytes_in = Increase(before.bytes_in, now.bytes_in);
  more.bytes_out = Increase(before.bytes_out, now.bytes_out);
  return more;
}

}  // namespace

Point Folded(Point point, const Growth& growth) {
  const Reading& more = growth.more;
  point.seconds += growth.measured.count();
  point.requests += more.requests;
  point.errors += more.errors;
  point.bytes_in += more.bytes_in;
  point.bytes_out += more.bytes_out;
  point.store_bytes = more.store_bytes;
  point.blob_bytes = more.blob_bytes;
  point.users = more.users;
  point.sessions = std::max(point.sessions, more.sessions);
  return point;
}

Recorder::Recorder(store::Store& store, const Clock& clock, Instruments& instruments)
    : store_(store), clock_(clock), instruments_(instruments), last_at_(clock.Steady()) {}

Result<void> Recorder::Sample() {
  const std::scoped_lock lock(mutex_);
  ASSIGN_OR_RETURN(const Reading reading, instruments_.Read());
  // Whole seconds: the rest belongs to the next sample.
  const auto measured =
      std::chrono::duration_cast<std::chrono::seconds>(clock_.Steady() - last_at_);
  const Growth growth{.measured = measured, .more = Increase(last_, reading)};
  const Instant now = clock_.Now();
  const Result<void> written = store::RetryConflicts([&] { return Write(growth, now); });
  if (!written && written.error().code != ErrorCode::kOutcomeUnknown) {
    return written;
  }
  last_ = reading;
  last_at_ += measured;
  return written;
}

Result<void> Recorder::Write(const Growth& growth, Instant now) {
  store::Batch batch;
  for (const Resolution& resolution : kResolutions) {
    const Point empty{.step_s = resolution.step.count(), .at = StretchOf(now, resolution.step)};
    RETURN_IF_ERROR(AddTo(batch, store_, empty, growth));
  }
  RETURN_IF_ERROR(store_.Commit(kOp, std::move(batch)));
  return {};
}

jobs::JobSpec MakeSampleJob(Recorder& recorder) {
  return {.name = "gauges.sample",
          .schedule = jobs::Every{.period = std::chrono::minutes(1)},
          // The next run makes up for one that failed.
          .retry = {.attempts_max = 1},
          .run = [&recorder](jobs::JobContext&) { return recorder.Sample(); }};
}

}  // namespace atrium::gauges
