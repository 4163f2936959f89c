// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>

#include "store/row.h"
#include "store/table.h"

namespace atrium::jobs {

// Everything about a job lies in one partition, named like the job: state and history change in one
// conditional write on any engine. docs/formats/jobs.md shows the rows.

/// What is known of each job but its history: one row, a StateRecord.
inline constexpr store::Table kJobStates{.number = 60, .name = "job_states", .group = 60};

/// The runs that are over, as RunRecords, in the order in which they ended.
inline constexpr store::Table kJobRuns{
    .number = 61, .name = "job_runs", .kind = store::TableKind::kLog, .group = 60};

/// For the schema of the whole program.
/// What is known about the time, in one row.
inline constexpr store::Table kJobClock{.number = 62, .name = "job_clock"};

inline constexpr std::array<const store::Table*, 3> kTables{&kJobStates, &kJobRuns, &kJobClock};

store::Key StateKey(const std::string& job);
store::Key ClockKey();

}  // namespace atrium::jobs
