// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "mail/courier.h"

#include <chrono>
#include <functional>
#include <mutex>
#include <stop_token>
#include <utility>

#include "mail/keys.h"
#include "store/change_signals.h"

namespace atrium::mail {
namespace {

constexpr std::chrono::milliseconds kPause{50};

}  // namespace

Courier::Courier(store::ChangeSignals& signals, std::function<bool()> wake)
    : wake_(std::move(wake)), thread_([this](const std::stop_token& stop) { Run(stop); }) {
  watch_ = signals.Listen(kOutgoingAdded, kAddedTopic, [this] {
    {
      const std::scoped_lock lock(mutex_);
      queued_ = true;
    }
    changed_.notify_one();
  });
}

Courier::~Courier() {
  watch_ = {};
  thread_.request_stop();
}

void Courier::Run(const std::stop_token& stop) {
  while (true) {
    {
      std::unique_lock lock(mutex_);
      if (!changed_.wait(lock, stop, [this] { return queued_; })) {
        return;
      }
      queued_ = false;
    }
    if (stop.stop_requested()) {
      return;
    }
    if (!wake_()) {
      WakeAgainSoon(stop);
    }
  }
}

void Courier::WakeAgainSoon(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, stop, kPause, [] { return false; });
  queued_ = true;
}

}  // namespace atrium::mail
