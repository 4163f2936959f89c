// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <memory>
#include <mutex>

#include "http/awaitable.h"

namespace atrium::http {

/// Carries "there is more" from any thread to the connection that waits for it, and outlives that
/// connection: what is woken after the client has gone wakes nobody.
class EventWaker : public std::enable_shared_from_this<EventWaker> {
 public:
  EventWaker(boost::asio::io_context& context, Signal& signal)
      : context_(&context), signal_(&signal) {}

  /// From any thread. Many calls before the connection has looked are one.
  void Wake() {
    const std::lock_guard lock(mutex_);
    if (context_ == nullptr || posted_) {
      return;
    }
    posted_ = true;
    boost::asio::post(*context_, [self = shared_from_this()] { self->Deliver(); });
  }

  /// From the connection's own thread, before it goes.
  void Detach() {
    const std::lock_guard lock(mutex_);
    context_ = nullptr;
    signal_ = nullptr;
  }

 private:
  void Deliver() {
    Signal* signal = nullptr;
    {
      const std::lock_guard lock(mutex_);
      posted_ = false;
      signal = signal_;
    }
    if (signal != nullptr) {
      signal->Set();
    }
  }

  std::mutex mutex_;
  // Guarded by mutex_; null once the connection has gone.
  boost::asio::io_context* context_;
  Signal* signal_;
  bool posted_ = false;
};

}  // namespace atrium::http
