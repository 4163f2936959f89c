// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "jobs/ledger.h"

namespace atrium::jobs {

/// A ledger for tests and for a server without a store: forgets everything when the process ends.
class MemoryLedger final : public Ledger {
 public:
  static constexpr std::size_t kRunsKept = 100;

  Result<JobState> Read(const std::string& job) override;
  Result<std::optional<Lease>> Acquire(const AcquireRequest& request) override;
  Result<void> Renew(const Lease& lease, Instant now) override;
  Result<void> Finish(const Lease& lease, const FinishRequest& finish) override;
  Result<std::vector<FinishedRun>> History(const std::string& job, std::size_t limit) override;

 private:
  struct Book {
    JobState state;
    /// Newest first.
    std::deque<FinishedRun> history;
  };

  static void Close(Book& book, const FinishedRun& run);

  std::mutex mutex_;
  // Guarded by mutex_.
  std::map<std::string, Book> books_;
  std::uint64_t last_token_ = 0;
};

}  // namespace atrium::jobs
