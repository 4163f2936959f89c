// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/conformance/crew.h"

#include <latch>
#include <stop_token>
#include <thread>
#include <vector>

namespace atrium::engines {

void RunTogether(std::size_t threads, const std::function<void(std::size_t)>& work) {
  std::latch all_here(static_cast<std::ptrdiff_t>(threads));
  std::vector<std::jthread> running;
  running.reserve(threads);
  for (std::size_t i = 0; i < threads; ++i) {
    running.emplace_back([&, i] {
      all_here.arrive_and_wait();
      work(i);
    });
  }
}

void RunWatched(const Watched& watched) {
  std::vector<std::jthread> running;
  running.reserve(watched.watchers);
  for (std::size_t i = 0; i < watched.watchers; ++i) {
    running.emplace_back([&, i](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        watched.watch(i);
      }
      watched.watch(i);
    });
  }
  RunTogether(watched.workers, watched.work);
}

}  // namespace atrium::engines
