// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rocksdb/db.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "engines/rocksdb/batch.h"
#include "store/row.h"
#include "store/table.h"
#include "store/write_set.h"

namespace atrium::rocks {

/// Immutable rows; those that are there already stay as they are.
///
/// Their answer does not wait for the disk. Nobody can depend on them but by a commit that begins
/// later, and that commit's sync covers every byte the log had before it.
class ImmutableChange final : public Change {
 public:
  /// Takes rows off the front of `rows`, as many as make a change of moderate size.
  ImmutableChange(const store::Table& table, std::span<const store::ImmutableRow>& rows);

  Result<void> Prepare(const Database& database, std::uint64_t batch);
  Result<store::Receipt> Decide(Batch& batch) override;
  std::size_t Bytes() const override { return bytes_; }
  Sync GetSync() const override { return Sync::kNothing; }

 private:
  struct Target {
    NamedRow named;
    std::string value;
  };

  std::vector<Target> targets_;
  std::size_t bytes_ = 0;
};

/// Rows as an export has them.
class LoadChange final : public Change {
 public:
  /// Takes rows off the front of `rows`, as many as make a change of moderate size.
  LoadChange(const store::Table& table, std::span<const store::KeyedRow>& rows);

  Result<store::Receipt> Decide(Batch& batch) override;
  std::size_t Bytes() const override { return bytes_; }
  Sync GetSync() const override { return Sync::kDurable; }

 private:
  struct Target {
    std::string key;
    std::string value;
  };

  std::vector<Target> targets_;
  std::size_t bytes_ = 0;
  store::Version highest_{};
};

}  // namespace atrium::rocks
