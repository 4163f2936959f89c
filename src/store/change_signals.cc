// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "store/change_signals.h"

#include <vector>

namespace atrium::store {

struct ChangeSignals::Watch::Listener {
  Place place;
  /// Held while `wake` runs.
  std::mutex mutex;
  /// Guarded by mutex; empty once the watch has ended.
  Wake wake;
};

ChangeSignals::Watch& ChangeSignals::Watch::operator=(Watch&& other) noexcept {
  if (this != &other) {
    const Watch old(std::move(*this));
    signals_ = other.signals_;
    listener_ = std::move(other.listener_);
  }
  return *this;
}

ChangeSignals::Watch::~Watch() {
  if (!listener_) {
    return;
  }
  {
    const std::scoped_lock lock(signals_->mutex_);
    const auto [begin, end] = signals_->listeners_.equal_range(listener_->place);
    for (auto at = begin; at != end; ++at) {
      if (at->second == listener_) {
        signals_->listeners_.erase(at);
        break;
      }
    }
  }
  const std::scoped_lock lock(listener_->mutex);
  listener_->wake = nullptr;
}

ChangeSignals::Watch ChangeSignals::Listen(const Table& log, std::string_view topic, Wake wake) {
  auto listener = std::make_shared<Watch::Listener>();
  listener->place = {log.number, std::string(topic)};
  listener->wake = std::move(wake);
  const std::scoped_lock lock(mutex_);
  listeners_.emplace(listener->place, listener);
  return {*this, std::move(listener)};
}

void ChangeSignals::Announce(const Table& log, std::string_view topic) {
  std::vector<std::shared_ptr<Watch::Listener>> called;
  {
    const std::scoped_lock lock(mutex_);
    const auto [begin, end] = listeners_.equal_range(Place(log.number, topic));
    for (auto at = begin; at != end; ++at) {
      called.push_back(at->second);
    }
  }
  for (const auto& listener : called) {
    const std::scoped_lock lock(listener->mutex);
    if (listener->wake) {
      listener->wake();
    }
  }
}

}  // namespace atrium::store
