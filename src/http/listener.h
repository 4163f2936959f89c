// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <boost/asio/ip/tcp.hpp>
#include <functional>
#include <memory>
#include <utility>

#include "base/ip_network.h"
#include "base/result.h"
#include "http/awaitable.h"
#include "http/server_options.h"

namespace atrium::http {

/// Closes what it holds.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.Release()) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() {
    if (number_ >= 0) {
      ::close(number_);
    }
  }

  int Get() const { return number_; }
  int Release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

/// A connection nobody serves yet. A bare descriptor, because a socket object of Asio belongs to
/// the event loop that made it.
struct Accepted {
  Descriptor descriptor;
  boost::asio::ip::tcp protocol;
  IpAddress peer;
};

/// One address that is listened on. One listener hands out to all threads in turn: with a few
/// long-lived connections the kernel's own spreading (SO_REUSEPORT) leaves threads idle, and lets a
/// second server bind the same port without a word.
class Listener {
 public:
  using Taker = std::function<void(Accepted)>;

  /// Binds and listens. kUnavailable when the address is in use or not ours, kInvalidArgument when
  /// it is no address.
  static Result<std::unique_ptr<Listener>> Open(const ListenAddress& address,
                                                boost::asio::io_context& context);

  void Start(Taker taker);
  /// On the listener's own thread: takes what waits in the kernel's queue, then closes.
  void AcceptRestAndClose();

  const ListenAddress& Address() const { return address_; }

 private:
  using Acceptor = boost::asio::basic_socket_acceptor<boost::asio::ip::tcp, Executor>;

  Listener(Acceptor acceptor, ListenAddress address);
  Awaitable<void> AcceptForever();
  /// False when there was nothing to accept, or nothing can be.
  bool AcceptOne();

  Acceptor acceptor_;
  ListenAddress address_;
  Taker taker_;
};

}  // namespace atrium::http
