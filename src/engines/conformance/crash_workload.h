// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "store/engine.h"
#include "store/write_set.h"

namespace atrium::engines {

inline constexpr std::size_t kWorkers = 6;

/// The n-th commit of a worker, counted from one.
struct Step {
  std::uint32_t worker = 0;
  std::uint32_t number = 0;

  friend auto operator<=>(const Step&, const Step&) = default;
};

/// How many records of a worker are there at most: each step adds one, and takes the one this far
/// back away.
inline constexpr std::uint32_t kLiveRecords = 20;

/// A record with a unique name, a row in a list, counters that all workers share, and a row in a
/// log, in as many tables and partitions. All of it is a function of the step and the filler, so
/// what a store must hold follows from how many steps each worker has done.
store::WriteSet WritesOf(const Step& step, std::string_view filler);

/// How many steps each worker has done.
using StepsDone = std::array<std::uint32_t, kWorkers>;
Result<StepsDone> ReadStepsDone(store::Engine& engine);

// The rows of a step.
store::Key RecordKey(const Step& step);
store::Key NameKey(const Step& step);
store::Key ListKey(const Step& step);
std::string LogDocument(const Step& step);
/// With what the document of a record begins.
std::string RecordHead(const Step& step);
store::Key TotalsKey();
inline constexpr std::string_view kLogPartition = "log";

/// The number of records there are after so many steps, and what the shared counter must say.
std::uint32_t LiveAfter(std::uint32_t steps);

}  // namespace atrium::engines
