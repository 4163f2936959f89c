// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>

#include "blobs/blob_id.h"

namespace atrium::blobs {

/// Who has a blob in hand. A blob is pinned by any number, and locked by one at a time: whoever
/// writes, moves or removes it. Pins of others do not keep a lock away; whoever wants to remove
/// asks for them. Any thread. A thread that wants several locks takes them in the order of the
/// ids.
class BlobLocks {
 public:
  class Lock;

  /// Waits for the lock of somebody else to end.
  Lock Take(const BlobId& id);
  /// Waits for a lock to end, then pins.
  void Pin(const BlobId& id);
  void Unpin(const BlobId& id);

 private:
  struct Held {
    std::size_t pins = 0;
    /// Threads that wait for the lock to end.
    std::size_t waiting = 0;
    bool locked = false;
  };
  struct alignas(64) Stripe {
    std::mutex mutex;
    std::condition_variable freed;
    // Guarded by mutex. What nobody holds is not here.
    std::unordered_map<BlobId, Held> held;
  };
  static constexpr std::size_t kStripes = 64;

  Stripe& StripeOf(const BlobId& id) {
    return stripes_[std::to_integer<std::size_t>(id.digest[31]) % kStripes];
  }
  /// With the mutex of the stripe held.
  static Held& AwaitUnlocked(Stripe& stripe, std::unique_lock<std::mutex>& lock, const BlobId& id);
  static void DropIfUnheld(Stripe& stripe, const BlobId& id);

  std::array<Stripe, kStripes> stripes_;
};

/// The right to change what becomes of a blob; ends with the object.
class BlobLocks::Lock {
 public:
  Lock(Lock&& other) noexcept : locks_(std::exchange(other.locks_, nullptr)), id_(other.id_) {}
  Lock& operator=(Lock&&) = delete;
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  ~Lock() { End(); }

  const BlobId& Id() const { return id_; }
  bool IsPinned() const;
  /// Ends the lock, and no moment lies between it and the pin.
  void TurnIntoPin();

 private:
  friend class BlobLocks;
  Lock(BlobLocks& locks, const BlobId& id) : locks_(&locks), id_(id) {}
  void End();

  BlobLocks* locks_;
  BlobId id_;
};

}  // namespace atrium::blobs
