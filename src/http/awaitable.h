// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <functional>
#include <utility>

namespace atrium::http {

/// Each I/O thread runs an io_context of its own; naming its executor type saves the type erasure
/// of Asio's default.
using Executor = boost::asio::io_context::executor_type;

template <typename T>
using Awaitable = boost::asio::awaitable<T, Executor>;

using Token = boost::asio::as_tuple_t<boost::asio::use_awaitable_t<Executor>>;
inline constexpr Token kToken{};

/// Lets one coroutine wait until something else on the same thread says so. Set before Wait is
/// remembered, once.
class Signal {
 public:
  void Set() {
    if (waiter_) {
      std::exchange(waiter_, nullptr)();
    } else {
      set_ = true;
    }
  }

  Awaitable<void> Wait() {
    if (!std::exchange(set_, false)) {
      constexpr boost::asio::use_awaitable_t<Executor> kThrowing{};
      co_await boost::asio::async_initiate<const boost::asio::use_awaitable_t<Executor>, void()>(
          [this](auto&& handler) { waiter_ = std::forward<decltype(handler)>(handler); },
          kThrowing);
    }
  }

 private:
  std::move_only_function<void()> waiter_;
  bool set_ = false;
};

}  // namespace atrium::http
