// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rocksdb/listener.h>
#include <rocksdb/status.h>

#include <atomic>
#include <cstdint>
#include <mutex>

namespace atrium::rocks {

/// Hears from RocksDB what went wrong behind the scenes. Called from its threads, under its locks.
class FaultListener final : public rocksdb::EventListener {
 public:
  void OnBackgroundError(rocksdb::BackgroundErrorReason reason, rocksdb::Status* status) override;
  void OnErrorRecoveryBegin(rocksdb::BackgroundErrorReason reason, rocksdb::Status error,
                            bool* automatic) override;
  void OnStallConditionsChanged(const rocksdb::WriteStallInfo& change) override;

  /// Whether something went wrong since Forget(). Cheap.
  bool Heard() const { return heard_.load(std::memory_order_acquire); }
  /// The last of it.
  rocksdb::Status Last() const;
  void Forget() { heard_.store(false, std::memory_order_release); }

  std::uint64_t Errors() const { return errors_.load(std::memory_order_relaxed); }
  std::uint64_t Stalls() const { return stalls_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> heard_ = false;
  std::atomic<std::uint64_t> errors_ = 0;
  std::atomic<std::uint64_t> stalls_ = 0;
  mutable std::mutex mutex_;
  // Guarded by mutex_.
  rocksdb::Status last_;
};

}  // namespace atrium::rocks
