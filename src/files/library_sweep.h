// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/instant.h"
#include "base/result.h"
#include "files/collection.h"
#include "files/condemned.h"
#include "files/content.h"
#include "files/heads.h"
#include "files/id_filter.h"
#include "files/loose_space.h"
#include "files/people.h"
#include "files/reachability.h"
#include "files/records.h"
#include "store/ground.h"
#include "store/record.h"

namespace atrium::files {

/// Removes from one library what no kept state names. Each step is a commit that holds the library
/// as it was when it was marked; when its head has moved since, what is new is marked first. One
/// thread.
class LibrarySweep {
 public:
  struct Parts {
    store::Ground ground;
    const Content& content;
    Heads& heads;
    const People& people;
  };
  /// All outlive it. The filter is empty.
  LibrarySweep(const Parts& parts, const LibraryId& library, const CollectionOptions& options,
               IdFilter& filter);

  /// Adds to `done`. kNotFound when the library is gone.
  Result<void> Run(Collection& done, const WorkSigns& signs);

 private:
  /// The rows of one thing, of which an object may have several.
  struct Thing {
    Sha1Id id{};
    std::vector<std::string> sorts{};
    std::uint64_t bytes = 0;
    store::Version newest{};
    std::optional<store::Version> condemned{};
  };
  struct Place {
    ContentKind kind = ContentKind::kObject;
    int bucket = 0;
  };

  Result<void> Load(const std::stop_token& stop);
  Result<void> SweepBucket(const Place& place);
  Result<void> Look(const Place& place, Condemned::Sentences& sentences, Thing thing);
  bool IsOld(const store::Version& version) const;
  Result<void> RemoveSome(ContentKind kind);
  Result<void> RemoveLong(ContentKind kind, const Thing& thing);
  Result<void> TryRemove(ContentKind kind);
  Result<void> Reconsider(ContentKind kind);
  Result<void> FixCut();
  Result<void> Commit(std::vector<store::Mutation> mutations);
  Result<void> Settle(const Place& place, const Condemned::Sentences& rest);
  Result<void> CountWhatIsLeft();
  Result<void> ForgetStates();
  Result<void> ForgetOld(std::span<const store::Stored<Move>> moves);
  Amount& AmountOf(ContentKind kind);

  const store::Ground ground_;
  Heads& heads_;
  const People& people_;
  const LibraryId id_;
  const CollectionOptions& options_;
  const Instant old_;
  const store::OpContext op_ = store::OpContext::ForWork("files.collect");
  Condemned condemned_;
  Reachability reachability_;
  store::Stored<Library> library_{};
  std::stop_token stop_{};
  Collection* done_ = nullptr;
  /// How much was counted before, and how much is there, of blocks that no state names.
  LooseCount loose_{};
  std::uint64_t loose_bytes_ = 0;
  // Of the bucket at hand.
  std::vector<Thing> to_remove_{};
  std::size_t rows_to_remove_ = 0;
  std::vector<Sha1Id> to_condemn_{};
};

}  // namespace atrium::files
