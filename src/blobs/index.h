// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "blobs/blob_id.h"
#include "blobs/blobs.h"
#include "blobs/records.h"
#include "store/engine.h"
#include "store/op_context.h"
#include "store/write_set.h"

namespace atrium::blobs {

struct IndexedBlob {
  BlobId id{};
  Place place{};

  friend bool operator==(const IndexedBlob&, const IndexedBlob&) = default;
};

/// Where each blob lies, as rows of the store. A row is written once and only ever erased, so a
/// blob that moves is without a row for a moment: meanwhile the new place is known here. Any
/// thread.
class Index {
 public:
  /// `engine` outlives it.
  explicit Index(store::Engine& engine) : engine_(engine) {}

  Result<std::optional<Place>> Find(const store::OpContext& op, const BlobId& id);
  /// Durable with the next commit. A row that is there stays as it is.
  Result<void> Write(const store::OpContext& op, std::span<const IndexedBlob> blobs);
  static store::Mutation Erase(const BlobId& id);

  struct Page {
    struct Row {
      IndexedBlob blob{};
      Instant since{};
    };
    std::vector<Row> rows{};
    std::optional<std::string> resume{};
  };
  Result<Page> List(const store::OpContext& op, const ListRequest& request);

  /// From now on Find() knows these places, row or no row.
  void BeginMove(std::span<const IndexedBlob> blobs);
  /// The rows are there.
  void EndMove(std::span<const IndexedBlob> blobs);
  bool IsMoving(const BlobId& id) const;

 private:
  Result<std::optional<Place>> FindRow(const store::OpContext& op, const BlobId& id);
  std::optional<Place> FindMoving(const BlobId& id) const;

  store::Engine& engine_;
  std::atomic<std::size_t> moving_count_ = 0;
  std::atomic<std::uint64_t> moves_ended_ = 0;
  mutable std::mutex mutex_;
  // Guarded by mutex_.
  std::unordered_map<BlobId, Place> moving_;
};

}  // namespace atrium::blobs
