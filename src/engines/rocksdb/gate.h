// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace atrium::rocks {

/// Keeps the database open for those who use it. Passing costs two additions to a number that few
/// threads share; closing waits for all who are inside.
class Gate {
 public:
  /// Being inside. A thread may hold several.
  class Pass {
   public:
    explicit Pass(std::atomic<std::int64_t>& inside) : inside_(&inside) {}

   private:
    struct Leave {
      void operator()(std::atomic<std::int64_t>* inside) const { inside->fetch_sub(1); }
    };
    std::unique_ptr<std::atomic<std::int64_t>, Leave> inside_;
  };

  /// nullopt while it is closed.
  std::optional<Pass> Enter();

  /// Lets nobody in any more and waits for those inside. False, and open again, when one of them
  /// stays for longer than `patience`.
  bool Close(std::chrono::milliseconds patience);
  void Open() { open_.store(true); }

 private:
  struct alignas(64) Slot {
    std::atomic<std::int64_t> inside = 0;
  };

  bool Empty() const;

  std::atomic<bool> open_ = true;
  std::array<Slot, 32> slots_;
};

}  // namespace atrium::rocks
