// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rocksdb/db.h>
#include <rocksdb/slice.h>
#include <rocksdb/write_batch.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "engines/rocksdb/database.h"
#include "engines/rocksdb/overlay.h"
#include "store/row.h"
#include "store/write_set.h"

namespace atrium::rocks {

/// A row that a change depends on, read ahead by the thread that asks for the change.
struct NamedRow {
  std::string key;
  std::uint64_t hash = 0;
  /// What the database had, if `there`.
  rocksdb::PinnableSlice value{};
  bool there = false;
  /// The last batch of which it was certain then that the read saw it; nullopt: it was not read.
  std::optional<std::uint64_t> read_after{};
};

/// `batch`: the last one that every reader sees, asked for before.
Result<void> ReadAhead(const Database& database, std::uint64_t batch, NamedRow& row);

/// What must be on the disk before a change is answered.
enum class Sync : std::uint8_t {
  kNothing,
  kDurable,  ///< It, and all before it, unless the store is of relaxed durability.
  kAlways,   ///< The same in any store.
};

class Batch;

/// Something to be written whole or not at all.
class Change {
 public:
  Change() = default;
  Change(const Change&) = delete;
  Change& operator=(const Change&) = delete;
  virtual ~Change() = default;

  /// Called once, by the writer: decides, and stages what is to be written. What an error leaves
  /// staged is dropped. The bytes that were staged stay where they are until the change is gone.
  virtual Result<store::Receipt> Decide(Batch& batch) = 0;
  /// About how much memory it takes.
  virtual std::size_t Bytes() const = 0;
  /// Whether its answer must wait for the disk, and when.
  virtual Sync GetSync() const = 0;
};

/// What the writer writes at once. Changes are decided about one after the other, each as if those
/// before it had been written; one that does not hold leaves no trace. Used by the writer alone.
class Batch {
 public:
  Batch(const Database& database, const Clock& clock)
      : database_(database), clock_(clock), highest_(database.metadata.highest) {}

  /// Begins the batch of this number. Numbers grow.
  void Begin(std::uint64_t number);
  /// Decides about one change.
  Result<store::Receipt> Admit(Change& change);
  /// Closes the batch with the metadata of the store, and for its log with the sequence number up
  /// to which all is synced.
  rocksdb::WriteBatch& Close(std::uint64_t synced);

  bool Empty() const { return accepted_.empty(); }
  Sync GetSync() const { return sync_; }
  /// What it writes once it is closed, but for the metadata: each row once, as the last change that
  /// touched it leaves it. Readers must not see the states between.
  std::span<const StagedWrite> Written() const { return written_; }
  store::Version Highest() const { return highest_; }

  // For changes, within Decide().

  Instant Now() const { return now_; }
  /// Of the rows the change writes.
  store::Version GetVersion() const { return version_; }
  /// At least as high as this one: a row came in with it.
  void RaiseVersion(store::Version version);
  /// The value the row has now; nullopt when there is none.
  Result<std::optional<std::string_view>> Find(NamedRow& row) const;
  void Stage(const StagedWrite& write) { staged_.push_back(write); }

 private:
  void Accept();

  const Database& database_;
  const Clock& clock_;
  store::Version highest_;

  std::uint64_t number_ = 0;
  Instant now_{};
  rocksdb::WriteBatch writes_;
  std::vector<StagedWrite> accepted_;
  std::vector<StagedWrite> written_;
  Overlay overlay_;
  LastWrites last_writes_;
  Sync sync_ = Sync::kNothing;

  // Of the change that is being decided about.
  store::Version version_{};
  std::vector<StagedWrite> staged_;
};

}  // namespace atrium::rocks
