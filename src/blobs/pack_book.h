// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "base/result.h"
#include "blobs/blobs.h"
#include "blobs/records.h"
#include "store/engine.h"
#include "store/write_set.h"

namespace atrium::blobs {

/// What is known about each pack, in memory at once and in the store with the next commit. What the
/// store knows is never ahead of what it holds: rows are written first, then a pack is said to be
/// indexed so far, then a commit makes both durable. What it does not know is read again from the
/// packs at the next start. Any thread.
class PackBook {
 public:
  /// `engine` outlives every call but Settle().
  explicit PackBook(store::Engine& engine) : engine_(engine) {}

  /// What the store knows. Before all others.
  Result<void> Load(const store::OpContext& op);

  std::vector<std::uint64_t> Numbers() const;
  std::optional<PackFacts> Find(std::uint64_t pack) const;
  /// Sealed packs of which nothing will be replayed, and of which a third is dead: another file
  /// with the rest is worth writing. Also small ones, once there are several. `pack_bytes` is what
  /// a full one has.
  std::vector<std::uint64_t> WorthCompacting(std::uint64_t pack_bytes) const;
  bool IsWorthCompacting(std::uint64_t pack) const;
  /// Fills in what is about packs and files.
  void Count(BlobStatistics& statistics) const;

  void Add(std::uint64_t pack);
  void Seal(std::uint64_t pack, std::uint64_t end);
  void MarkEmptied(std::uint64_t pack);
  /// Its file is gone.
  void Forget(std::uint64_t pack);

  /// Records of a pack that got their rows.
  struct Advance {
    std::uint64_t pack = 0;
    std::uint64_t indexed = 0;
    std::vector<Place> live{};
    /// Records whose notes are needed until they are settled.
    std::vector<std::uint64_t> noted{};
  };
  void Note(const Advance& advance);
  /// Keeps the notes from there on, as a noted record does.
  void KeepNotes(std::uint64_t pack, std::uint64_t from);
  /// Whoever put the record has written its own rows, or does not want to any more.
  void Settle(std::uint64_t pack, std::uint64_t at);

  /// Commits these mutations together with what is known about packs that the store does not know
  /// yet. `lost` are the places that the mutations take out of the index. Not more than
  /// kMutationsMax of them.
  Result<void> Commit(const store::OpContext& op, std::vector<store::Mutation> mutations,
                      std::span<const Place> lost);
  static constexpr std::size_t kMutationsMax = 45;

  /// Has all that is known in the store.
  Result<void> Checkpoint(const store::OpContext& op);

 private:
  struct Pack {
    PackFacts facts{};
    /// Where notes are still needed.
    std::multiset<std::uint64_t> noted{};
    /// What the store has; nullopt: nothing.
    std::optional<PackFacts> stored{};

    PackFacts Current() const;
  };
  using Packs = std::map<std::uint64_t, Pack>;

  /// What a commit says about packs.
  struct Draft {
    std::map<std::uint64_t, PackFacts> packs{};
    std::optional<OwnFileFacts> own{};
    std::vector<std::uint64_t> forgotten{};

    std::size_t size() const { return packs.size() + (own ? 1 : 0) + forgotten.size(); }
  };
  /// What the loss of these places changes. With mutex_ held.
  Draft DraftOf(std::span<const Place> lost) const;
  /// That, and what else the store does not know yet, as far as there is room.
  Draft MakeDraft(std::span<const Place> lost, std::size_t rows_max) const;
  void Adopt(const Draft& draft, std::span<const Place> lost);
  Result<Draft> CommitDraft(const store::OpContext& op, std::vector<store::Mutation> mutations,
                            std::span<const Place> lost);

  store::Engine& engine_;
  /// One commit at a time, or an older draft could overtake a newer one.
  std::mutex commit_mutex_;

  mutable std::mutex mutex_;
  // Guarded by mutex_.
  Packs packs_;
  OwnFileFacts own_{};
  OwnFileFacts own_stored_{};
  std::set<std::uint64_t> forgotten_;
};

}  // namespace atrium::blobs
