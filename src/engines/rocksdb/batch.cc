// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/rocksdb/batch.h"

#include <algorithm>
#include <chrono>

#include "engines/rocksdb/key_order.h"
#include "engines/rocksdb/layout.h"
#include "engines/rocksdb/log_scan.h"
#include "engines/rocksdb/status.h"

namespace atrium::rocks {
namespace {

using rocksdb::Slice;

/// Reads the row as the database has it.
Result<void> ReadFrom(rocksdb::DB& db, NamedRow& row) {
  row.value.Reset();
  const rocksdb::Status status = db.Get({}, db.DefaultColumnFamily(), Slice(row.key), &row.value);
  row.there = status.ok();
  return status.IsNotFound() ? Result<void>() : ToResult(status, "read before a commit");
}

std::uint64_t Microseconds(Instant now) {
  const auto count = std::chrono::microseconds(now.time_since_epoch()).count();
  return static_cast<std::uint64_t>(std::max<std::int64_t>(count, 0));
}

}  // namespace

Result<void> ReadAhead(const Database& database, std::uint64_t batch, NamedRow& row) {
  row.read_after = batch;
  const bool is_recent = database.recent->Find(row.key, row.hash, [&](RecentRows::Value value) {
    row.there = value.has_value();
    if (value) {
      row.value.PinSelf(Slice(*value));
    }
  });
  return is_recent ? Result<void>() : ReadFrom(*database.db, row);
}

void Batch::Begin(std::uint64_t number) {
  number_ = number;
  now_ = clock_.Now();
  writes_.Clear();
  accepted_.clear();
  written_.clear();
  overlay_.Clear();
  sync_ = Sync::kNothing;
}

Result<store::Receipt> Batch::Admit(Change& change) {
  version_ = {std::max(highest_.number + 1, Microseconds(now_))};
  staged_.clear();
  ASSIGN_OR_RETURN(store::Receipt receipt, change.Decide(*this));
  if (!staged_.empty()) {
    Accept();
  }
  sync_ = std::max(sync_, change.GetSync());
  return receipt;
}

void Batch::Accept() {
  for (const StagedWrite& write : staged_) {
    accepted_.push_back(write);
    overlay_.Add(write);
    last_writes_.Note(write.hash, number_);
  }
  highest_ = std::max(highest_, version_);
}

/// In the order of keys: the memory of the database is a sorted list, and finds the place of a row
/// sooner when it is near that of the row before.
rocksdb::WriteBatch& Batch::Close(std::uint64_t synced) {
  writes_.PutLogData(EncodeSyncedMark(synced));
  for (const std::size_t i : OrderByKey(accepted_, &StagedWrite::key)) {
    const StagedWrite& write = accepted_[i];
    if (!written_.empty() && written_.back().key == write.key) {
      written_.back() = write;
    } else {
      written_.push_back(write);
    }
  }
  for (const StagedWrite& write : written_) {
    if (write.value) {
      writes_.Put(Slice(write.key), Slice(*write.value));
    } else {
      writes_.Delete(Slice(write.key));
    }
  }
  writes_.Put(Slice(kMetadataKey), EncodeMetadata({.format = kLayoutFormat, .highest = highest_}));
  return writes_;
}

void Batch::RaiseVersion(store::Version version) {
  version_ = std::max(version_, version);
}

Result<std::optional<std::string_view>> Batch::Find(NamedRow& row) const {
  if (!row.read_after || !last_writes_.UnchangedSince(row.hash, *row.read_after)) {
    if (const StagedWrite* staged = overlay_.Find(row.key, row.hash)) {
      return staged->value;
    }
    RETURN_IF_ERROR(ReadFrom(*database_.db, row));
  }
  if (!row.there) {
    return std::nullopt;
  }
  return row.value.ToStringView();
}

}  // namespace atrium::rocks
