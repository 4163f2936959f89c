// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>

#include "base/clock.h"
#include "base/result.h"
#include "http/reply.h"
#include "http/request.h"
#include "http/route.h"
#include "http/router.h"
#include "store/op_context.h"
#include "store/store.h"

namespace atrium::api {

/// What a route of our own API is called with. Lives as long as the call.
struct Call {
  const http::Request& request;
  /// For the store: with the time left, the id of the request and, where the client named its
  /// request, the name.
  store::OpContext op{};
};

/// How long a request may keep the store busy.
inline constexpr std::chrono::seconds kTimeForStore{30};

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
  void Add(http::Route route, Handler handler) {
    router_.Add(std::move(route), Adapt(std::move(handler), &Handler::operator()));
  }

  store::Store& GetStore() { return store_; }

 private:
  using Run = std::function<Result<http::Reply>(const Call&)>;

  template <typename Handler, typename... Params>
  auto Adapt(Handler handler, Result<http::Reply> (Handler::*)(const Call&, Params...) const) {
    return [this, handler = std::move(handler)](
               const http::Request& request,
               std::remove_cvref_t<Params>... params) -> Result<http::Reply> {
      return Answer(request, [&](const Call& call) { return handler(call, std::move(params)...); });
    };
  }

  Result<http::Reply> Answer(const http::Request& request, const Run& run);
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
