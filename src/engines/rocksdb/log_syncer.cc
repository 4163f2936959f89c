// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/rocksdb/log_syncer.h"

#include <chrono>

#include "base/error.h"
#include "base/log.h"

namespace atrium::rocks {
namespace {

constexpr std::chrono::seconds kBetweenSyncs{1};

}  // namespace

void LogSyncer::Run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    woken_.wait_for(lock, stop, kBetweenSyncs, [] { return false; });
    if (const Result<void> synced = writer_.SyncLog(); !synced) {
      log::Error("the log of the store was not synced", {{"detail", Describe(synced.error())}});
    }
  }
}

}  // namespace atrium::rocks
