// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "blobs/disk.h"
#include "blobs/folder.h"
#include "blobs/index.h"
#include "blobs/pack_book.h"
#include "blobs/pack_file.h"

namespace atrium::blobs {

/// Gives each new pack its number: greater than all before it, and by the clock, so that numbers of
/// packs that are gone do not come back. Any thread.
class PackNumbers {
 public:
  explicit PackNumbers(const Clock& clock) : clock_(clock) {}

  /// A number that is taken.
  void Saw(std::uint64_t number);
  std::uint64_t Next();

 private:
  const Clock& clock_;
  std::mutex mutex_;
  // Guarded by mutex_.
  std::uint64_t last_ = 0;
};

/// The one pack that grows, and everybody who waits for it. A thread with a record leads when
/// nobody does: it takes all records that wait, writes them with one write and one sync, gives them
/// their rows, and answers all. Otherwise the thread waits, and the first that waits leads next.
class Appender {
 public:
  struct Settings {
    /// A pack that would grow beyond this is sealed, and another begun.
    std::uint64_t pack_bytes = 0;
    /// Nothing is written when the disk has less than this left.
    std::uint64_t reserve_bytes = 0;
  };
  /// What it stands on. All of it outlives the appender.
  struct Ground {
    const Folder& folder;
    Index& index;
    PackBook& book;
    PackNumbers& numbers;
    Disk& disk;
  };

  Appender(const Ground& ground, const Settings& settings) : on_(ground), settings_(settings) {}

  struct Position {
    std::uint64_t pack = 0;
    std::uint64_t at = 0;
  };

  /// When it returns, the record is on the disk, the blob in the index, and what `rows` writes is
  /// written. A note is kept until its position is settled. After an error the record is not there,
  /// unless the error came from the store: then it may still join the index.
  Result<Position> Append(const NewRecord& record);

  /// Goes on with a pack that was begun before.
  void Resume(PackWriter writer);
  /// The pack that grows, if there is one.
  std::optional<std::uint64_t> Growing();
  /// Has the next record begin another pack.
  Result<void> SealGrowing();
  /// Nothing is appended any more.
  Result<void> Close();

  /// kUnavailable when the disk has not so much to spare.
  Result<void> CheckSpace(std::uint64_t bytes);

  std::uint64_t CountWaiting();
  std::uint64_t Appended() const { return appended_.load(std::memory_order_relaxed); }
  std::uint64_t Groups() const { return groups_.load(std::memory_order_relaxed); }

 private:
  class Entry;
  using Group = std::vector<std::shared_ptr<Entry>>;
  enum class Role : std::uint8_t { kLeads, kWaits };

  Role Enqueue(std::shared_ptr<Entry> entry);
  void Lead();
  Group TakeQueued();
  void HandOver();
  void CheckpointIfDue();

  // By whoever has lead_mutex_.
  Result<std::vector<Position>> WriteGroup(std::span<const NewRecord> records);
  Result<void> EnsureRoom(std::uint64_t bytes);
  void Seal();
  /// Lets the owners of records that are on the disk write theirs.
  static Result<void> WriteOwnersRows(std::span<const NewRecord> records);
  /// Gives records that are on the disk their rows.
  Result<void> WriteRows();

  const Ground on_;
  const Settings settings_;
  std::atomic<std::uint64_t> appended_ = 0;
  std::atomic<std::uint64_t> groups_ = 0;
  std::atomic<std::uint64_t> since_checkpoint_ = 0;

  std::mutex lead_mutex_;
  // Guarded by lead_mutex_.
  std::optional<PackWriter> writer_;
  /// Records on the disk that have no rows yet, all of the last group.
  std::vector<IndexedBlob> unindexed_;
  std::optional<PackBook::Advance> advance_;

  std::mutex mutex_;
  std::condition_variable room_;
  // Guarded by mutex_. Somebody leads whenever the queue is not empty.
  bool led_ = false;
  Group queue_;
  std::uint64_t queued_bytes_ = 0;
};

}  // namespace atrium::blobs
