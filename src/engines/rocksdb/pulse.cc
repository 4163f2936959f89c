// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/rocksdb/pulse.h"

#include "base/error.h"
#include "base/log.h"

namespace atrium::rocks {

void Pulse::Run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    woken_.wait_for(lock, stop, options_.pulse, [] { return false; });
    Beat();
  }
}

void Pulse::Beat() {
  if (options_.durability == Durability::kDurable) {
    writer_.Look();
    return;
  }
  if (const Result<void> synced = writer_.SyncLog(); !synced) {
    log::Error("the log of the store was not synced", {{"detail", Describe(synced.error())}});
  }
}

}  // namespace atrium::rocks
