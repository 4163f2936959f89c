// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "mail/courier.h"

#include <functional>
#include <mutex>
#include <stop_token>
#include <utility>

#include "mail/keys.h"
#include "store/change_signals.h"

namespace atrium::mail {

Courier::Courier(store::ChangeSignals& signals, std::function<void()> wake)
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
    wake_();
  }
}

}  // namespace atrium::mail
