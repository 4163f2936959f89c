// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "http/socket.h"
#include "lab_routes.h"

namespace atrium::lab {
namespace {

using http::Anyone;
using http::Method;
using http::Reply;
using http::Request;
using http::Route;
using http::SocketMessage;
using http::SocketSession;
using http::SocketTurn;
using http::Work;

using Opened = Result<std::unique_ptr<SocketSession>>;

constexpr std::size_t kMessageBytesMax = std::size_t{1} << 20;
constexpr std::string_view kProtocol = "echo.lab";

std::atomic<int>& SessionsAlive() {
  static std::atomic<int> count{0};
  return count;
}

/// Counted, to see that none is left behind.
class LabSession : public SocketSession {
 public:
  LabSession() { SessionsAlive().fetch_add(1); }
  LabSession(const LabSession&) = delete;
  LabSession& operator=(const LabSession&) = delete;
  ~LabSession() override { SessionsAlive().fetch_sub(1); }
};

/// Says again what it hears; some words make it do other things.
class EchoSession final : public LabSession {
 public:
  std::string_view Protocol() const override { return kProtocol; }

  Result<void> Receive(SocketMessage message) override {
    if (message.payload == "throw") {
      throw std::runtime_error("secret detail");
    }
    if (message.payload == "refuse") {
      return Fail(ErrorCode::kInvalidArgument, "that is refused");
    }
    if (message.payload == "break") {
      return FailPrivately(ErrorCode::kUnavailable, "secret detail");
    }
    if (message.payload == "end") {
      turn_.end = {.code = 4001, .reason = "as you wish"};
    }
    turn_.messages.push_back(std::move(message));
    return {};
  }

  Result<SocketTurn> Next(const Wake& /*wake*/) override { return std::exchange(turn_, {}); }

 private:
  SocketTurn turn_;
};

/// Takes its time over each message, and then says again what it was.
class SlowSession final : public LabSession {
 public:
  explicit SlowSession(std::chrono::milliseconds pause) : pause_(pause) {}

  Result<void> Receive(SocketMessage message) override {
    std::this_thread::sleep_for(pause_);
    turn_.messages.push_back(std::move(message));
    return {};
  }

  Result<SocketTurn> Next(const Wake& /*wake*/) override { return std::exchange(turn_, {}); }

 private:
  const std::chrono::milliseconds pause_;
  SocketTurn turn_;
};

/// "0", "1", and so on, then the end.
class CountingSession final : public LabSession {
 public:
  explicit CountingSession(std::uint64_t count) : count_(count) {}

  Result<void> Receive(SocketMessage /*message*/) override { return {}; }

  Result<SocketTurn> Next(const Wake& /*wake*/) override {
    SocketTurn turn;
    while (next_ < count_ && turn.messages.size() < 100) {
      turn.messages.push_back({.payload = std::to_string(next_++)});
    }
    if (next_ == count_) {
      turn.end = {.reason = "counted"};
    }
    return turn;
  }

 private:
  const std::uint64_t count_;
  std::uint64_t next_ = 0;
};

/// Never runs dry.
class FloodSession final : public LabSession {
 public:
  Result<void> Receive(SocketMessage /*message*/) override { return {}; }

  Result<SocketTurn> Next(const Wake& /*wake*/) override {
    SocketTurn turn;
    turn.messages.push_back(
        {.kind = SocketMessage::Kind::kBytes, .payload = std::string(std::size_t{64} << 10, 'x')});
    return turn;
  }
};

/// Rings for everybody who listens.
class Bell {
 public:
  void Ring(const std::string& text) {
    std::vector<SocketSession::Wake> listeners;
    {
      const std::lock_guard lock(mutex_);
      rung_.push_back(text);
      std::swap(listeners, listeners_);
    }
    for (const auto& wake : listeners) {
      wake();
    }
  }

  SocketTurn ListenFrom(std::size_t& first, const SocketSession::Wake& wake) {
    const std::lock_guard lock(mutex_);
    SocketTurn turn;
    for (; first < rung_.size(); ++first) {
      turn.messages.push_back({.payload = rung_[first]});
    }
    if (turn.messages.empty()) {
      listeners_.push_back(wake);
    }
    return turn;
  }

  std::size_t Count() const {
    const std::lock_guard lock(mutex_);
    return rung_.size();
  }

 private:
  mutable std::mutex mutex_;
  // Guarded by mutex_.
  std::vector<std::string> rung_;
  std::vector<SocketSession::Wake> listeners_;
};

Bell& TheBell() {
  static Bell bell;
  return bell;
}

class BellSession final : public LabSession {
 public:
  Result<void> Receive(SocketMessage /*message*/) override { return {}; }
  Result<SocketTurn> Next(const Wake& wake) override { return TheBell().ListenFrom(first_, wake); }

 private:
  std::size_t first_ = TheBell().Count();
};

/// Rings the bell by itself, in a thread of its own, for as long as the server runs.
void StartTicking(std::chrono::milliseconds every) {
  static std::jthread ticking([every](const std::stop_token& stop) {
    for (std::uint64_t tick = 0; !stop.stop_requested(); ++tick) {
      TheBell().Ring("tick " + std::to_string(tick));
      std::this_thread::sleep_for(every);
    }
  });
}

Route SocketRoute(std::string path, Work work, std::string summary) {
  return {.method = Method::kGet,
          .path = std::move(path),
          .access = Anyone(),
          .work = work,
          .summary = std::move(summary),
          .body_bytes_max = kMessageBytesMax};
}

void AddEchoes(http::Router& router) {
  for (const Work work : {Work::kQuick, Work::kBlocking}) {
    router.AddSocket(SocketRoute("/lab/sockets/echo/" + std::string(Name(work)), work,
                                 "Says again what it hears"),
                     [](const Request&) -> Opened { return std::make_unique<EchoSession>(); });
  }
  router.AddSocket(
      SocketRoute("/lab/sockets/slow/{milliseconds}", Work::kBlocking, "Thinks before it answers"),
      [](const Request&, std::uint32_t milliseconds) -> Opened {
        return std::make_unique<SlowSession>(std::chrono::milliseconds(milliseconds));
      });
}

void AddSpeakers(http::Router& router) {
  for (const Work work : {Work::kQuick, Work::kBlocking}) {
    router.AddSocket(
        SocketRoute("/lab/sockets/bell/" + std::string(Name(work)), work, "Hears the bell"),
        [](const Request&) -> Opened { return std::make_unique<BellSession>(); });
  }
  router.AddSocket(
      SocketRoute("/lab/sockets/ticks/{milliseconds}", Work::kQuick, "Hears the bell tick"),
      [](const Request&, std::uint32_t milliseconds) -> Opened {
        StartTicking(std::chrono::milliseconds(milliseconds));
        return std::make_unique<BellSession>();
      });
  router.AddSocket(SocketRoute("/lab/sockets/count/{count}", Work::kBlocking, "Counts and ends"),
                   [](const Request&, std::uint64_t count) -> Opened {
                     return std::make_unique<CountingSession>(count);
                   });
  router.AddSocket(SocketRoute("/lab/sockets/flood", Work::kBlocking, "Never stops talking"),
                   [](const Request&) -> Opened { return std::make_unique<FloodSession>(); });
  router.Add({.method = Method::kPost,
              .path = "/lab/sockets/bell",
              .access = Anyone(),
              .work = Work::kBlocking,
              .summary = "Rings the bell",
              .body_bytes_max = 4096},
             [](const Request& request) -> Result<Reply> {
               TheBell().Ring(std::string(request.body));
               return http::EmptyReply();
             });
}

void AddRefusals(http::Router& router) {
  router.AddSocket(SocketRoute("/lab/sockets/refused/{how}", Work::kBlocking, "Is never opened"),
                   [](const Request&, const std::string& how) -> Opened {
                     if (how == "throws") {
                       throw std::runtime_error("secret detail");
                     }
                     return Fail(ErrorCode::kPermissionDenied, "not for you");
                   });
  router.Add({.method = Method::kGet,
              .path = "/lab/sockets",
              .access = Anyone(),
              .work = Work::kQuick,
              .summary = "How many sessions there are"},
             [](const Request&) -> Result<Reply> {
               return http::TextReply(std::to_string(SessionsAlive().load()));
             });
}

}  // namespace

void AddSockets(http::Router& router) {
  AddEchoes(router);
  AddSpeakers(router);
  AddRefusals(router);
}

}  // namespace atrium::lab
