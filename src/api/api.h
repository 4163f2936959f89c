// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <type_traits>
#include <utility>

#include "api/request_warrant.h"
#include "base/clock.h"
#include "base/result.h"
#include "http/body.h"
#include "http/reply.h"
#include "http/request.h"
#include "http/route.h"
#include "http/router.h"
#include "http/socket.h"
#include "store/op_context.h"
#include "store/store.h"

namespace atrium::api {

/// What a route of our own API is called with. Lives as long as the call.
struct Call {
  const http::Request& request;
  /// For the store: with the time left, the id of the request, the right by which it writes and,
  /// where the client named its request, the name.
  store::OpContext op{};
};

/// How long a request may keep the store busy.
inline constexpr std::chrono::seconds kTimeForStore{30};

/// What a route that takes a streamed body is called with. May be kept for as long as the body
/// takes.
struct Upload {
  const http::Request& request;
  const Clock& clock;
  RequestWarrant warrant;

  /// For the store, now: how long the body has taken does not count. Good for as long as this is.
  store::OpContext Terms() const {
    return {.deadline = clock.Steady() + kTimeForStore, .trace = request.id, .warrant = &warrant};
  }
};

/// Adds the routes of rooms to the router, with what all of them share: the terms under which they
/// ask the store, and named requests. A client that sends `Idempotency-Key` with an unsafe method
/// gets the same answer however often it sends the request within a day, and the effect once; the
/// header `Idempotency-Replayed: true` marks an answer that was given before. The same key with
/// another request is 422. All of it outlives the router.
class Api {
 public:
  Api(http::Router& router, store::Store& store, const Clock& clock)
      : router_(router), store_(store), clock_(clock) {}

  /// `handler`: Result<http::Reply>(const Call&, Params...). An unsafe one makes one commit, and
  /// what it answers is what it put into the batch, with the version as ETag.
  template <typename Handler>
  void Add(http::Route route, Handler handler,
           const std::source_location& where = std::source_location::current()) {
    const http::AccessRule& rule = route.access;
    router_.Add(std::move(route), Adapt(rule, std::move(handler), &Handler::operator()), where);
  }

  /// Router::AddTwoStep() for a safe method. `at_once`:
  /// Result<std::optional<http::Reply>>(const Call&, Params...).
  template <typename AtOnce, typename Handler>
  void AddTwoStep(http::Route route, AtOnce at_once, Handler handler,
                  const std::source_location& where = std::source_location::current()) {
    const http::AccessRule& rule = route.access;
    router_.AddTwoStep(std::move(route), AdaptAtOnce(rule, std::move(at_once), &AtOnce::operator()),
                       Adapt(rule, std::move(handler), &Handler::operator()), where);
  }

  /// `handler`: Result<std::unique_ptr<http::BodySink>>(const Upload&, Params...), as
  /// Router::AddUpload() calls it. Such requests are not named: what they do can be repeated.
  template <typename Handler>
  void AddUpload(http::Route route, Handler handler,
                 const std::source_location& where = std::source_location::current()) {
    const http::AccessRule& rule = route.access;
    router_.AddUpload(std::move(route), AdaptUpload(rule, std::move(handler), &Handler::operator()),
                      where);
  }

  /// `handler`: Result<std::unique_ptr<http::SocketSession>>(const Call&, Params...), as
  /// Router::AddSocket() calls it.
  template <typename Handler>
  void AddSocket(http::Route route, Handler handler,
                 const std::source_location& where = std::source_location::current()) {
    const http::AccessRule& rule = route.access;
    router_.AddSocket(std::move(route), AdaptSocket(rule, std::move(handler), &Handler::operator()),
                      where);
  }

  store::Store& GetStore() { return store_; }

 private:
  using Sink = std::unique_ptr<http::BodySink>;
  using Session = std::unique_ptr<http::SocketSession>;
  using Run = std::function<Result<http::Reply>(const Call&)>;

  template <typename Handler, typename... Params>
  auto Adapt(const http::AccessRule& rule, Handler handler,
             Result<http::Reply> (Handler::*)(const Call&, Params...) const) {
    return [this, &rule, handler = std::move(handler)](
               const http::Request& request,
               std::remove_cvref_t<Params>... params) -> Result<http::Reply> {
      const RequestWarrant warrant(rule, request);
      return Answer(request, warrant,
                    [&](const Call& call) { return handler(call, std::move(params)...); });
    };
  }

  template <typename Handler, typename... Params>
  auto AdaptAtOnce(const http::AccessRule& rule, Handler handler,
                   Result<std::optional<http::Reply>> (Handler::*)(const Call&, Params...) const) {
    return [this, &rule, handler = std::move(handler)](
               const http::Request& request,
               std::remove_cvref_t<Params>... params) -> Result<std::optional<http::Reply>> {
      const RequestWarrant warrant(rule, request);
      return handler(CallOf(request, warrant), std::move(params)...);
    };
  }

  template <typename Handler, typename... Params>
  auto AdaptUpload(const http::AccessRule& rule, Handler handler,
                   Result<Sink> (Handler::*)(const Upload&, Params...) const) {
    return
        [this, &rule, handler = std::move(handler)](
            const http::Request& request, std::remove_cvref_t<Params>... params) -> Result<Sink> {
          return handler(
              Upload{.request = request, .clock = clock_, .warrant = RequestWarrant(rule, request)},
              std::move(params)...);
        };
  }

  template <typename Handler, typename... Params>
  auto AdaptSocket(const http::AccessRule& rule, Handler handler,
                   Result<Session> (Handler::*)(const Call&, Params...) const) {
    return [this, &rule, handler = std::move(handler)](
               const http::Request& request,
               std::remove_cvref_t<Params>... params) -> Result<Session> {
      const RequestWarrant warrant(rule, request);
      return handler(CallOf(request, warrant), std::move(params)...);
    };
  }

  Call CallOf(const http::Request& request, const RequestWarrant& warrant) const;
  Result<http::Reply> Answer(const http::Request& request, const RequestWarrant& warrant,
                             const Run& run);
  Result<http::Reply> AnswerOnce(Call& call, const Run& run);

  http::Router& router_;
  store::Store& store_;
  const Clock& clock_;
};

/// The ETag of a record.
http::ETag TagOf(store::Version version);

/// What `If-Match` demands of the record that is about to be changed. kConflict, which clients see
/// as 412, when it names other versions only; without the header all is well.
Result<void> CheckIfMatch(const http::Request& request, store::Version current);

}  // namespace atrium::api
