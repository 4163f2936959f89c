// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "blobs/blobs.h"
#include "files/content.h"
#include "files/heads.h"
#include "files/path_edits.h"
#include "files/people.h"
#include "files/transfer_records.h"
#include "store/ground.h"
#include "store/once_only.h"
#include "store/record.h"
#include "store/warrant.h"

namespace atrium::files {

/// What is known of a transfer that is under way in this process. Any thread.
struct TransferSigns {
  std::atomic<std::int64_t> total = 0;
  std::atomic<std::int64_t> done = 0;
  std::atomic<bool> cancelled = false;
};

/// Does one transfer, step by step. Each step ends with its row, and bears to be taken again: the
/// commit that places the entries and the one that removes them elsewhere each happen once, however
/// often a server is killed between them and the row. So a move is a copy, and then a removal of
/// exactly what was copied: what somebody changed meanwhile stays. Any thread.
class TransferWork {
 public:
  struct Parts {
    store::Ground ground;
    Content& content;
    blobs::Blobs& blobs;
    Heads& heads;
    const People& people;
  };

  /// All outlives it.
  explicit TransferWork(const Parts& parts) : parts_(parts) {}

  using Row = store::Stored<Transfer>;

  /// Takes steps until the end. An error means that it is to be taken up again later: the store did
  /// not answer, or a stop was requested. What forbids it for good is written into the row.
  Result<Row> Finish(Row row, TransferSigns& signs, const std::stop_token& stop);

  /// One step. The row as it is then.
  Result<Row> Step(const Row& row, TransferSigns& signs, const std::stop_token& stop);

 private:
  struct Job {
    const Row& row;
    const Person& person;
    const store::Warrant& warrant;
    TransferSigns& signs;
    const std::stop_token& stop;
  };

  /// Of the commits that place and remove entries.
  store::OpContext Terms(const Job& job, store::OnceOnly& once) const;
  Result<void> CheckDoors(const Transfer& transfer, const Person& person) const;
  Result<void> CheckMayPlace(const Job& job) const;
  Result<Row> Place(const Job& job);
  /// The row with the names under which they are there; not written.
  Result<Row> PlaceWithin(const Job& job, Row row, store::OnceOnly& once);
  Result<Row> PlaceAcross(const Job& job, Row row, store::OnceOnly& once);
  Result<std::vector<LooseEntry>> LoadEntries(const Transfer& transfer) const;
  Result<void> CopyContent(const Job& job, const std::vector<LooseEntry>& entries);
  Result<void> PutEntries(const Job& job, const std::vector<LooseEntry>& entries, Row& row,
                          store::OnceOnly& once);
  Result<Row> RemoveMoved(const Job& job);
  Result<std::vector<TransferItem>> ItemsToRemove(const Transfer& transfer) const;
  Result<Row> Write(const Row& row, Transfer after) const;
  Result<Row> Fail(const TransferId& id, const Error& error, const TransferSigns& signs) const;
  store::OnceOnly Once(const Transfer& transfer, std::string_view step) const;

  const Parts parts_;
  const store::OpContext op_ = store::OpContext::ForWork("files.transfer");
};

}  // namespace atrium::files
