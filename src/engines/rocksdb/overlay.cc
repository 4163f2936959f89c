// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/rocksdb/overlay.h"

#include <utility>

namespace atrium::rocks {

void Overlay::Clear() {
  ++generation_;
  used_ = 0;
}

void Overlay::Add(const StagedWrite& write) {
  if (2 * (used_ + 1) > slots_.size()) {
    Grow();
  }
  Slot& slot = slots_[PlaceOf(write.key, write.hash)];
  if (slot.generation != generation_) {
    slot.generation = generation_;
    ++used_;
  }
  slot.write = write;
}

const StagedWrite* Overlay::Find(std::string_view key, std::uint64_t hash) const {
  const Slot& slot = slots_[PlaceOf(key, hash)];
  return slot.generation == generation_ ? &slot.write : nullptr;
}

/// The slot of the key, or the free one where it would be.
std::size_t Overlay::PlaceOf(std::string_view key, std::uint64_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t place = hash & mask;
  while (slots_[place].generation == generation_ &&
         (slots_[place].write.hash != hash || slots_[place].write.key != key)) {
    place = (place + 1) & mask;
  }
  return place;
}

void Overlay::Grow() {
  std::vector<Slot> before(2 * slots_.size());
  std::swap(before, slots_);
  used_ = 0;
  for (const Slot& slot : before) {
    if (slot.generation == generation_) {
      Add(slot.write);
    }
  }
}

}  // namespace atrium::rocks
