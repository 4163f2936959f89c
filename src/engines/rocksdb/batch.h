// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rocksdb/db.h>
#include <rocksdb/slice.h>
#include <rocksdb/write_batch.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
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
  /// The last batch of which it was certain then that the read saw it.
  std::uint64_t read_after = 0;
};

Result<void> ReadAhead(rocksdb::DB& db, std::uint64_t batch, NamedRow& row);

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
  /// Whether its answer must wait until it is on the disk.
  virtual bool MustSync() const = 0;
};

/// What the writer writes at once. Changes are decided about one after the other, each as if those
/// before it had been written; one that does not hold leaves no trace. Used by the writer alone.
class Batch {
 public:
  Batch(rocksdb::DB& db, const Clock& clock, store::Version highest)
      : db_(db), clock_(clock), highest_(highest) {}

  /// Begins the batch of this number. Numbers grow.
  void Begin(std::uint64_t number);
  /// Decides about one change.
  Result<store::Receipt> Admit(Change& change);
  /// Closes the batch with the metadata of the store.
  rocksdb::WriteBatch& Close();

  bool Empty() const { return writes_.Count() == 0; }
  bool MustSync() const { return must_sync_; }
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

  rocksdb::DB& db_;
  const Clock& clock_;
  store::Version highest_;

  std::uint64_t number_ = 0;
  Instant now_{};
  rocksdb::WriteBatch writes_;
  Overlay overlay_;
  LastWrites last_writes_;
  bool must_sync_ = false;

  // Of the change that is being decided about.
  store::Version version_{};
  std::vector<StagedWrite> staged_;
};

}  // namespace atrium::rocks
