// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0

// Sends requests that were prepared, each once: for uploads, where every request needs bytes of its
// own and a load generator that made them while the clock runs would measure itself.
//
// usage: replay PORT THREADS CONNECTIONS SECONDS FILE
//
// FILE holds requests as they go over the wire, each behind its length: eight bytes, little-endian.
// Prints requests per second and ends with 1 when a reply is no success. Ends early when all
// requests are sent.

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void Die(const char* what) {
  std::perror(what);
  std::exit(1);
}

std::vector<std::string_view> ReadRequests(const char* path) {
  const int file = ::open(path, O_RDONLY | O_CLOEXEC);
  struct stat status{};
  if (file < 0 || ::fstat(file, &status) != 0) {
    Die(path);
  }
  const auto bytes = static_cast<std::size_t>(status.st_size);
  // Read once in advance, and never given back: the program ends first.
  void* start = ::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
  if (start == MAP_FAILED) {
    Die("mmap");
  }
  std::string_view rest(static_cast<const char*>(start), bytes);
  std::vector<std::string_view> requests;
  while (rest.size() > sizeof(std::uint64_t)) {
    std::uint64_t length = 0;
    std::memcpy(&length, rest.data(), sizeof length);
    rest.remove_prefix(sizeof length);
    requests.push_back(rest.substr(0, length));
    rest.remove_prefix(requests.back().size());
  }
  return requests;
}

int Connect(std::uint16_t port) {
  const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int on = 1;
  ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    Die("connect");
  }
  return descriptor;
}

/// What all threads share.
struct Work {
  std::vector<std::string_view> requests;
  std::atomic<std::size_t> next = 0;
  std::atomic<std::size_t> answered = 0;
  Clock::time_point until;

  /// Empty when there is nothing more to do.
  std::string_view Take() {
    const std::size_t place = next.fetch_add(1);
    return place < requests.size() && Clock::now() < until ? requests[place] : std::string_view{};
  }
};

/// The value of Content-Length in a head, in the spelling that servers of today use.
std::size_t LengthIn(std::string_view head) {
  for (const std::string_view name : {"Content-Length: ", "content-length: "}) {
    const std::size_t place = head.find(name);
    if (place != std::string_view::npos) {
      std::size_t length = 0;
      const char* start = head.data() + place + name.size();
      std::from_chars(start, head.data() + head.size(), length);
      return length;
    }
  }
  return 0;
}

class Client {
 public:
  explicit Client(std::uint16_t port) : descriptor_(Connect(port)) {}
  int Descriptor() const { return descriptor_; }

  void Send(std::string_view request) const {
    while (!request.empty()) {
      const ssize_t sent = ::send(descriptor_, request.data(), request.size(), MSG_NOSIGNAL);
      if (sent <= 0) {
        Die("send");
      }
      request.remove_prefix(static_cast<std::size_t>(sent));
    }
  }

  /// Whether the reply is complete with what has arrived now.
  bool Receive() {
    char piece[65536];
    const ssize_t got = ::recv(descriptor_, piece, sizeof piece, 0);
    if (got <= 0) {
      Die("recv");
    }
    reply_.append(piece, static_cast<std::size_t>(got));
    const std::size_t head = reply_.find("\r\n\r\n");
    if (head == std::string::npos ||
        reply_.size() < head + 4 + LengthIn(std::string_view(reply_).substr(0, head))) {
      return false;
    }
    if (!reply_.starts_with("HTTP/1.1 2")) {
      std::fprintf(stderr, "%s\n", reply_.c_str());
      std::exit(1);
    }
    reply_.clear();
    return true;
  }

 private:
  int descriptor_;
  std::string reply_;
};

/// Sends the next request; false when there is none.
bool Begin(Work& work, const Client& client) {
  const std::string_view request = work.Take();
  if (request.empty()) {
    return false;
  }
  client.Send(request);
  return true;
}

void Drive(Work& work, std::span<Client> clients) {
  const int poll = ::epoll_create1(EPOLL_CLOEXEC);
  std::size_t busy = 0;
  for (Client& client : clients) {
    epoll_event event{.events = EPOLLIN, .data = {.ptr = &client}};
    ::epoll_ctl(poll, EPOLL_CTL_ADD, client.Descriptor(), &event);
    busy += Begin(work, client) ? 1 : 0;
  }
  while (busy > 0) {
    epoll_event events[64];
    const int count = ::epoll_wait(poll, events, 64, -1);
    for (int i = 0; i < count; ++i) {
      auto& client = *static_cast<Client*>(events[i].data.ptr);
      if (client.Receive()) {
        work.answered.fetch_add(1);
        busy -= Begin(work, client) ? 0 : 1;
      }
    }
  }
  ::close(poll);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) {
    std::fprintf(stderr, "usage: replay PORT THREADS CONNECTIONS SECONDS FILE\n");
    return 2;
  }
  const auto port = static_cast<std::uint16_t>(std::atoi(argv[1]));
  const auto threads = static_cast<std::size_t>(std::atoi(argv[2]));
  const auto each = static_cast<std::size_t>(std::atoi(argv[3])) / threads;
  Work work{.requests = ReadRequests(argv[5]), .until = {}};
  std::vector<std::vector<Client>> clients(threads);
  for (std::vector<Client>& some : clients) {
    for (std::size_t i = 0; i < each; ++i) {
      some.emplace_back(port);
    }
  }
  const Clock::time_point started = Clock::now();
  work.until = started + std::chrono::seconds(std::atoi(argv[4]));
  {
    std::vector<std::jthread> crew;
    for (std::vector<Client>& some : clients) {
      crew.emplace_back([&work, &some] { Drive(work, some); });
    }
  }
  const std::chrono::duration<double> took = Clock::now() - started;
  std::printf("%.2f\n", static_cast<double>(work.answered.load()) / took.count());
  return 0;
}
