// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "store/record.h"
#include "store/row.h"

namespace atrium::store {

/// Whether nearly every request reads records of this kind: who calls, and what they may. To be
/// specialised beside the collection; Find() then decodes what it has just decoded no second time.
template <typename T>
inline constexpr bool kIsReadAllTheTime = false;

/// DecodeRecord() with a memory of fixed size. Always right, without anything to invalidate: equal
/// documents are equal records. Any thread.
template <typename T>
class DecodedRecords {
 public:
  Result<Stored<T>> Decode(std::string_view document, Version version) {
    Slot& slot = slots_[std::hash<std::string_view>()(document) % kSlots];
    std::shared_ptr<const Memory> memory = Look(slot);
    if (memory == nullptr || memory->document != document) {
      ASSIGN_OR_RETURN(Stored<T> fresh, DecodeRecord<T>(document, version));
      memory = std::make_shared<const Memory>(std::string(document), std::move(fresh));
      Keep(slot, memory);
    }
    Stored<T> stored = memory->stored;
    stored.version = version;
    return stored;
  }

 private:
  static constexpr std::size_t kSlots = 1024;

  struct Memory {
    Memory(std::string text, Stored<T> decoded)
        : document(std::move(text)), stored(std::move(decoded)) {}
    std::string document;
    Stored<T> stored;
  };
  struct Slot {
    std::mutex mutex;
    std::shared_ptr<const Memory> memory{};
  };

  static std::shared_ptr<const Memory> Look(Slot& slot) {
    const std::scoped_lock lock(slot.mutex);
    return slot.memory;
  }
  /// What it replaces is destroyed outside the lock, with the caller's last pointer.
  static void Keep(Slot& slot, std::shared_ptr<const Memory> memory) {
    const std::scoped_lock lock(slot.mutex);
    slot.memory.swap(memory);
  }

  std::array<Slot, kSlots> slots_;
};

/// What Find() decodes with.
template <typename T>
Result<Stored<T>> DecodeFound(std::string_view document, Version version) {
  if constexpr (kIsReadAllTheTime<T>) {
    static DecodedRecords<T> decoded;
    return decoded.Decode(document, version);
  } else {
    return DecodeRecord<T>(document, version);
  }
}

}  // namespace atrium::store
