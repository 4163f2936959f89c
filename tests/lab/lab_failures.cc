// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "http/socket.h"
#include "lab_routes.h"

namespace atrium::lab {
namespace {

using http::Anyone;
using http::BodySink;
using http::Method;
using http::Reply;
using http::Request;
using http::Route;
using http::SocketMessage;
using http::SocketSession;
using http::SocketTurn;
using http::Work;

constexpr std::size_t kBodyBytesMax = std::size_t{1} << 30;

/// A bug of a room, of the kind that the address names.
[[noreturn]] void Throw(std::string_view what) {
  if (what == "memory") {
    throw std::bad_alloc();
  }
  if (what == "number") {
    throw 42;
  }
  throw std::runtime_error("secret detail");
}

/// Throws where it is told to.
class ThrowingSink final : public BodySink {
 public:
  ThrowingSink(std::string where, std::string what)
      : where_(std::move(where)), what_(std::move(what)) {}

  Result<void> Write(std::span<const std::byte> /*piece*/) override {
    if (where_ == "write") {
      Throw(what_);
    }
    return {};
  }

  Result<Reply> Finish() override { Throw(what_); }

 private:
  const std::string where_;
  const std::string what_;
};

class ThrowingSource final : public http::BodySource {
 public:
  explicit ThrowingSource(std::string what) : what_(std::move(what)) {}

  Result<std::optional<std::string>> Next() override {
    if (std::exchange(begun_, true)) {
      Throw(what_);
    }
    return "begun\n";
  }

 private:
  const std::string what_;
  bool begun_ = false;
};

class ThrowingEvents final : public http::EventSource {
 public:
  explicit ThrowingEvents(std::string what) : what_(std::move(what)) {}

  Result<std::optional<std::string>> Next(const Wake& wake) override {
    if (std::exchange(begun_, true)) {
      Throw(what_);
    }
    wake();
    return http::RenderEvent("1", "begun", "");
  }

 private:
  const std::string what_;
  bool begun_ = false;
};

/// Throws what it hears.
class ThrowingSession final : public SocketSession {
 public:
  Result<void> Receive(SocketMessage message) override { Throw(message.payload); }
  Result<SocketTurn> Next(const Wake& /*wake*/) override { return SocketTurn{}; }
};

class ThrowingRule final : public http::AccessRule {
 public:
  std::string_view Name() const override { return "throwing"; }
  Result<std::shared_ptr<const http::Principal>> Admit(const Request& request) const override {
    Throw(request.path.substr(request.path.rfind('/') + 1));
  }
};

const http::AccessRule& TheThrowingRule() {
  static const ThrowingRule rule;
  return rule;
}

/// The last word of the path.
class NamedByPath final : public http::Principal {
 public:
  explicit NamedByPath(const Request& request)
      : name_(request.path.substr(request.path.rfind('/') + 1)) {}
  std::string Name() const override { return name_; }

 private:
  const std::string name_;
};

/// Lets everybody in, and throws what they are called when they are looked at again.
class ThrowingLaterRule final : public http::AccessRule {
 public:
  std::string_view Name() const override { return "throws-later"; }
  Result<std::shared_ptr<const http::Principal>> Admit(const Request& request) const override {
    return std::make_shared<const NamedByPath>(request);
  }
  Result<void> Readmit(const http::Admitted& admitted, http::Staleness /*allowed*/) const override {
    Throw(admitted.principal->Name());
  }
};

const http::AccessRule& TheThrowingLaterRule() {
  static const ThrowingLaterRule rule;
  return rule;
}

/// Lets everybody in, takes its time to look at them again, and lets no guest stay once all that
/// are held were released.
class SlowLaterRule final : public http::AccessRule {
 public:
  std::string_view Name() const override { return "slow-later"; }
  Result<std::shared_ptr<const http::Principal>> Admit(const Request& request) const override {
    return std::make_shared<const NamedByPath>(request);
  }
  Result<void> Readmit(const http::Admitted& admitted, http::Staleness /*allowed*/) const override {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    if (IsReleased() && admitted.principal->Name() == "guest") {
      return Fail(ErrorCode::kPermissionDenied, "not any more");
    }
    return {};
  }
};

const http::AccessRule& TheSlowLaterRule() {
  static const SlowLaterRule rule;
  return rule;
}

class SilentEvents final : public http::EventSource {
 public:
  Result<std::optional<std::string>> Next(const Wake& /*wake*/) override { return ""; }
};

Route RouteOf(Method method, std::string path, Work work) {
  return {.method = method,
          .path = "/lab/throws/" + std::move(path),
          .access = Anyone(),
          .work = work,
          .summary = "A bug",
          .body_bytes_max = method == Method::kPut ? kBodyBytesMax : 0};
}

void AddThrowingAnswers(http::Router& router) {
  for (const Work work : {Work::kQuick, Work::kBlocking}) {
    const std::string kind(Name(work));
    router.Add(RouteOf(Method::kGet, kind + "/handler/{what}", work),
               [](const Request&, const std::string& what) -> Result<Reply> { Throw(what); });
    Route events = RouteOf(Method::kGet, kind + "/events/{what}", work);
    events.gives = http::Gives::kStream;
    router.Add(std::move(events), [](const Request&, const std::string& what) -> Result<Reply> {
      return Reply{.content_type = "text/event-stream",
                   .body = std::make_unique<ThrowingEvents>(what)};
    });
    Route session = RouteOf(Method::kGet, kind + "/session", work);
    session.body_bytes_max = 1024;
    router.AddSocket(std::move(session),
                     [](const Request&) -> Result<std::unique_ptr<SocketSession>> {
                       return std::make_unique<ThrowingSession>();
                     });
  }
  router.Add(RouteOf(Method::kGet, "blocking/source/{what}", Work::kBlocking),
             [](const Request&, const std::string& what) -> Result<Reply> {
               return Reply{.content_type = "text/plain",
                            .body = std::make_unique<ThrowingSource>(what)};
             });
  router.Add(
      {.method = Method::kGet,
       .path = "/lab/throws/rule/{what}",
       .access = TheThrowingRule(),
       .work = Work::kQuick,
       .summary = "A bug"},
      [](const Request&, const std::string&) -> Result<Reply> { return http::EmptyReply(); });
}

Route LastingRoute(std::string_view kind) {
  return {.method = Method::kGet,
          .path = "/lab/throws/readmit/" + std::string(kind) + "/{what}",
          .access = TheThrowingLaterRule(),
          .work = Work::kQuick,
          .summary = "A bug, while it lasts",
          .gives = http::Gives::kStream};
}

void AddThrowingLater(http::Router& router) {
  router.Add(LastingRoute("events"), [](const Request&, const std::string&) -> Result<Reply> {
    return Reply{.content_type = "text/event-stream", .body = std::make_unique<SilentEvents>()};
  });
  Route socket = LastingRoute("socket");
  socket.body_bytes_max = 1024;
  router.AddSocket(
      std::move(socket),
      [](const Request&, const std::string&) -> Result<std::unique_ptr<SocketSession>> {
        return std::make_unique<ThrowingSession>();
      });
}

void AddSlowLater(http::Router& router) {
  router.Add({.method = Method::kGet,
              .path = "/lab/slow-later/{who}",
              .access = TheSlowLaterRule(),
              .work = Work::kQuick,
              .summary = "Silence, while one may listen",
              .gives = http::Gives::kStream},
             [](const Request&, const std::string&) -> Result<Reply> {
               return Reply{.content_type = "text/event-stream",
                            .body = std::make_unique<SilentEvents>()};
             });
}

void AddThrowingUploads(http::Router& router) {
  router.AddUpload(RouteOf(Method::kPut, "upload/{where}/{what}", Work::kBlocking),
                   [](const Request&, const std::string& where,
                      const std::string& what) -> Result<std::unique_ptr<BodySink>> {
                     if (where == "receive") {
                       Throw(what);
                     }
                     return std::make_unique<ThrowingSink>(where, what);
                   });
}

/// Keeps a processor busy, as much as that is possible.
void AddCostly(http::Router& router) {
  router.Add({.method = Method::kGet,
              .path = "/lab/busy/{milliseconds}",
              .access = Anyone(),
              .work = Work::kBlocking,
              .summary = "Thinks hard"},
             [](const Request&, std::uint32_t milliseconds) -> Result<Reply> {
               const auto end =
                   std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
               while (std::chrono::steady_clock::now() < end) {
               }
               return http::TextReply("thought");
             });
}

}  // namespace

void AddFailures(http::Router& router) {
  AddThrowingAnswers(router);
  AddThrowingLater(router);
  AddSlowLater(router);
  AddThrowingUploads(router);
  AddCostly(router);
}

}  // namespace atrium::lab
