// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cerrno>
#include <cstdint>
#include <utility>

#include "http/transport.h"

namespace atrium::http {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

/// One call may keep the thread this long busy before other connections have their turn.
constexpr std::uint64_t kSendFileBytesMax = std::uint64_t{1} << 20;

class PlainTransport final : public Transport {
 public:
  explicit PlainTransport(Socket socket) : socket_(std::move(socket)) {
    error_code ignored;
    socket_.non_blocking(true, ignored);
    // Refused by a control socket, which never delays.
    socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
  }

  Awaitable<bool> Handshake() override { co_return true; }

  Awaitable<Moved> Read(std::span<char> room) override {
    const auto [error, count] =
        co_await socket_.async_read_some(asio::buffer(room.data(), room.size()), kToken);
    co_return Moved{.bytes = count, .ok = !error};
  }

  Awaitable<bool> WaitReadable() override {
    const auto [error] = co_await socket_.async_wait(asio::socket_base::wait_read, kToken);
    co_return !error;
  }

  Moved TryRead(std::span<char> room) override {
    error_code error;
    const std::size_t count = socket_.read_some(asio::buffer(room.data(), room.size()), error);
    return {.bytes = count, .ok = !error || error == asio::error::would_block};
  }

  Moved TryWrite(std::string_view bytes) override {
    error_code error;
    const std::size_t count = socket_.write_some(asio::buffer(bytes.data(), bytes.size()), error);
    return {.bytes = count, .ok = !error || error == asio::error::would_block};
  }

  Awaitable<Moved> WriteSome(std::string_view bytes) override {
    const auto [error, count] =
        co_await socket_.async_write_some(asio::buffer(bytes.data(), bytes.size()), kToken);
    co_return Moved{.bytes = count, .ok = !error};
  }

  Awaitable<Moved> SendFileSome(const FileSlice& slice) override {
    for (;;) {
      auto offset = static_cast<off_t>(slice.offset);
      const auto bytes = static_cast<std::size_t>(std::min(slice.bytes, kSendFileBytesMax));
      const ssize_t sent = ::sendfile(socket_.native_handle(), *slice.descriptor, &offset, bytes);
      if (sent > 0) {
        co_return Moved{.bytes = static_cast<std::size_t>(sent), .ok = true};
      }
      if (sent == 0 || errno != EAGAIN) {
        co_return Moved{};  // The file has become shorter, or the client has gone.
      }
      const auto [error] = co_await socket_.async_wait(asio::socket_base::wait_write, kToken);
      if (error) {
        co_return Moved{};
      }
    }
  }

  Awaitable<void> ShutDown() override {
    error_code ignored;
    socket_.shutdown(asio::socket_base::shutdown_send, ignored);
    co_return;
  }

  std::size_t Available() override {
    error_code ignored;
    return socket_.available(ignored);
  }

  std::size_t Untaken() override { return UntakenBytes(socket_); }

  void Cancel() override {
    error_code ignored;
    socket_.cancel(ignored);
  }

  void Close() override {
    error_code ignored;
    socket_.close(ignored);
  }

 private:
  Socket socket_;
};

}  // namespace

std::size_t UntakenBytes(Socket& socket) {
  int bytes = 0;
  return ::ioctl(socket.native_handle(), SIOCOUTQ, &bytes) == 0 && bytes > 0
             ? static_cast<std::size_t>(bytes)
             : 0;
}

std::unique_ptr<Transport> MakePlainTransport(Socket socket) {
  return std::make_unique<PlainTransport>(std::move(socket));
}

}  // namespace atrium::http
