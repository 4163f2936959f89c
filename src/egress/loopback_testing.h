// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <netinet/in.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/check.h"
#include "egress/message.h"

/// A small blocking HTTP server on 127.0.0.1, for tests that need a real socket at the other end.
/// It says exactly the bytes a test gives it, right or wrong.
namespace atrium::egress {

struct ReceivedRequest {
  std::string method;
  std::string target;
  /// Request line and headers as they came.
  std::string head;
  std::string body;
  /// Which connection it came on, from 0.
  int connection = 0;

  std::optional<std::string> FindHeader(std::string_view name) const {
    std::size_t at = head.find("\r\n");
    while (at != std::string::npos && at + 2 < head.size()) {
      const std::size_t start = at + 2;
      at = head.find("\r\n", start);
      const std::string_view line = std::string_view(head).substr(start, at - start);
      const std::size_t colon = line.find(':');
      if (colon != std::string_view::npos && SameHeaderName(line.substr(0, colon), name)) {
        const std::string_view value = line.substr(colon + 1);
        return std::string(value.substr(std::min(value.find_first_not_of(' '), value.size())));
      }
    }
    return std::nullopt;
  }
};

enum class Then : std::uint8_t {
  kKeepAlive,  ///< Reads the next request.
  kClose,
  kHang,  ///< Says nothing more and keeps the connection open until the client leaves.
};

struct ScriptedReply {
  std::string bytes;
  Then then = Then::kKeepAlive;
};

/// A complete response with its length.
inline ScriptedReply Respond(std::string_view status, const std::vector<Header>& headers = {},
                             std::string_view body = {}) {
  std::string bytes = "HTTP/1.1 " + std::string(status) + "\r\n";
  for (const Header& header : headers) {
    bytes += header.name + ": " + header.value + "\r\n";
  }
  bytes += "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
  return {.bytes = std::move(bytes)};
}

/// One accepted connection, plain or TLS.
class LoopbackStream {
 public:
  LoopbackStream(int socket, SSL_CTX* tls) : socket_(socket), ssl_(nullptr, SSL_free) {
    if (tls != nullptr) {
      ssl_.reset(SSL_new(tls));
      SSL_set_fd(ssl_.get(), socket);
      open_ = SSL_accept(ssl_.get()) == 1;
    }
  }

  /// Empty at the end of the stream.
  std::string Read() {
    std::array<char, 4096> buffer{};
    if (!open_) {
      return {};
    }
    const ssize_t got = ssl_ ? SSL_read(ssl_.get(), buffer.data(), static_cast<int>(buffer.size()))
                             : recv(socket_, buffer.data(), buffer.size(), 0);
    return {buffer.data(), got > 0 ? static_cast<std::size_t>(got) : 0};
  }

  /// Stops early when the client has left.
  void Write(std::string_view bytes) {
    while (open_ && !bytes.empty()) {
      const ssize_t sent = ssl_
                               ? SSL_write(ssl_.get(), bytes.data(), static_cast<int>(bytes.size()))
                               : send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) {
        return;
      }
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
  }

 private:
  int socket_;
  std::unique_ptr<SSL, void (*)(SSL*)> ssl_;
  bool open_ = true;
};

class LoopbackServer {
 public:
  /// Called on the connection's thread, so possibly several at once.
  using Handler = std::function<ScriptedReply(const ReceivedRequest&)>;

  explicit LoopbackServer(Handler handler, SSL_CTX* tls = nullptr)
      : handler_(std::move(handler)),
        tls_(tls),
        listener_(Listen()),
        acceptor_([this] { Accept(); }) {}
  LoopbackServer(const LoopbackServer&) = delete;
  LoopbackServer& operator=(const LoopbackServer&) = delete;

  ~LoopbackServer() {
    stopping_ = true;
    shutdown(listener_, SHUT_RDWR);
    acceptor_.join();
    close(listener_);
    for (Connection& connection : connections_) {
      shutdown(connection.socket, SHUT_RDWR);
      connection.thread.join();
      close(connection.socket);
    }
  }

  std::uint16_t Port() const { return port_; }
  std::string Url(std::string_view target = "/", std::string_view host = "127.0.0.1") const {
    return std::string(tls_ == nullptr ? "http://" : "https://") + std::string(host) + ":" +
           std::to_string(port_) + std::string(target);
  }

  /// What has arrived so far.
  std::vector<ReceivedRequest> Requests() const {
    const std::scoped_lock lock(mutex_);
    return requests_;
  }
  int ConnectionCount() const { return connection_count_; }

 private:
  struct Connection {
    int socket;
    std::thread thread;
  };

  int Listen() {
    const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    socklen_t length = sizeof address;
    Check(bind(listener, generic, length) == 0, "the loopback server can bind");
    Check(listen(listener, 64) == 0, "the loopback server can listen");
    Check(getsockname(listener, generic, &length) == 0, "the loopback server has a name");
    port_ = ntohs(address.sin_port);
    return listener;
  }

  void Accept() {
    while (!stopping_) {
      const int socket = accept(listener_, nullptr, nullptr);
      if (socket < 0) {
        return;
      }
      const int number = connection_count_++;
      connections_.push_back({.socket = socket, .thread = std::thread([this, socket, number] {
                                                  Serve(socket, number);
                                                })});
    }
  }

  void Serve(int socket, int number) {
    LoopbackStream stream(socket, tls_);
    std::string buffer;
    while (auto request = ReadRequest(stream, buffer)) {
      request->connection = number;
      {
        const std::scoped_lock lock(mutex_);
        requests_.push_back(*request);
      }
      const ScriptedReply reply = handler_(*request);
      stream.Write(reply.bytes);
      if (reply.then == Then::kHang) {
        while (!stream.Read().empty()) {
        }
      }
      if (reply.then != Then::kKeepAlive) {
        break;
      }
    }
    shutdown(socket, SHUT_RDWR);
  }

  /// nullopt when the client has left. What follows the request stays in `buffer`.
  static std::optional<ReceivedRequest> ReadRequest(LoopbackStream& stream, std::string& buffer) {
    std::size_t end = 0;
    while ((end = buffer.find("\r\n\r\n")) == std::string::npos) {
      if (!ReadMore(stream, buffer)) {
        return std::nullopt;
      }
    }
    ReceivedRequest request;
    request.head = buffer.substr(0, end + 2);
    buffer.erase(0, end + 4);
    const std::size_t space = request.head.find(' ');
    request.method = request.head.substr(0, space);
    request.target = request.head.substr(space + 1, request.head.find(' ', space + 1) - space - 1);
    std::size_t length = 0;
    if (const auto text = request.FindHeader("Content-Length")) {
      std::from_chars(text->data(), text->data() + text->size(), length);
    }
    while (buffer.size() < length) {
      if (!ReadMore(stream, buffer)) {
        return std::nullopt;
      }
    }
    request.body = buffer.substr(0, length);
    buffer.erase(0, length);
    return request;
  }

  static bool ReadMore(LoopbackStream& stream, std::string& buffer) {
    const std::string piece = stream.Read();
    buffer += piece;
    return !piece.empty();
  }

  Handler handler_;
  SSL_CTX* tls_;
  std::uint16_t port_ = 0;
  std::atomic<bool> stopping_{false};
  std::atomic<int> connection_count_{0};
  mutable std::mutex mutex_;
  // Guarded by mutex_.
  std::vector<ReceivedRequest> requests_;
  int listener_;
  // The acceptor's own until it has ended.
  std::list<Connection> connections_;
  // Last: it uses all of the above.
  std::thread acceptor_;
};

/// Answers each request with the next reply of a list, the last one for ever.
inline LoopbackServer::Handler Script(std::vector<ScriptedReply> replies) {
  auto next = std::make_shared<std::atomic<std::size_t>>(0);
  return [replies = std::move(replies), next](const ReceivedRequest&) {
    return replies[std::min(next->fetch_add(1), replies.size() - 1)];
  };
}

}  // namespace atrium::egress
