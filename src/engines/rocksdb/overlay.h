// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace atrium::rocks {

inline std::uint64_t HashOf(std::string_view key) {
  return std::hash<std::string_view>()(key);
}

/// A row as a change leaves it. The views are into the change, which outlives the batch.
struct StagedWrite {
  std::string_view key{};
  std::uint64_t hash = 0;
  /// nullopt: the row is erased.
  std::optional<std::string_view> value{};
  /// The change read the row, which was there, and so will the next one.
  bool replaces = false;
};

/// The rows that a batch is going to write: what later changes of the same batch must see. A hash
/// table that is emptied without being walked through.
class Overlay {
 public:
  Overlay() : slots_(kSlotsFirst) {}

  void Clear();
  /// Replaces what was staged for the same key.
  void Add(const StagedWrite& write);
  /// nullptr: the batch does not touch the row.
  const StagedWrite* Find(std::string_view key, std::uint64_t hash) const;

 private:
  static constexpr std::size_t kSlotsFirst = 1024;

  struct Slot {
    /// In use only when it is that of the overlay.
    std::uint64_t generation = 0;
    StagedWrite write{};
  };

  std::size_t PlaceOf(std::string_view key, std::uint64_t hash) const;
  void Grow();

  std::vector<Slot> slots_;
  std::uint64_t generation_ = 1;
  std::size_t used_ = 0;
};

/// In which batch a row was written last, as far as that can matter: by hash alone, so a row may
/// seem to have been written later than it was, never earlier. It lets the writer trust what a
/// caller read before it queued.
class LastWrites {
 public:
  LastWrites() : batches_(kSlots) {}

  void Note(std::uint64_t hash, std::uint64_t batch) { batches_[hash % kSlots] = batch; }
  bool UnchangedSince(std::uint64_t hash, std::uint64_t batch) const {
    return batches_[hash % kSlots] <= batch;
  }

 private:
  static constexpr std::size_t kSlots = std::size_t{1} << 15;

  std::vector<std::uint64_t> batches_;
};

}  // namespace atrium::rocks
