// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rocksdb/db.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "engines/rocksdb/batch.h"
#include "engines/rocksdb/layout.h"
#include "store/write_set.h"

namespace atrium::rocks {

/// A write set on its way. What can be done by the thread that commits is done by it: keys and
/// values are encoded and rows are read before the writer has to decide.
class CommitChange final : public Change {
 public:
  explicit CommitChange(store::WriteSet writes);

  /// Reads the rows that the decision depends on; `batch` is the last one that readers see.
  Result<void> Prepare(const Database& database, std::uint64_t batch);

  Result<store::Receipt> Decide(Batch& batch) override;
  std::size_t Bytes() const override { return bytes_; }
  Sync GetSync() const override { return Sync::kDurable; }

 private:
  enum class Fate : std::uint8_t { kUntouched, kWritten, kErased };
  enum class Read : std::uint8_t { kNeeded, kNotNeeded };

  /// A row that the set names, and what becomes of it.
  struct Target {
    NamedRow named;
    Read read = Read::kNeeded;
    Fate fate = Fate::kUntouched;
    /// Some bytes are in the database, be it of an expired row.
    bool stored = false;
    /// The row as the mutations so far leave it; its views are into `named`, the overlay or
    /// `value`.
    std::optional<ValueView> state{};
    /// Encoded. Of a Put, it is made before the writer has the change.
    std::string value{};
  };

  /// A row that an Append adds: the key of the head with another number at the end.
  struct Entry {
    std::string key;
    std::string value;
    std::string trimmed_key{};
  };

  template <typename Mutation>
  void Name(const Mutation& mutation);
  void Name(const store::Append& append);
  std::size_t TargetOf(std::string key, Read read);

  Result<void> FindState(Batch& batch, Target& target);
  Result<void> Expect(const store::Mutation& mutation, const Target& target) const;

  Result<void> Do(Batch& batch, const store::Put& put, Target& target);
  Result<void> Do(Batch& batch, const store::Erase& erase, Target& target);
  Result<void> Do(Batch& batch, const store::Add& add, Target& target);
  Result<void> Do(Batch& batch, const store::Check& check, Target& target);
  Result<void> Do(Batch& batch, const store::Append& append, Target& target);

  Result<std::int64_t> AddTo(Batch& batch, const store::Add& add, Target& target);
  void StageTarget(Batch& batch, const Target& target);

  store::WriteSet writes_;
  std::size_t bytes_ = 0;
  std::vector<Target> targets_;
  /// For each mutation, the place of its row in `targets_`.
  std::vector<std::size_t> target_of_;
  std::vector<Entry> entries_;
  std::size_t entries_done_ = 0;
  store::Receipt receipt_;
};

}  // namespace atrium::rocks
