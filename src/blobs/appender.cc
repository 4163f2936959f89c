// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "blobs/appender.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <utility>

#include "base/check.h"
#include "base/error.h"
#include "base/log.h"

namespace atrium::blobs {
namespace {

constexpr std::uint64_t kGroupBytesMax = std::uint64_t{4} << 20;
constexpr std::uint64_t kQueueBytesMax = std::uint64_t{64} << 20;
/// How much the next start has to read again at most, as far as pins allow.
constexpr std::uint64_t kCheckpointBytes = std::uint64_t{16} << 20;

constexpr store::OpContext kOp = store::OpContext::ForWork("blobs", store::Consistency::kWrites);

}  // namespace

/// A record that waits to be written. The queue and the thread that asks both own it.
class Appender::Entry {
 public:
  explicit Entry(const NewRecord& record) : record_(record) {}

  const NewRecord& Record() const { return record_; }

  void Promote() { Become(State::kLeading); }
  void Answer(Result<Position> answer) {
    answer_ = std::move(answer);
    Become(State::kAnswered);
  }

  /// Until there is an answer; nullopt when the thread is to lead instead.
  std::optional<Result<Position>> Await() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return state_ != State::kQueued; });
    return state_ == State::kAnswered ? std::move(answer_) : std::nullopt;
  }
  Result<Position> TakeAnswer() {
    Check(answer_.has_value(), "who leads answers itself, too");
    return *std::move(answer_);
  }

 private:
  enum class State : std::uint8_t { kQueued, kLeading, kAnswered };

  void Become(State state) {
    {
      const std::scoped_lock lock(mutex_);
      state_ = state;
    }
    changed_.notify_one();
  }

  const NewRecord record_;
  /// Set before the state says so.
  std::optional<Result<Position>> answer_{};
  std::mutex mutex_;
  std::condition_variable changed_;
  // Guarded by mutex_.
  State state_ = State::kQueued;
};

void PackNumbers::Saw(std::uint64_t number) {
  const std::scoped_lock lock(mutex_);
  last_ = std::max(last_, number);
}

std::uint64_t PackNumbers::Next() {
  const auto now = std::chrono::milliseconds(clock_.Now().time_since_epoch()).count();
  const std::scoped_lock lock(mutex_);
  last_ = std::max(last_ + 1, static_cast<std::uint64_t>(std::max<std::int64_t>(now, 0)));
  return last_;
}

Result<Appender::Position> Appender::Append(const NewRecord& record) {
  const auto entry = std::make_shared<Entry>(record);
  if (Enqueue(entry) == Role::kWaits) {
    if (auto answer = entry->Await()) {
      return *std::move(answer);
    }
  }
  Lead();
  CheckpointIfDue();
  return entry->TakeAnswer();
}

Appender::Role Appender::Enqueue(std::shared_ptr<Entry> entry) {
  const std::uint64_t bytes = entry->Record().RecordBytes();
  std::unique_lock lock(mutex_);
  room_.wait(lock, [&] { return queue_.empty() || queued_bytes_ + bytes <= kQueueBytesMax; });
  queued_bytes_ += bytes;
  queue_.push_back(std::move(entry));
  return std::exchange(led_, true) ? Role::kWaits : Role::kLeads;
}

void Appender::Lead() {
  const Group group = TakeQueued();
  std::vector<NewRecord> records;
  records.reserve(group.size());
  for (const auto& entry : group) {
    records.push_back(entry->Record());
  }
  const Result<std::vector<Position>> written = [&] {
    const std::scoped_lock lock(lead_mutex_);
    return WriteGroup(records);
  }();
  // Answered before the next one leads: threads that come back with another record join its group.
  for (std::size_t i = 0; i < group.size(); ++i) {
    group[i]->Answer(written ? Result<Position>((*written)[i]) : std::unexpected(written.error()));
  }
  HandOver();
}

Appender::Group Appender::TakeQueued() {
  const std::scoped_lock lock(mutex_);
  std::uint64_t bytes = 0;
  std::size_t count = 0;
  while (count < queue_.size() && bytes < kGroupBytesMax) {
    bytes += queue_[count++]->Record().RecordBytes();
  }
  const auto end = queue_.begin() + static_cast<std::ptrdiff_t>(count);
  Group taken(std::move_iterator(queue_.begin()), std::move_iterator(end));
  queue_.erase(queue_.begin(), end);
  queued_bytes_ -= bytes;
  room_.notify_all();
  return taken;
}

void Appender::HandOver() {
  const std::scoped_lock lock(mutex_);
  if (queue_.empty()) {
    led_ = false;
  } else {
    queue_.front()->Promote();
  }
}

Result<std::vector<Appender::Position>> Appender::WriteGroup(std::span<const NewRecord> records) {
  std::uint64_t bytes = 0;
  for (const NewRecord& record : records) {
    bytes += record.RecordBytes();
  }
  RETURN_IF_ERROR(WriteRows());
  RETURN_IF_ERROR(CheckSpace(bytes));
  RETURN_IF_ERROR(EnsureRoom(bytes));
  Result<std::vector<std::uint64_t>> places = writer_->Append(records);
  if (!places) {
    if (writer_->GetState() == PackWriter::State::kDoubtful) {
      log::Error("a pack cannot be trusted any more, and another is begun",
                 {{"pack", writer_->Number()}, {"detail", places.error().detail}});
      Seal();
    }
    return std::unexpected(std::move(places).error());
  }
  groups_.fetch_add(1, std::memory_order_relaxed);
  appended_.fetch_add(records.size(), std::memory_order_relaxed);
  since_checkpoint_.fetch_add(bytes, std::memory_order_relaxed);

  std::vector<Position> positions;
  positions.reserve(records.size());
  advance_ = {.pack = writer_->Number(), .indexed = writer_->End()};
  for (std::size_t i = 0; i < records.size(); ++i) {
    const NewRecord& record = records[i];
    const Place place{
        .pack = writer_->Number(),
        .at = (*places)[i],
        .bytes = record.bytes,
        .own = record.kind == RecordKind::kOwnFile ? std::optional(true) : std::nullopt};
    positions.push_back({.pack = place.pack, .at = place.at});
    if (record.kind != RecordKind::kMention) {
      unindexed_.push_back({.id = record.id, .place = place});
      advance_->live.push_back(place);
    }
    if (!record.note.empty()) {
      advance_->noted.push_back(place.at);
    }
  }
  if (Result<void> written = WriteOwnersRows(records); !written) {
    // Those who wait are told of it, and so nobody will settle their notes.
    advance_->noted.clear();
    return While("write rows about blobs", std::move(written).error());
  }
  RETURN_IF_ERROR(WriteRows());
  return positions;
}

Result<void> Appender::WriteOwnersRows(std::span<const NewRecord> records) {
  std::map<NotedRows*, std::vector<NotedBlob>> noted;
  for (const NewRecord& record : records) {
    if (record.rows != nullptr) {
      noted[record.rows].push_back(
          {.id = record.id, .bytes = record.bytes, .note = std::string(record.note)});
    }
  }
  for (const auto& [rows, some] : noted) {
    RETURN_IF_ERROR(rows->Write(some));
  }
  return {};
}

Result<void> Appender::WriteRows() {
  if (!advance_) {
    return {};
  }
  if (Result<void> written = on_.index.Write(kOp, unindexed_); !written) {
    // They will be written before anything else is. Those who wait are told of the error, and so
    // nobody will settle their notes.
    advance_->noted.clear();
    return While("index blobs", std::move(written).error());
  }
  on_.book.Note(*advance_);
  unindexed_.clear();
  advance_.reset();
  return {};
}

Result<void> Appender::CheckSpace(std::uint64_t bytes) {
  ASSIGN_OR_RETURN(const std::uint64_t left, on_.disk.FreeBytes(on_.folder.Path()));
  if (left < settings_.reserve_bytes + bytes) {
    return SystemFailure("keep " + std::to_string(bytes) + " bytes", ENOSPC);
  }
  return {};
}

Result<void> Appender::EnsureRoom(std::uint64_t bytes) {
  if (writer_ && writer_->End() + bytes > settings_.pack_bytes && writer_->End() > kHeadBytes) {
    Seal();
  }
  if (!writer_) {
    ASSIGN_OR_RETURN(PackWriter writer,
                     PackWriter::Create(on_.folder, on_.numbers.Next(), on_.disk));
    on_.book.Add(writer.Number());
    writer_.emplace(std::move(writer));
  }
  return {};
}

void Appender::Seal() {
  if (const Result<void> cut = writer_->Cut(); !cut) {
    log::Warn("a sealed pack keeps the room behind its end", {{"detail", cut.error().detail}});
  }
  on_.book.Seal(writer_->Number(), writer_->End());
  writer_.reset();
  since_checkpoint_.fetch_add(kCheckpointBytes, std::memory_order_relaxed);
}

void Appender::CheckpointIfDue() {
  std::uint64_t since = since_checkpoint_.load(std::memory_order_relaxed);
  if (since < kCheckpointBytes || !since_checkpoint_.compare_exchange_strong(since, 0)) {
    return;
  }
  if (const Result<void> done = on_.book.Checkpoint(kOp); !done) {
    // Nothing is lost by it; the next start has more to read.
    log::Warn("what is known about packs was not written", {{"detail", Describe(done.error())}});
  }
}

std::uint64_t Appender::CountWaiting() {
  const std::scoped_lock lock(mutex_);
  return queue_.size();
}

void Appender::Resume(PackWriter writer) {
  const std::scoped_lock lock(lead_mutex_);
  writer_.emplace(std::move(writer));
}

std::optional<std::uint64_t> Appender::Growing() {
  const std::scoped_lock lock(lead_mutex_);
  return writer_ ? std::optional(writer_->Number()) : std::nullopt;
}

Result<void> Appender::SealGrowing() {
  const std::scoped_lock lock(lead_mutex_);
  RETURN_IF_ERROR(WriteRows());
  if (writer_) {
    Seal();
  }
  return {};
}

Result<void> Appender::Close() {
  const std::scoped_lock lock(lead_mutex_);
  RETURN_IF_ERROR(WriteRows());
  if (writer_) {
    RETURN_IF_ERROR(writer_->Cut());
    writer_.reset();
  }
  return on_.book.Checkpoint(kOp);
}

}  // namespace atrium::blobs
