// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/memory_ledger.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/instant.h"
#include "base/result.h"
#include "jobs/ledger.h"

namespace atrium::jobs {
namespace {

FinishedRun Abandoned(const ActiveRun& active) {
  // The lease ran out at the latest sign of life plus its duration; more is not known.
  const Instant seen_last = active.lease.renewed_at + active.lease.duration;
  return {.server = active.lease.server,
          .attempt = active.attempt,
          .started = active.started,
          .duration = seen_last - active.started,
          .outcome = Outcome::kAbandoned,
          .error = "the server that ran it vanished"};
}

std::unexpected<Error> LeaseLost(const Lease& lease) {
  return Fail(ErrorCode::kConflict, "the lease of job " + lease.job + " is lost");
}

}  // namespace

Result<JobState> MemoryLedger::Read(const std::string& job) {
  const std::scoped_lock lock(mutex_);
  const auto found = books_.find(job);
  return found == books_.end() ? JobState() : found->second.state;
}

Result<std::optional<Lease>> MemoryLedger::Acquire(const AcquireRequest& request) {
  const std::scoped_lock lock(mutex_);
  Book& book = books_[request.job];
  JobState& state = book.state;
  if (state.revision != request.revision ||
      (state.active && IsLive(state.active->lease, request.now))) {
    return std::nullopt;
  }
  if (state.active) {
    Close(book, Abandoned(*state.active));
  }
  Lease lease{.job = request.job,
              .server = request.server,
              .token = ++last_token_,
              .renewed_at = request.now,
              .duration = request.duration};
  state.active = ActiveRun{.lease = lease, .started = request.now, .attempt = request.attempt};
  state.retry_at.reset();
  ++state.revision;
  return lease;
}

Result<void> MemoryLedger::Renew(const Lease& lease, Instant now) {
  const std::scoped_lock lock(mutex_);
  std::optional<ActiveRun>& active = books_[lease.job].state.active;
  if (!active || active->lease.token != lease.token) {
    return LeaseLost(lease);
  }
  active->lease.renewed_at = now;
  return {};
}

Result<void> MemoryLedger::Finish(const Lease& lease, const FinishRequest& finish) {
  const std::scoped_lock lock(mutex_);
  Book& book = books_[lease.job];
  if (!book.state.active || book.state.active->lease.token != lease.token) {
    return LeaseLost(lease);
  }
  Close(book, finish.run);
  book.state.retry_at = finish.retry_at;
  ++book.state.revision;
  return {};
}

Result<std::vector<FinishedRun>> MemoryLedger::History(const std::string& job, std::size_t limit) {
  const std::scoped_lock lock(mutex_);
  const std::deque<FinishedRun>& history = books_[job].history;
  const std::size_t count = std::min(limit, history.size());
  return std::vector<FinishedRun>(history.begin(),
                                  history.begin() + static_cast<std::ptrdiff_t>(count));
}

void MemoryLedger::Close(Book& book, const FinishedRun& run) {
  book.state.active.reset();
  book.state.last_run = run;
  book.history.push_front(run);
  if (book.history.size() > kRunsKept) {
    book.history.pop_back();
  }
}

}  // namespace atrium::jobs
