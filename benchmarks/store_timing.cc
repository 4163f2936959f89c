// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "store_timing.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <latch>
#include <thread>
#include <vector>

namespace atrium::bench {
namespace {

using Steady = std::chrono::steady_clock;

/// One clock reading per call: the end of one is the beginning of the next.
void RunThread(std::uint64_t thread, Steady::time_point until, std::vector<std::uint64_t>& laps,
               const std::function<void(std::uint64_t, std::uint64_t)>& step) {
  Steady::time_point before = Steady::now();
  for (std::uint64_t call = 0; before < until; ++call) {
    step(thread, call);
    const Steady::time_point after = Steady::now();
    laps.push_back(static_cast<std::uint64_t>((after - before).count()));
    before = after;
  }
}

double Quantile(std::vector<std::uint64_t>& laps, double share) {
  const auto at =
      laps.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(laps.size() - 1));
  std::nth_element(laps.begin(), at, laps.end());
  return static_cast<double>(*at);
}

std::uint64_t StatusBytes(std::string_view name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(name)) {
      return std::strtoull(line.c_str() + name.size(), nullptr, 10) * 1024;
    }
  }
  GiveUp("/proc/self/status tells no memory");
}

}  // namespace

void GiveUp(std::string_view why) {
  std::fprintf(stderr, "store_bench: %.*s\n", static_cast<int>(why.size()), why.data());
  std::exit(1);
}

Figures Measure(const Task& task,
                const std::function<void(std::uint64_t thread, std::uint64_t call)>& step) {
  std::vector<std::vector<std::uint64_t>> laps(task.writers);
  std::latch ready(static_cast<std::ptrdiff_t>(task.writers + 1));
  std::vector<std::jthread> threads;
  for (std::uint64_t thread = 0; thread < task.writers; ++thread) {
    threads.emplace_back([&, thread] {
      laps[thread].reserve(std::size_t{1} << 16U);
      ready.arrive_and_wait();
      RunThread(thread, Steady::now() + std::chrono::milliseconds(task.milliseconds), laps[thread],
                step);
    });
  }
  ready.arrive_and_wait();
  const Steady::time_point begun = Steady::now();
  threads.clear();
  const double took = std::chrono::duration<double>(Steady::now() - begun).count();
  std::vector<std::uint64_t> all;
  for (const std::vector<std::uint64_t>& some : laps) {
    all.insert(all.end(), some.begin(), some.end());
  }
  Must(!all.empty(), "there was a call");
  return {{"per_second", static_cast<double>(all.size()) / took},
          {"p50_ns", Quantile(all, 0.5)},
          {"p99_ns", Quantile(all, 0.99)}};
}

std::uint64_t PeakResidentBytes() {
  return StatusBytes("VmHWM:");
}

std::uint64_t ResidentBytes() {
  return StatusBytes("VmRSS:");
}

}  // namespace atrium::bench
