// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/listener.h"

#include <netinet/in.h>
#include <sys/socket.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "base/log.h"

namespace atrium::http {
namespace {

namespace asio = boost::asio;
using asio::generic::stream_protocol;
using asio::ip::tcp;
using boost::system::error_code;

constexpr int kBacklog = 4096;
/// How many are taken in one go before the loop looks at its other work.
constexpr int kAcceptBatch = 64;
constexpr std::chrono::milliseconds kPauseWithoutDescriptors{100};

IpAddress AddressOf(const sockaddr_storage& storage) {
  if (storage.ss_family == AF_INET) {
    sockaddr_in address{};
    std::memcpy(&address, &storage, sizeof address);
    IpAddress::V4Bytes bytes;
    std::memcpy(bytes.data(), &address.sin_addr, bytes.size());
    return IpAddress(bytes);
  }
  if (storage.ss_family != AF_INET6) {
    return {};
  }
  sockaddr_in6 address{};
  std::memcpy(&address, &storage, sizeof address);
  IpAddress::V6Bytes bytes;
  std::memcpy(bytes.data(), &address.sin6_addr, bytes.size());
  return IpAddress(bytes).Unmapped();
}

/// Where the port stands is the same in both families.
std::uint16_t PortOf(const stream_protocol::endpoint& endpoint) {
  sockaddr_in address{};
  std::memcpy(&address, endpoint.data(), sizeof address);
  return ntohs(address.sin_port);
}

}  // namespace

Listener::Listener(Acceptor acceptor, ListenAddress address, std::optional<ControlSocket> control)
    : acceptor_(std::move(acceptor)), address_(std::move(address)), control_(std::move(control)) {}

Result<std::unique_ptr<Listener>> Listener::Open(const ListenAddress& address,
                                                 asio::io_context& context) {
  error_code error;
  const asio::ip::address parsed = asio::ip::make_address(address.address, error);
  if (error) {
    return Fail(ErrorCode::kInvalidArgument, "\"" + address.address + "\" is not an IP address");
  }
  const stream_protocol::endpoint endpoint(tcp::endpoint(parsed, address.port));
  Acceptor acceptor(context.get_executor());
  acceptor.open(parsed.is_v4() ? tcp::v4() : tcp::v6(), error);
  if (!error) {
    acceptor.set_option(asio::socket_base::reuse_address(true), error);
  }
  if (!error) {
    acceptor.bind(endpoint, error);
  }
  if (!error) {
    acceptor.listen(kBacklog, error);
  }
  if (!error) {
    acceptor.non_blocking(true, error);
  }
  if (error) {
    return Fail(ErrorCode::kUnavailable, "cannot listen on " + address.address + " port " +
                                             std::to_string(address.port) + ": " + error.message());
  }
  ListenAddress bound = address;
  bound.port = PortOf(acceptor.local_endpoint(error));
  return std::unique_ptr<Listener>(
      new Listener(std::move(acceptor), std::move(bound), std::nullopt));
}

Result<std::unique_ptr<Listener>> Listener::OpenControl(const std::string& path,
                                                        asio::io_context& context) {
  ASSIGN_OR_RETURN(ControlSocket control, ControlSocket::Listen(path));
  Acceptor acceptor(context.get_executor());
  error_code error;
  acceptor.assign(stream_protocol(AF_UNIX, 0), control.Release(), error);
  if (!error) {
    acceptor.non_blocking(true, error);
  }
  if (error) {
    return Fail(ErrorCode::kUnavailable, path + ": cannot listen: " + error.message());
  }
  return std::unique_ptr<Listener>(new Listener(std::move(acceptor), {}, std::move(control)));
}

void Listener::Start(Taker taker) {
  taker_ = std::move(taker);
  asio::co_spawn(acceptor_.get_executor(), AcceptForever(), asio::detached);
}

bool Listener::AcceptOne() {
  sockaddr_storage storage{};
  socklen_t length = sizeof storage;
  const int descriptor = ::accept4(acceptor_.native_handle(), reinterpret_cast<sockaddr*>(&storage),
                                   &length, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (descriptor < 0) {
    return errno == ECONNABORTED || errno == EINTR;
  }
  taker_({.descriptor = Descriptor(descriptor),
          .family = storage.ss_family,
          .peer = AddressOf(storage),
          .origin = control_ ? Origin::kControlSocket : Origin::kNetwork});
  return true;
}

Awaitable<void> Listener::AcceptForever() {
  asio::basic_waitable_timer<std::chrono::steady_clock,
                             asio::wait_traits<std::chrono::steady_clock>, Executor>
      pause(acceptor_.get_executor());
  for (;;) {
    const auto [error] = co_await acceptor_.async_wait(asio::socket_base::wait_read, kToken);
    if (error) {
      co_return;
    }
    int taken = 0;
    errno = 0;
    while (taken < kAcceptBatch && AcceptOne()) {
      ++taken;
    }
    if (taken == 0 && (errno == EMFILE || errno == ENFILE || errno == ENOMEM)) {
      log::Warn("cannot accept connections", {{"error", std::strerror(errno)}});
      pause.expires_after(kPauseWithoutDescriptors);
      co_await pause.async_wait(kToken);
    }
  }
}

void Listener::AcceptRestAndClose() {
  if (control_) {
    control_->Remove();
  }
  while (AcceptOne()) {
  }
  error_code ignored;
  acceptor_.close(ignored);
}

}  // namespace atrium::http
