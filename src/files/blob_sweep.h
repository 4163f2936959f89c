// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.h"
#include "base/result.h"
#include "blobs/blobs.h"
#include "files/blob_uses.h"
#include "files/collection.h"
#include "files/id_filter.h"
#include "files/object_id.h"
#include "store/ground.h"

namespace atrium::files {

/// Removes rows of content whose library is gone, and blobs that no row names. Reads all rows of
/// blocks into a filter; blobs that come to be named meanwhile are added to it while they are
/// pinned, and it is asked again when a blob is about to go and nobody can pin it. One thread.
class BlobSweep {
 public:
  struct Parts {
    store::Ground ground;
    blobs::Blobs& blobs;
    BlobUses& uses;
  };
  /// All outlive it.
  BlobSweep(const Parts& parts, const CollectionOptions& options)
      : ground_(parts.ground), blobs_(parts.blobs), uses_(parts.uses), options_(options) {}

  /// Adds to `done`.
  Result<void> Run(Collection& done, const WorkSigns& signs);

 private:
  /// A row of content, as little of it as is needed.
  struct Row {
    store::Key key{};
    store::Version version{};
    std::optional<blobs::BlobId> blob{};
  };

  Result<void> ReadTable(const store::Table& table, const WorkSigns& signs, Collection& done);
  Result<void> Sort(const store::Table& table, const std::vector<Row>& rows, Collection& done);
  Result<bool> HasLibrary(std::string_view partition);
  Result<void> EraseOrphans(const store::Table& table, const std::vector<Row>& rows,
                            Collection& done);
  Result<void> RemoveBlobs(const WorkSigns& signs, Collection& done);
  Result<void> RemovePage(const blobs::BlobPage& page, Collection& done);
  Result<void> RemoveStrays(Collection& done);
  Result<void> Compact(const WorkSigns& signs, Collection& done);

  const store::Ground ground_;
  blobs::Blobs& blobs_;
  BlobUses& uses_;
  const CollectionOptions& options_;
  const Instant old_ = ground_.clock.Now() - options_.grace;
  IdFilter named_{ground_.ids.NewUuid()};
  /// The library that was looked for last.
  std::string partition_{};
  bool is_there_ = false;
};

}  // namespace atrium::files
