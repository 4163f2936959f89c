// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/rocksdb/gate.h"

#include <algorithm>
#include <functional>
#include <thread>

namespace atrium::rocks {

// Whoever enters is counted first and looks at the gate then; whoever closes it does so first and
// looks at the counts then. All in one order, so one of the two sees the other.

std::optional<Gate::Pass> Gate::Enter() {
  // Not even counted for a moment, or many who try would keep it from being found empty.
  if (!open_.load()) {
    return std::nullopt;
  }
  const std::size_t thread = std::hash<std::thread::id>()(std::this_thread::get_id());
  std::atomic<std::int64_t>& inside = slots_[thread % slots_.size()].inside;
  inside.fetch_add(1);
  Pass pass(inside);
  if (!open_.load()) {
    return std::nullopt;
  }
  return pass;
}

bool Gate::Close(std::chrono::milliseconds patience) {
  open_.store(false);
  for (auto waited = patience.zero(); !Empty(); ++waited) {
    if (waited == patience) {
      open_.store(true);
      return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

bool Gate::Empty() const {
  return std::ranges::all_of(slots_, [](const Slot& slot) { return slot.inside.load() == 0; });
}

}  // namespace atrium::rocks
