// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/instant.h"
#include "base/result.h"
#include "jobs/ledger.h"
#include "jobs/records.h"
#include "store/engine.h"
#include "store/op_context.h"
#include "store/record.h"
#include "store/write_set.h"

namespace atrium::jobs {

/// A ledger in the store. Each change of a job is one commit within the job's own partition, made
/// only if the state is still the one on which it was decided.
///
/// kCorrupt when what is stored is no state of a job; other failures of the store are kUnavailable.
/// `engine` outlives the ledger.
class StoreLedger final : public Ledger {
 public:
  static constexpr std::uint64_t kRunsKept = 100;

  explicit StoreLedger(store::Engine& engine) : engine_(engine) {}

  Result<JobState> Read(const std::string& job) override;
  Result<std::optional<Lease>> Acquire(const AcquireRequest& request) override;
  Result<void> Renew(const Lease& lease, Instant now) override;
  Result<void> Finish(const Lease& lease, const FinishRequest& finish) override;
  Result<std::vector<FinishedRun>> History(const std::string& job, std::size_t limit) override;

 private:
  using State = store::Stored<StateRecord>;

  /// A state to write instead of the one that was read, and the run that ended by it.
  struct Change {
    State state;
    std::optional<RunRecord> ended{};
  };

  Result<State> Load(const std::string& job);
  Result<void> Write(const std::string& job, const Change& change);
  /// Writes what `decide` makes of the state; asks it again when somebody else was quicker. False
  /// when it wants nothing written.
  template <typename Decide>
  Result<bool> Alter(const std::string& job, const Decide& decide);

  store::Engine& engine_;
};

}  // namespace atrium::jobs
