// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <cstdint>
#include <utility>
#include <vector>

#include "http/transport.h"

namespace atrium::http {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

/// The most one TLS record holds.
constexpr std::uint64_t kRecordBytes = 16384;

class TlsTransport final : public Transport {
 public:
  TlsTransport(Socket socket, std::shared_ptr<asio::ssl::context> context)
      : context_(std::move(context)), stream_(std::move(socket), *context_) {
    error_code ignored;
    stream_.next_layer().set_option(asio::ip::tcp::no_delay(true), ignored);
  }

  Awaitable<bool> Handshake() override {
    const auto [error] = co_await stream_.async_handshake(asio::ssl::stream_base::server, kToken);
    co_return !error;
  }

  Awaitable<Moved> Read(std::span<char> room) override {
    const auto [error, count] =
        co_await stream_.async_read_some(asio::buffer(room.data(), room.size()), kToken);
    co_return Moved{.bytes = count, .ok = !error};
  }

  Awaitable<bool> WaitReadable() override { co_return false; }

  Moved TryRead(std::span<char> /*room*/) override { return {.bytes = 0, .ok = true}; }

  Moved TryWrite(std::string_view /*bytes*/) override { return {.bytes = 0, .ok = true}; }

  Awaitable<Moved> WriteSome(std::string_view bytes) override {
    const auto [error, count] =
        co_await stream_.async_write_some(asio::buffer(bytes.data(), bytes.size()), kToken);
    co_return Moved{.bytes = count, .ok = !error};
  }

  Awaitable<Moved> SendFileSome(const FileSlice& slice) override {
    record_.resize(kRecordBytes);
    const ssize_t count = ::pread(*slice.descriptor, record_.data(),
                                  static_cast<std::size_t>(std::min(slice.bytes, kRecordBytes)),
                                  static_cast<off_t>(slice.offset));
    if (count <= 0) {
      co_return Moved{};
    }
    co_return co_await WriteSome({record_.data(), static_cast<std::size_t>(count)});
  }

  Awaitable<void> ShutDown() override { co_await stream_.async_shutdown(kToken); }

  std::size_t Available() override {
    error_code ignored;
    return stream_.next_layer().available(ignored);
  }

  std::size_t Untaken() override { return UntakenBytes(stream_.next_layer()); }

  void Cancel() override {
    error_code ignored;
    stream_.next_layer().cancel(ignored);
  }

  void Close() override {
    error_code ignored;
    stream_.next_layer().close(ignored);
  }

 private:
  std::shared_ptr<asio::ssl::context> context_;
  asio::ssl::stream<Socket> stream_;
  std::vector<char> record_;
};

}  // namespace

std::unique_ptr<Transport> MakeTlsTransport(Socket socket,
                                            const std::shared_ptr<asio::ssl::context>& context) {
  return std::make_unique<TlsTransport>(std::move(socket), context);
}

}  // namespace atrium::http
