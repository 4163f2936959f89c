// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "store/table.h"

namespace atrium::store {

/// Wakes who waits for changes of a topic, within this process: after a commit that appended to
/// it, never before the commit is durable. All members may be called from any thread.
class ChangeSignals {
 public:
  using Wake = std::function<void()>;

  /// Ends the watch when it is destroyed; a call that is under way on another thread is waited for.
  class Watch {
   public:
    Watch() = default;
    Watch(Watch&& other) noexcept = default;
    Watch& operator=(Watch&& other) noexcept;
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;
    ~Watch();

   private:
    friend class ChangeSignals;
    struct Listener;
    Watch(ChangeSignals& signals, std::shared_ptr<Listener> listener)
        : signals_(&signals), listener_(std::move(listener)) {}

    ChangeSignals* signals_ = nullptr;
    std::shared_ptr<Listener> listener_;
  };

  /// `wake` must be quick, must not throw, and may be called more often than there are changes. It
  /// must not begin or end a watch.
  [[nodiscard]] Watch Listen(const Table& log, std::string_view topic, Wake wake);

  void Announce(const Table& log, std::string_view topic);

 private:
  using Place = std::pair<std::uint16_t, std::string>;

  std::mutex mutex_;
  // Guarded by mutex_.
  std::multimap<Place, std::shared_ptr<Watch::Listener>> listeners_;
};

}  // namespace atrium::store
