// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/rocksdb/writer.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace atrium::rocks {
namespace {

constexpr std::size_t kQueueBytesMax = std::size_t{32} << 20;
constexpr std::size_t kBatchBytesMax = std::size_t{4} << 20;

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
      batch_(*database.db, clock, database.metadata.highest),
      thread_([this] { Run(); }) {}

Writer::~Writer() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
  }
  work_.notify_one();
  thread_.join();
}

Result<store::Receipt> Writer::Submit(const store::OpContext& op, std::shared_ptr<Change> change) {
  const auto request = std::make_shared<Request>(std::move(change), op.deadline);
  RETURN_IF_ERROR(Enqueue(request));
  return request->Await(clock_);
}

Result<void> Writer::Enqueue(std::shared_ptr<Request> request) {
  const std::size_t bytes = request->GetChange().Bytes();
  {
    std::unique_lock lock(mutex_);
    while (!queue_.empty() && queued_bytes_ + bytes > kQueueBytesMax) {
      if (request->Deadline() != SteadyInstant::max() && clock_.Steady() >= request->Deadline()) {
        return FailPrivately(ErrorCode::kDeadlineExceeded, "the queue of the writer stayed full");
      }
      room_.wait_for(lock, std::chrono::milliseconds(100));
    }
    queued_bytes_ += bytes;
    queue_.push_back(std::move(request));
  }
  work_.notify_one();
  return {};
}

void Writer::Run() {
  Requests requests;
  while (TakeQueued(requests)) {
    Write(requests);
    requests.clear();
    decided_.clear();
  }
}

bool Writer::TakeQueued(Requests& requests) {
  std::unique_lock lock(mutex_);
  work_.wait(lock, [&] { return stopping_ || !queue_.empty(); });
  std::size_t bytes = 0;
  std::size_t count = 0;
  while (count < queue_.size() && bytes < kBatchBytesMax) {
    bytes += queue_[count++]->GetChange().Bytes();
  }
  const auto end = queue_.begin() + static_cast<std::ptrdiff_t>(count);
  requests.assign(std::move_iterator(queue_.begin()), std::move_iterator(end));
  queue_.erase(queue_.begin(), end);
  queued_bytes_ -= bytes;
  lock.unlock();
  room_.notify_all();
  return count > 0;
}

void Writer::Write(const Requests& requests) {
  batch_.Begin(++number_);
  if (const Result<void> writable = watch_.CheckWritable(batch_.Highest()); !writable) {
    for (const auto& request : requests) {
      if (request->Take(clock_.Steady())) {
        Count(refused_);
        request->Answer(std::unexpected(writable.error()));
      }
    }
    return;
  }
  Admit(requests);
  const rocksdb::Status status = WriteBatch();
  if (!status.ok()) {
    watch_.Distrust(status);
  }
  AnswerAll(status);
}

void Writer::Admit(const Requests& requests) {
  const SteadyInstant now = clock_.Steady();
  for (const auto& request : requests) {
    if (request->Take(now)) {
      decided_.push_back({.request = request, .answer = batch_.Admit(request->GetChange())});
    }
  }
}

rocksdb::Status Writer::WriteBatch() {
  if (batch_.Empty()) {
    return rocksdb::Status::OK();
  }
  rocksdb::WriteOptions options;
  options.sync = settings_.durability == Durability::kDurable && batch_.MustSync();
  const rocksdb::Status status = database_.db->Write(options, &batch_.Close());
  if (status.ok()) {
    visible_.store(number_, std::memory_order_release);
    Count(batches_);
  }
  if (options.sync) {
    Count(syncs_);
  }
  return status;
}

/// Refusals wait for the write, too: whoever is refused reads again, and then finds the row that
/// was in the way.
void Writer::AnswerAll(const rocksdb::Status& status) {
  for (auto& [request, answer] : decided_) {
    if (!answer) {
      Count(refused_);
    } else if (status.ok()) {
      Count(commits_);
    } else {
      Count(failed_);
      answer = std::unexpected(Unknown(status));
    }
    request->Answer(std::move(answer));
  }
}

WriterTally Writer::Tally() {
  WriterTally tally{.commits = commits_.load(std::memory_order_relaxed),
                    .refused = refused_.load(std::memory_order_relaxed),
                    .failed = failed_.load(std::memory_order_relaxed),
                    .batches = batches_.load(std::memory_order_relaxed),
                    .syncs = syncs_.load(std::memory_order_relaxed)};
  const std::scoped_lock lock(mutex_);
  tally.queued = queue_.size();
  return tally;
}

}  // namespace atrium::rocks
