// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "engines/rocksdb/batch.h"
#include "engines/rocksdb/database.h"
#include "engines/rocksdb/request.h"
#include "engines/rocksdb/watch.h"
#include "store/op_context.h"

namespace atrium::rocks {

/// What the writer has done since it began.
struct WriterTally {
  std::uint64_t commits = 0;
  std::uint64_t refused = 0;
  std::uint64_t failed = 0;
  std::uint64_t batches = 0;
  std::uint64_t syncs = 0;
  std::uint64_t queued = 0;
};

/// The one thread that changes the database. It takes all changes that wait, decides about one
/// after the other, writes those that hold with one synced write, and answers them all. So commits
/// are serial without any lock, and the more of them wait, the less a sync costs each.
class Writer {
 public:
  struct Settings {
    Durability durability = Durability::kDurable;
    std::size_t reserve_bytes = 0;
  };

  /// Both outlive it.
  Writer(Database& database, const Clock& clock, const Settings& settings);
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  /// Ends when all that was queued is answered.
  ~Writer();

  /// Waits for the change to be written. May be called from any thread.
  Result<store::Receipt> Submit(const store::OpContext& op, std::shared_ptr<Change> change);

  /// The number of the last batch that every reader sees.
  std::uint64_t VisibleBatch() const { return visible_.load(std::memory_order_acquire); }

  WriterTally Tally();

 private:
  using Requests = std::vector<std::shared_ptr<Request>>;

  Result<void> Enqueue(std::shared_ptr<Request> request);
  void Run();
  /// False when there is nothing any more.
  bool TakeQueued(Requests& requests);
  void Write(const Requests& requests);
  /// A change that was decided about, with what it is answered if the batch is written.
  struct Decided {
    std::shared_ptr<Request> request;
    Result<store::Receipt> answer;
  };
  void Admit(const Requests& requests);
  rocksdb::Status WriteBatch();
  void AnswerAll(const rocksdb::Status& status);

  Database& database_;
  const Clock& clock_;
  const Settings settings_;

  // Used by the thread alone.
  Watch watch_;
  Batch batch_;
  std::uint64_t number_ = 0;
  std::vector<Decided> decided_;

  std::atomic<std::uint64_t> visible_ = 0;
  std::atomic<std::uint64_t> commits_ = 0;
  std::atomic<std::uint64_t> refused_ = 0;
  std::atomic<std::uint64_t> failed_ = 0;
  std::atomic<std::uint64_t> batches_ = 0;
  std::atomic<std::uint64_t> syncs_ = 0;

  std::mutex mutex_;
  std::condition_variable work_;
  std::condition_variable room_;
  // Guarded by mutex_.
  Requests queue_;
  std::size_t queued_bytes_ = 0;
  bool stopping_ = false;

  std::thread thread_;
};

}  // namespace atrium::rocks
