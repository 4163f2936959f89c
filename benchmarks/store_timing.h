// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "base/result.h"

namespace atrium::bench {

/// What one side is asked to do.
struct Task {
  std::string folder{};
  std::uint64_t rows = 100'000;
  std::uint64_t hot_folders = 1'000'000;
  std::uint64_t milliseconds = 2000;
  std::uint64_t writers = 1;
  std::uint64_t memory_bytes = std::uint64_t{256} << 20U;
};

/// What it says: printed as one JSON object.
using Figures = std::map<std::string, double, std::less<>>;

/// A mistake of a benchmark is never a slow result: it ends the program.
[[noreturn]] void GiveUp(std::string_view why);

template <typename T>
T Must(Result<T> result) {
  if (!result) {
    GiveUp(Describe(result.error()));
  }
  if constexpr (!std::is_void_v<T>) {
    return *std::move(result);
  }
}

inline void Must(bool holds, std::string_view expectation) {
  if (!holds) {
    GiveUp(expectation);
  }
}

/// Calls `step` again and again on each of `writers` threads until the time is over, and measures
/// each call. `step` gets the number of its thread and the number of the call on it. Answers
/// "per_second" of all threads together, and "p50_ns" and "p99_ns" of the calls.
Figures Measure(const Task& task,
                const std::function<void(std::uint64_t thread, std::uint64_t call)>& step);

/// The most memory this process ever had, and what it has now.
std::uint64_t PeakResidentBytes();
std::uint64_t ResidentBytes();

}  // namespace atrium::bench
