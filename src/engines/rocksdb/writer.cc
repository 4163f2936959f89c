// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/rocksdb/writer.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <iterator>
#include <source_location>
#include <utility>

namespace atrium::rocks {
namespace {

constexpr std::size_t kQueueBytesMax = std::size_t{32} << 20;
constexpr std::size_t kBatchBytesMax = std::size_t{4} << 20;
constexpr std::chrono::milliseconds kRoomCheck{50};

/// Writes nothing, and has what is written on the disk.
class SyncChange final : public Change {
 public:
  Result<store::Receipt> Decide(Batch& batch) override {
    return store::Receipt{.version = batch.GetVersion()};
  }
  std::size_t Bytes() const override { return sizeof(SyncChange); }
  Sync GetSync() const override { return Sync::kAlways; }
};

void Count(std::atomic<std::uint64_t>& counter) {
  counter.fetch_add(1, std::memory_order_relaxed);
}

Error Unknown(const rocksdb::Status& status) {
  return {.code = ErrorCode::kOutcomeUnknown,
          .detail = "write: " + status.ToString(),
          .client_message = {},
          .where = std::source_location::current()};
}

}  // namespace

Writer::Writer(Database& database, const Clock& clock, const Settings& settings)
    : database_(database),
      clock_(clock),
      settings_(settings),
      watch_(database, clock, settings.reserve_bytes),
      batch_(database, clock),
      synced_(database.db->GetLatestSequenceNumber()) {
  if (database.obstacle) {
    watch_.Distrust(*database.obstacle);
  }
}

Result<store::Receipt> Writer::Submit(const store::OpContext& op, std::shared_ptr<Change> change) {
  const auto request = std::make_shared<Request>(std::move(change), op.deadline.Of(clock_));
  ASSIGN_OR_RETURN(const Role role, Enqueue(request));
  if (role == Role::kWaits) {
    if (auto answer = request->Await(clock_)) {
      return *std::move(answer);
    }
  }
  Lead();
  return request->TakeAnswer();
}

Result<void> Writer::SyncLog() {
  RETURN_IF_ERROR(Submit(store::OpContext::ForWork("store.sync"), std::make_shared<SyncChange>()));
  return {};
}

void Writer::Look() {
  {
    const std::scoped_lock lock(mutex_);
    if (std::exchange(led_, true)) {
      return;
    }
  }
  static_cast<void>(watch_.CheckWritable());
  HandOver();
}

Result<Writer::Role> Writer::Enqueue(std::shared_ptr<Request> request) {
  const std::size_t bytes = request->GetChange().Bytes();
  std::unique_lock lock(mutex_);
  while (!queue_.empty() && queued_bytes_ + bytes > kQueueBytesMax) {
    if (request->Deadline() != SteadyInstant::max() && clock_.Steady() >= request->Deadline()) {
      return FailPrivately(ErrorCode::kDeadlineExceeded, "the queue of the writer stayed full");
    }
    ++waiting_for_room_;
    room_.wait_for(lock, kRoomCheck);
    --waiting_for_room_;
  }
  queued_bytes_ += bytes;
  queue_.push_back(std::move(request));
  return std::exchange(led_, true) ? Role::kWaits : Role::kLeads;
}

void Writer::Lead() {
  const Requests requests = TakeQueued();
  Decisions decisions = Write(requests);
  // In this order: threads that were answered come back with their next change, and the next batch
  // has nearly all of them instead of every other one.
  AnswerAll(std::move(decisions));
  HandOver();
}

Writer::Requests Writer::TakeQueued() {
  const std::scoped_lock lock(mutex_);
  std::size_t bytes = 0;
  std::size_t count = 0;
  while (count < queue_.size() && bytes < kBatchBytesMax) {
    bytes += queue_[count++]->GetChange().Bytes();
  }
  const auto end = queue_.begin() + static_cast<std::ptrdiff_t>(count);
  Requests taken(std::move_iterator(queue_.begin()), std::move_iterator(end));
  queue_.erase(queue_.begin(), end);
  queued_bytes_ -= bytes;
  if (waiting_for_room_ > 0) {
    room_.notify_all();
  }
  return taken;
}

void Writer::HandOver() {
  const std::scoped_lock lock(mutex_);
  while (!queue_.empty()) {
    if (queue_.front()->Promote()) {
      return;
    }
    queued_bytes_ -= queue_.front()->GetChange().Bytes();
    queue_.erase(queue_.begin());
  }
  led_ = false;
}

Writer::Decisions Writer::Write(const Requests& requests) {
  batch_.Begin(++number_);
  if (const Result<void> writable = watch_.CheckWritable(); !writable) {
    Decisions refused;
    for (const auto& request : requests) {
      if (request->Take(clock_.Steady())) {
        refused.push_back({.request = request, .answer = std::unexpected(writable.error())});
      }
    }
    return refused;
  }
  Decisions decisions = Decide(requests);
  const rocksdb::Status status = WriteBatch();
  if (!status.ok()) {
    watch_.Distrust(status);
    for (Decided& decided : decisions) {
      if (decided.answer) {
        decided.answer = std::unexpected(Unknown(status));
      }
    }
  }
  return decisions;
}

Writer::Decisions Writer::Decide(const Requests& requests) {
  Decisions decisions;
  decisions.reserve(requests.size());
  const SteadyInstant now = clock_.Steady();
  for (const auto& request : requests) {
    if (request->Take(now)) {
      decisions.push_back({.request = request, .answer = batch_.Admit(request->GetChange())});
    }
  }
  return decisions;
}

bool Writer::MustSync() const {
  return batch_.GetSync() == Sync::kAlways ||
         (batch_.GetSync() == Sync::kDurable && settings_.durability == Durability::kDurable);
}

rocksdb::Status Writer::WriteBatch() {
  rocksdb::WriteOptions options;
  options.sync = MustSync();
  if (batch_.Empty() && !(options.sync && unsynced_)) {
    return rocksdb::Status::OK();
  }
  unsynced_ |= !batch_.Empty();
  if (options.sync) {
    Count(syncs_);
  }
  const rocksdb::Status status =
      batch_.Empty() ? database_.db->SyncWAL() : WriteRows(options, batch_.Close(synced_));
  if (status.ok()) {
    ShowWritten();
    visible_.store(number_, std::memory_order_release);
    unsynced_ &= !options.sync;
    if (options.sync) {
      synced_ = database_.db->GetLatestSequenceNumber();
    }
    Count(batches_);
  }
  return status;
}

rocksdb::Status Writer::WriteRows(const rocksdb::WriteOptions& options, rocksdb::WriteBatch& rows) {
  for (const StagedWrite& write : batch_.Written()) {
    database_.recent->BeginWrite(write.hash);
  }
  return database_.db->Write(options, &rows);
}

/// Rows that were replaced are remembered as they are now: the head of a log and the counters of a
/// quota are read by the next change again.
void Writer::ShowWritten() {
  RecentRows& recent = *database_.recent;
  for (const StagedWrite& write : batch_.Written()) {
    recent.EndWrite(write.hash);
    if (write.replaces) {
      recent.Offer(write.key, write.hash, write.value, recent.Draw(write.hash));
    }
  }
}

/// Refusals come after the write, too: whoever is refused reads again, and then finds the row that
/// was in the way.
void Writer::AnswerAll(Decisions decisions) {
  for (auto& [request, answer] : decisions) {
    if (answer) {
      Count(commits_);
    } else {
      Count(answer.error().code == ErrorCode::kOutcomeUnknown ? failed_ : refused_);
    }
    request->Answer(std::move(answer));
  }
}

WriterTally Writer::Tally() {
  WriterTally tally{.commits = commits_.load(std::memory_order_relaxed),
                    .refused = refused_.load(std::memory_order_relaxed),
                    .failed = failed_.load(std::memory_order_relaxed),
                    .batches = batches_.load(std::memory_order_relaxed),
                    .syncs = syncs_.load(std::memory_order_relaxed),
                    .obstructed = Obstacle().has_value()};
  const std::scoped_lock lock(mutex_);
  tally.queued = queue_.size();
  return tally;
}

}  // namespace atrium::rocks
