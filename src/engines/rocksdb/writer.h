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
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "engines/rocksdb/batch.h"
#include "engines/rocksdb/database.h"
#include "engines/rocksdb/request.h"
#include "engines/rocksdb/watch.h"
#include "store/op_context.h"

namespace atrium::rocks {

/// What was written since the store was opened.
struct WriterTally {
  std::uint64_t commits = 0;
  std::uint64_t refused = 0;
  std::uint64_t failed = 0;
  std::uint64_t batches = 0;
  std::uint64_t syncs = 0;
  std::uint64_t queued = 0;
  /// Nothing can be written at the moment.
  bool obstructed = false;
};

/// All changes of the database, one after the other. Whoever leads takes all changes that wait,
/// decides about each, writes those that hold with one synced write, and answers them all. So
/// commits are serial without a lock on any row, and the more of them wait, the less a sync costs
/// each.
///
/// A thread with a change leads when nobody does, and otherwise waits; after one batch the first
/// that waits leads the next. A thread of the writer's own would cost two hand-overs for each
/// change that comes alone; README.md says what was measured. The price: the thread that leads
/// cannot leave at its deadline, and answers when the disk does.
class Writer {
 public:
  struct Settings {
    Durability durability = Durability::kDurable;
    std::size_t reserve_bytes = 0;
  };

  /// Both outlive it.
  Writer(Database& database, const Clock& clock, const Settings& settings);

  /// Waits for the change to be written. May be called from any thread.
  Result<store::Receipt> Submit(const store::OpContext& op, std::shared_ptr<Change> change);

  /// Has all that was written so far on the disk, however relaxed the store is.
  Result<void> SyncLog();

  /// The number of the last batch that every reader sees.
  std::uint64_t VisibleBatch() const { return visible_.load(std::memory_order_acquire); }

  /// Looks whether the disk can be written, and tries to recover where it could not be. For times
  /// when nobody commits; without effect while somebody does.
  void Look();

  /// What is in the way of writing, in words for people; nullopt: nothing.
  std::optional<std::string> Obstacle() const { return watch_.Obstacle(); }

  WriterTally Tally();

 private:
  using Requests = std::vector<std::shared_ptr<Request>>;
  enum class Role : std::uint8_t { kLeads, kWaits };

  /// A change that was decided about, with what it is answered if the batch is written.
  struct Decided {
    std::shared_ptr<Request> request;
    Result<store::Receipt> answer;
  };
  using Decisions = std::vector<Decided>;

  Result<Role> Enqueue(std::shared_ptr<Request> request);
  /// Writes one batch, the first change in the queue among it.
  void Lead();
  Requests TakeQueued();
  void HandOver();
  Decisions Write(const Requests& requests);
  Decisions Decide(const Requests& requests);
  rocksdb::Status WriteBatch();
  rocksdb::Status WriteRows(const rocksdb::WriteOptions& options, rocksdb::WriteBatch& rows);
  void ShowWritten();
  bool MustSync() const;
  void AnswerAll(Decisions decisions);

  Database& database_;
  const Clock& clock_;
  const Settings settings_;

  // Used by whoever leads.
  Watch watch_;
  Batch batch_;
  std::uint64_t number_ = 0;
  /// The log has bytes that no sync covers.
  bool unsynced_ = false;
  /// Up to this sequence number all is on the disk.
  std::uint64_t synced_ = 0;

  std::atomic<std::uint64_t> visible_ = 0;
  std::atomic<std::uint64_t> commits_ = 0;
  std::atomic<std::uint64_t> refused_ = 0;
  std::atomic<std::uint64_t> failed_ = 0;
  std::atomic<std::uint64_t> batches_ = 0;
  std::atomic<std::uint64_t> syncs_ = 0;

  std::mutex mutex_;
  std::condition_variable room_;
  // Guarded by mutex_. Somebody leads whenever the queue is not empty.
  bool led_ = false;
  Requests queue_;
  std::size_t queued_bytes_ = 0;
  std::size_t waiting_for_room_ = 0;
};

}  // namespace atrium::rocks
