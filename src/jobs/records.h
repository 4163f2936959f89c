// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "base/instant.h"
#include "jobs/ledger.h"

namespace atrium::jobs {

BOOST_DESCRIBE_ENUM(Outcome, kSucceeded, kFailed, kStopped, kAbandoned)

/// A FinishedRun as it is stored, and as commands print it.
struct RunRecord {
  std::string server{};
  unsigned attempt = 1;
  Instant started{};
  std::int64_t duration_ms = 0;
  Outcome outcome = Outcome::kSucceeded;
  std::string error{};
  std::string progress{};

  friend bool operator==(const RunRecord&, const RunRecord&) = default;
};
BOOST_DESCRIBE_STRUCT(RunRecord, (),
                      (server, attempt, started, duration_ms, outcome, error, progress))

/// An ActiveRun. The job is named by the key of the row.
struct ActiveRecord {
  std::string server{};
  std::uint64_t token = 0;
  unsigned attempt = 1;
  Instant started{};
  Instant renewed_at{};
  std::int64_t lease_s = 0;

  friend bool operator==(const ActiveRecord&, const ActiveRecord&) = default;
};
BOOST_DESCRIBE_STRUCT(ActiveRecord, (), (server, token, attempt, started, renewed_at, lease_s))

/// A JobState.
struct StateRecord {
  std::uint64_t revision = 0;
  std::optional<ActiveRecord> active{};
  std::optional<RunRecord> last_run{};
  std::optional<Instant> retry_at{};

  friend bool operator==(const StateRecord&, const StateRecord&) = default;
};
BOOST_DESCRIBE_STRUCT(StateRecord, (), (revision, active, last_run, retry_at))

/// Texts of a run longer than this are cut: a row has a bounded size.
inline constexpr std::size_t kRunTextBytesMax = 4096;

RunRecord RecordOf(const FinishedRun& run);
ActiveRecord RecordOf(const ActiveRun& run);
FinishedRun RunOf(const RunRecord& record);
JobState StateOf(const std::string& job, const StateRecord& record);

}  // namespace atrium::jobs
