// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0

// The limit that ./bench http compares with: threads that wait in epoll, look for the end of a
// request without understanding it, and send a constant. No server that reads its requests can be
// faster on the same machine.
//
// usage: raw_epoll PORT THREADS

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

struct Client {
  int descriptor;
  std::size_t bytes = 0;
  std::array<char, 8192> input;
};

std::string MakeReply() {
  const std::string body(192, 'x');
  return "HTTP/1.1 200 OK\r\nServer: raw\r\nDate: Sun, 15 Nov 2026 19:45:34 GMT\r\n"
         "Content-Type: application/json\r\nContent-Length: 192\r\n\r\n" +
         body;
}

int Listen(std::uint16_t port) {
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  const int on = 1;
  ::setsockopt(listener, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on);
  ::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(listener, 1024) != 0) {
    std::perror("listen");
    std::exit(1);
  }
  return listener;
}

void Watch(int poll, int descriptor, void* what, std::uint32_t events) {
  epoll_event event{};
  event.events = events;
  event.data.ptr = what;
  ::epoll_ctl(poll, EPOLL_CTL_ADD, descriptor, &event);
}

void AcceptAll(int poll, int listener) {
  const int on = 1;
  for (int descriptor = ::accept4(listener, nullptr, nullptr, SOCK_NONBLOCK); descriptor >= 0;
       descriptor = ::accept4(listener, nullptr, nullptr, SOCK_NONBLOCK)) {
    ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    Watch(poll, descriptor, new Client{.descriptor = descriptor, .input = {}}, EPOLLIN | EPOLLET);
  }
}

/// False when the client has gone.
bool Answer(Client& client, const std::string& reply) {
  for (;;) {
    const ssize_t count = ::recv(client.descriptor, client.input.data() + client.bytes,
                                 client.input.size() - client.bytes, 0);
    if (count <= 0) {
      return count < 0 && errno == EAGAIN;
    }
    client.bytes += static_cast<std::size_t>(count);
    for (;;) {
      const std::string_view input(client.input.data(), client.bytes);
      const std::size_t end = input.find("\r\n\r\n");
      if (end == std::string_view::npos) {
        break;
      }
      client.bytes -= end + 4;
      std::memmove(client.input.data(), client.input.data() + end + 4, client.bytes);
      if (::send(client.descriptor, reply.data(), reply.size(), MSG_NOSIGNAL) < 0) {
        return false;
      }
    }
    if (static_cast<std::size_t>(count) < client.input.size() / 2) {
      return true;  // It was all there was; asking again would cost a system call.
    }
  }
}

void Serve(std::uint16_t port) {
  const std::string reply = MakeReply();
  const int listener = Listen(port);
  const int poll = ::epoll_create1(0);
  Watch(poll, listener, nullptr, EPOLLIN);
  std::array<epoll_event, 128> events;
  for (;;) {
    const int count = ::epoll_wait(poll, events.data(), static_cast<int>(events.size()), -1);
    for (int i = 0; i < count; ++i) {
      auto* client = static_cast<Client*>(events[static_cast<std::size_t>(i)].data.ptr);
      if (client == nullptr) {
        AcceptAll(poll, listener);
      } else if (!Answer(*client, reply)) {
        ::close(client->descriptor);
        delete client;
      }
    }
  }
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) {
    std::fprintf(stderr, "usage: raw_epoll PORT THREADS\n");
    return 2;
  }
  const auto port = static_cast<std::uint16_t>(std::atoi(words[1]));
  std::vector<std::jthread> threads;
  for (int i = 0; i < std::atoi(words[2]); ++i) {
    threads.emplace_back([port] { Serve(port); });
  }
}
