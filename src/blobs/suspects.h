// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <unordered_set>

#include "blobs/blob_id.h"

namespace atrium::blobs {

/// Blobs that were found damaged by somebody who wanted to read them: they count as absent, so
/// that the next Put of the same content looks closer and heals them. Gone with the process;
/// finding all of them is the work of a verification. Any thread.
class Suspects {
 public:
  void Add(const BlobId& id) {
    const std::scoped_lock lock(mutex_);
    if (ids_.size() < kMax) {
      ids_.insert(id);
    }
    count_.store(ids_.size());
  }
  void Clear(const BlobId& id) {
    if (count_.load() == 0) {
      return;
    }
    const std::scoped_lock lock(mutex_);
    ids_.erase(id);
    count_.store(ids_.size());
  }
  bool Has(const BlobId& id) const {
    if (count_.load() == 0) {
      return false;
    }
    const std::scoped_lock lock(mutex_);
    return ids_.contains(id);
  }

 private:
  static constexpr std::size_t kMax = 10'000;

  std::atomic<std::size_t> count_ = 0;
  mutable std::mutex mutex_;
  // Guarded by mutex_.
  std::unordered_set<BlobId> ids_;
};

}  // namespace atrium::blobs
