// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/descriptor.h"
#include "base/ip_network.h"
#include "base/result.h"
#include "http/awaitable.h"
#include "http/control_socket.h"
#include "http/request.h"
#include "http/server_options.h"

namespace atrium::http {

/// A connection nobody serves yet. A bare descriptor, because a socket object of Asio belongs to
/// the event loop that made it.
struct Accepted {
  Descriptor descriptor;
  /// AF_INET, AF_INET6 or AF_UNIX.
  int family = 0;
  IpAddress peer{};
  Origin origin = Origin::kNetwork;
};

/// One address, or the control socket, that is listened on. One listener hands out to all threads
/// in turn: with a few long-lived connections the kernel's own spreading (SO_REUSEPORT) leaves
/// threads idle, and lets a second server bind the same port without a word.
class Listener {
 public:
  using Taker = std::function<void(Accepted)>;

  /// Binds and listens. kUnavailable when the address is in use or not ours, kInvalidArgument when
  /// it is no address.
  static Result<std::unique_ptr<Listener>> Open(const ListenAddress& address,
                                                boost::asio::io_context& context);

  /// The same for the control socket; errors as of ControlSocket::Listen.
  static Result<std::unique_ptr<Listener>> OpenControl(const std::string& path,
                                                       boost::asio::io_context& context);

  void Start(Taker taker);
  /// On the listener's own thread: takes what waits in the kernel's queue, then closes.
  void AcceptRestAndClose();

  /// Of the control socket: empty.
  const ListenAddress& Address() const { return address_; }

 private:
  using Acceptor =
      boost::asio::basic_socket_acceptor<boost::asio::generic::stream_protocol, Executor>;

  Listener(Acceptor acceptor, ListenAddress address, std::optional<ControlSocket> control);
  Awaitable<void> AcceptForever();
  /// False when there was nothing to accept, or nothing can be.
  bool AcceptOne();

  Acceptor acceptor_;
  ListenAddress address_;
  std::optional<ControlSocket> control_;
  Taker taker_;
};

}  // namespace atrium::http
