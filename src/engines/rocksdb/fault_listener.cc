// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/rocksdb/fault_listener.h"

#include <string>

#include "base/log.h"

namespace atrium::rocks {

void FaultListener::OnBackgroundError(rocksdb::BackgroundErrorReason reason,
                                      rocksdb::Status* status) {
  {
    const std::scoped_lock lock(mutex_);
    last_ = *status;
  }
  errors_.fetch_add(1, std::memory_order_relaxed);
  heard_.store(true, std::memory_order_release);
  log::Error("the store cannot write",
             {{"reason", static_cast<int>(reason)}, {"detail", status->ToString()}});
}

/// The writer recovers itself: RocksDB would go on with a log of which nothing is known.
void FaultListener::OnErrorRecoveryBegin(rocksdb::BackgroundErrorReason /*reason*/,
                                         rocksdb::Status /*error*/, bool* automatic) {
  *automatic = false;
}

void FaultListener::OnStallConditionsChanged(const rocksdb::WriteStallInfo& change) {
  if (change.condition.cur != rocksdb::WriteStallCondition::kNormal) {
    stalls_.fetch_add(1, std::memory_order_relaxed);
  }
}

rocksdb::Status FaultListener::Last() const {
  const std::scoped_lock lock(mutex_);
  return last_;
}

}  // namespace atrium::rocks
