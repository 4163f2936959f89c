// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/constant_time.h"
#include "base/result.h"
#include "store/store.h"

namespace atrium::store {

/// What was concluded from rows, for a moment longer than the rows were looked at: who has this
/// token, what they may do here. Nearly every request asks that, and the answer is nearly always
/// the one of the request before.
///
/// A conclusion is dropped as soon as one of its tables is written through this store, whatever the
/// row, and when it is `max_age` old: a cluster is also written by others. Any thread.
template <typename T>
class Conclusions {
 public:
  struct Conclusion {
    std::shared_ptr<const T> value{};
    /// When it ceases to hold by itself.
    Instant until = Instant::max();
  };

  /// What requests are admitted by. Where more is at stake, conclusions are kept for less.
  static constexpr std::chrono::milliseconds kMaxAge = std::chrono::seconds(10);

  Conclusions(const Store& store, const Clock& clock, std::vector<const Table*> tables,
              std::chrono::milliseconds max_age = kMaxAge)
      : store_(store), clock_(clock), tables_(std::move(tables)), max_age_(max_age) {}

  /// What `conclude` answered for this key, or answers now. Keys may be secrets.
  template <typename Conclude>
  Result<std::shared_ptr<const T>> Get(std::string_view key, const Conclude& conclude) {
    const Instant now = clock_.Now();
    const std::uint64_t writes = store_.Writes().Of(tables_);
    Slot& slot = slots_[std::hash<std::string_view>()(key) % kSlots];
    if (std::shared_ptr<const Memory> memory = Look(slot);
        memory != nullptr && memory->Holds(key, writes, now, max_age_)) {
      return memory->conclusion.value;
    }
    ASSIGN_OR_RETURN(Conclusion fresh, conclude());
    auto value = fresh.value;
    Keep(slot, std::make_shared<const Memory>(std::string(key), writes, now, std::move(fresh)));
    return value;
  }

 private:
  static constexpr std::size_t kSlots = 1024;

  struct Memory {
    Memory(std::string text, std::uint64_t count, Instant now, Conclusion concluded)
        : key(std::move(text)), writes(count), since(now), conclusion(std::move(concluded)) {}

    bool Holds(std::string_view wanted, std::uint64_t count, Instant now,
               std::chrono::milliseconds max_age) const {
      return writes == count && now >= since && now < since + max_age && now < conclusion.until &&
             ConstantTimeEqual(key, wanted);
    }

    std::string key;
    std::uint64_t writes;
    Instant since;
    Conclusion conclusion;
  };
  struct Slot {
    std::mutex mutex;
    std::shared_ptr<const Memory> memory{};
  };

  static std::shared_ptr<const Memory> Look(Slot& slot) {
    const std::scoped_lock lock(slot.mutex);
    return slot.memory;
  }
  /// What it replaces is destroyed outside the lock.
  static void Keep(Slot& slot, std::shared_ptr<const Memory> memory) {
    const std::scoped_lock lock(slot.mutex);
    slot.memory.swap(memory);
  }

  const Store& store_;
  const Clock& clock_;
  const std::vector<const Table*> tables_;
  const std::chrono::milliseconds max_age_;
  std::array<Slot, kSlots> slots_;
};

}  // namespace atrium::store
