// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

namespace atrium::http {

/// Carries "there is more" from any thread to the connection that waits for it, and outlives that
/// connection: what is woken after the client has gone wakes nobody.
class EventWaker : public std::enable_shared_from_this<EventWaker> {
 public:
  /// `on_wake` is called on the thread of `context`, until Detach.
  EventWaker(boost::asio::io_context& context, std::move_only_function<void()> on_wake)
      : context_(&context), on_wake_(std::move(on_wake)) {}

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
  }

 private:
  void Deliver() {
    bool attached = false;
    {
      const std::lock_guard lock(mutex_);
      posted_ = false;
      attached = context_ != nullptr;
    }
    if (attached) {
      on_wake_();
    }
  }

  std::mutex mutex_;
  // Guarded by mutex_; null once the connection has gone.
  boost::asio::io_context* context_;
  bool posted_ = false;
  // Called on the connection's thread alone.
  std::move_only_function<void()> on_wake_;
};

}  // namespace atrium::http
