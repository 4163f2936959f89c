// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/ssl/context.hpp>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "http/awaitable.h"
#include "http/body.h"

namespace atrium::http {

/// How many bytes moved. Not ok: the other side closed, the operation was cancelled, or the network
/// failed; the connection's own state says which of its reasons it was.
struct Moved {
  std::size_t bytes = 0;
  bool ok = false;
};

/// Bytes in and out of one socket, plain or through TLS. Used by one I/O thread; each wait can be
/// ended by Cancel.
class Transport {
 public:
  virtual ~Transport() = default;

  /// What must pass before the first byte; false when the other side cannot.
  virtual Awaitable<bool> Handshake() = 0;
  /// Waits for at least one byte.
  virtual Awaitable<Moved> Read(std::span<char> room) = 0;
  /// Waits until there is something to read, without a buffer to read it into. False at once when
  /// this transport cannot.
  virtual Awaitable<bool> WaitReadable() = 0;
  /// What can be had without waiting; zero bytes and ok when nothing can.
  virtual Moved TryRead(std::span<char> room) = 0;
  virtual Moved TryWrite(std::string_view bytes) = 0;
  /// Waits until at least one byte went out.
  virtual Awaitable<Moved> WriteSome(std::string_view bytes) = 0;
  virtual Awaitable<Moved> SendFileSome(const FileSlice& slice) = 0;
  /// Says that no more will be written.
  virtual Awaitable<void> ShutDown() = 0;
  /// Bytes that have arrived and were not read.
  virtual std::size_t Available() = 0;
  /// Bytes that were written and that the other side has not confirmed.
  virtual std::size_t Untaken() = 0;
  virtual void Cancel() = 0;
  virtual void Close() = 0;
};

/// Of any family, so that TCP and the control socket share their code.
using Socket = boost::asio::basic_stream_socket<boost::asio::generic::stream_protocol, Executor>;

/// What Transport::Untaken answers of this socket; zero when it cannot tell.
std::size_t UntakenBytes(Socket& socket);

std::unique_ptr<Transport> MakePlainTransport(Socket socket);
std::unique_ptr<Transport> MakeTlsTransport(
    Socket socket, const std::shared_ptr<boost::asio::ssl::context>& context);

}  // namespace atrium::http
