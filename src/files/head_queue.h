// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/result.h"
#include "files/object_id.h"
#include "store/op_context.h"

namespace atrium::files {

/// How many requests may wait for one library, and for how long: a waiting request occupies a
/// worker thread that other libraries and rooms need.
struct HeadQueueLimits {
  std::size_t waiting = 16;
  std::chrono::milliseconds patience{10'000};
};

/// Lets one request at a time change a library, in the order in which they came, so that those who
/// change the same library are not refused by the store again and again. Libraries do not wait for
/// each other. In this process alone: between servers the store decides. Any thread.
class HeadQueue {
 public:
  explicit HeadQueue(const HeadQueueLimits& limits) : limits_(limits) {}
  HeadQueue(const HeadQueue&) = delete;
  HeadQueue& operator=(const HeadQueue&) = delete;

  /// The library is one's own as long as this lives. Does not outlive the queue.
  class [[nodiscard]] Turn {
   public:
    Turn(HeadQueue& queue, const LibraryId& library) : queue_(&queue), library_(library) {}
    Turn(Turn&& other) noexcept
        : queue_(std::exchange(other.queue_, nullptr)), library_(other.library_) {}
    Turn& operator=(Turn&&) = delete;
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn();

   private:
    HeadQueue* queue_;
    LibraryId library_;
  };

  /// kUnavailable, with when to come back, when too many wait already, and when it took too long;
  /// kDeadlineExceeded at the deadline. Nothing has happened then.
  Result<Turn> Await(const store::OpContext& op, const LibraryId& library);

  /// However many wait, and however long it takes: for work in the background.
  Turn AwaitPatiently(const LibraryId& library);

  /// How many wait for the library just now.
  std::size_t Waiting(const LibraryId& library) const;

 private:
  struct Line {
    std::condition_variable moved{};
    /// Whose turn it is, and the number of the next to come.
    std::uint64_t serving = 0;
    std::uint64_t next = 0;
    /// Numbers of those that went away before their turn.
    std::unordered_set<std::uint64_t> gone{};

    std::size_t Waiting() const;
  };

  void Leave(const LibraryId& library);
  /// With the mutex held.
  static void PassOn(Line& line);

  const HeadQueueLimits limits_;
  mutable std::mutex mutex_;
  /// Of libraries that somebody changes just now. Guarded by mutex_.
  std::unordered_map<LibraryId, std::unique_ptr<Line>> lines_;
};

}  // namespace atrium::files
