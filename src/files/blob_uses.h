// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>
#include <shared_mutex>
#include <span>
#include <utility>

#include "base/result.h"
#include "blobs/blobs.h"
#include "files/id_filter.h"

namespace atrium::files {

/// Which blobs rows have come to name while a sweep looks for those that none names: what it has
/// read already may have changed behind it. Any thread.
class BlobUses {
 public:
  using Naming = std::shared_lock<std::shared_mutex>;

  /// For whoever is about to write rows that name these blobs, which nobody can remove meanwhile;
  /// kept until the rows are there.
  [[nodiscard]] Naming Name(std::span<const blobs::NotedBlob> blobs) {
    Naming naming(mutex_);
    if (watcher_ != nullptr) {
      for (const blobs::NotedBlob& blob : blobs) {
        watcher_->Add(blob.id.Bytes());
      }
    }
    return naming;
  }

  /// Ends with its lifetime.
  class Watch {
   public:
    explicit Watch(BlobUses& uses) : uses_(&uses) {}
    Watch(Watch&& other) noexcept : uses_(std::exchange(other.uses_, nullptr)) {}
    Watch& operator=(Watch&&) = delete;
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;
    ~Watch() {
      if (uses_ != nullptr) {
        const std::unique_lock lock(uses_->mutex_);
        uses_->watcher_ = nullptr;
      }
    }

   private:
    BlobUses* uses_;
  };

  /// From now on `filter` gets all blobs that are named, and rows of those that were named before
  /// are there. kRefusedByState while another one watches.
  Result<Watch> Begin(IdFilter& filter) {
    const std::unique_lock lock(mutex_);
    if (watcher_ != nullptr) {
      return Fail(ErrorCode::kRefusedByState, "blobs are being swept already");
    }
    watcher_ = &filter;
    return Watch(*this);
  }

 private:
  std::shared_mutex mutex_;
  // Guarded by mutex_: set by one, read by those who share it.
  IdFilter* watcher_ = nullptr;
};

}  // namespace atrium::files
