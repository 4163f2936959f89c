// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/result.h"
#include "http/path_params.h"
#include "http/reply.h"
#include "http/request.h"
#include "http/route.h"
#include "http/socket.h"

namespace atrium::http {

struct ParamShape {
  std::string name;
  std::string_view schema;
  bool secret = false;
};

/// A route with what it does. `answer` serves bodies held in memory, `receive` streamed ones,
/// `open` sockets; just one of them is set, except that a route of sockets answers with a refusal
/// what is no handshake. `answer_at_once` is the first step of a route that has two.
struct Endpoint {
  using Params = std::span<const std::string>;

  Route route;
  std::vector<ParamShape> params{};
  std::function<Result<std::optional<Reply>>(const Endpoint&, const Request&, Params)>
      answer_at_once{};
  std::function<Result<Reply>(const Endpoint&, const Request&, Params)> answer{};
  std::function<Result<std::unique_ptr<BodySink>>(const Endpoint&, const Request&, Params)>
      receive{};
  std::function<Result<std::unique_ptr<SocketSession>>(const Endpoint&, const Request&, Params)>
      open{};
  /// Which room of the server it belongs to: the folder of the source that added it.
  std::string room{};
  /// Equal for all routes of a room, and small.
  std::uint32_t room_index = 0;
  /// Its row in the metrics, in order of registration.
  std::size_t index = 0;

  /// A path that holds a secret is logged as its pattern.
  bool HasSecretPath() const;
};

/// Where a path leads: an endpoint and the decoded segments for its parameters.
struct Match {
  const Endpoint* endpoint = nullptr;
  std::vector<std::string> params{};
  /// When no endpoint has the method: those that have one, as the Allow header lists them.
  std::string allow{};
};

/// The table of all routes. Filled once at the start, then read by all threads.
///
/// A handler is called with the request and one argument per {parameter}, already parsed to its
/// type; a segment that does not parse is answered with 400 and the parameter's name.
class Router {
 public:
  Router();
  ~Router();
  Router(const Router&) = delete;
  Router& operator=(const Router&) = delete;

  /// `handler`: Result<Reply>(const Request&, Params...). Ends the process when the path clashes
  /// with another route or its parameters are not as many as the handler's. `where` says which
  /// room the route is of: whoever calls for somebody else passes theirs on.
  template <typename Handler>
  void Add(Route route, Handler handler,
           const std::source_location& where = std::source_location::current()) {
    Endpoint endpoint{.route = std::move(route), .room = RoomOf(where)};
    endpoint.params = Shapes(Signature<Handler>{});
    endpoint.answer = Bind<Reply>(std::move(handler), Signature<Handler>{});
    Insert(std::move(endpoint));
  }

  /// A route in two steps, whose work becomes kTwoStep. `at_once`:
  /// Result<std::optional<Reply>>(const Request&, Params...), called on the I/O thread for a
  /// request without a body: nullopt when there is more to do than that thread has time for.
  /// `handler`, as Add() has it, is then called on a worker.
  template <typename AtOnce, typename Handler>
  void AddTwoStep(Route route, AtOnce at_once, Handler handler,
                  const std::source_location& where = std::source_location::current()) {
    static_assert(std::is_same_v<Signature<AtOnce>, Signature<Handler>>);
    Endpoint endpoint{.route = std::move(route), .room = RoomOf(where)};
    endpoint.route.work = Work::kTwoStep;
    endpoint.params = Shapes(Signature<Handler>{});
    endpoint.answer_at_once = Bind<std::optional<Reply>>(std::move(at_once), Signature<AtOnce>{});
    endpoint.answer = Bind<Reply>(std::move(handler), Signature<Handler>{});
    Insert(std::move(endpoint));
  }

  /// `handler`: Result<std::unique_ptr<BodySink>>(const Request&, Params...), called when the head
  /// has been read and access granted, before the body.
  template <typename Handler>
  void AddUpload(Route route, Handler handler,
                 const std::source_location& where = std::source_location::current()) {
    Endpoint endpoint{.route = std::move(route), .room = RoomOf(where)};
    endpoint.params = Shapes(Signature<Handler>{});
    endpoint.receive = Bind<std::unique_ptr<BodySink>>(std::move(handler), Signature<Handler>{});
    Insert(std::move(endpoint));
  }

  /// `handler`: Result<std::unique_ptr<SocketSession>>(const Request&, Params...), called for a
  /// WebSocket handshake that is well formed, granted access and comes from no page of another
  /// site. An error becomes an ordinary reply. The route has method GET; its `body_bytes_max`
  /// bounds each message, and its `work` says where handler and session run.
  template <typename Handler>
  void AddSocket(Route route, Handler handler,
                 const std::source_location& where = std::source_location::current()) {
    Endpoint endpoint{.route = std::move(route), .room = RoomOf(where)};
    endpoint.params = Shapes(Signature<Handler>{});
    endpoint.open = Bind<std::unique_ptr<SocketSession>>(std::move(handler), Signature<Handler>{});
    InsertSocket(std::move(endpoint));
  }

  /// kInvalidArgument for a path with a broken escape or invalid UTF-8. HEAD finds GET routes. What
  /// leads nowhere is left to a route "/{path...}", or gives neither endpoint nor allow. Routes of
  /// ControlSocketOnly() are found from there alone, before others.
  Result<Match> Find(Method method, std::string_view path, Origin origin = Origin::kNetwork) const;

  /// What the log may say of a path: the pattern where the path of the route holds a secret, and
  /// no more than its beginning where it may be meant for such a route and was not understood.
  std::string_view Loggable(std::string_view path, const Endpoint* endpoint) const;

  /// In order of registration.
  const std::vector<std::unique_ptr<Endpoint>>& Endpoints() const { return endpoints_; }

 private:
  template <typename... Params>
  struct Arguments {};

  template <typename Callable>
  struct SignatureOf : SignatureOf<decltype(&Callable::operator())> {};
  template <typename Return, typename... Params>
  struct SignatureOf<Return (*)(const Request&, Params...)> {
    using Type = Arguments<std::remove_cvref_t<Params>...>;
  };
  template <typename Return, typename Class, typename... Params>
  struct SignatureOf<Return (Class::*)(const Request&, Params...) const> {
    using Type = Arguments<std::remove_cvref_t<Params>...>;
  };
  template <typename Handler>
  using Signature = typename SignatureOf<Handler>::Type;

  template <typename... Params>
  static std::vector<ParamShape> Shapes(Arguments<Params...>) {
    return {ParamShape{.name = {},
                       .schema = PathParam<Params>::kSchema,
                       .secret = std::is_same_v<Params, SecretSegment>}...};
  }

  template <typename Answer, typename Handler, typename... Params>
  static auto Bind(Handler handler, Arguments<Params...>) {
    return [handler = std::move(handler)](const Endpoint& endpoint, const Request& request,
                                          Endpoint::Params texts) -> Result<Answer> {
      constexpr auto kIndexes = std::index_sequence_for<Params...>{};
      return Call<Answer, Params...>(handler, endpoint, request, texts, kIndexes);
    };
  }

  template <typename Answer, typename... Params, typename Handler, std::size_t... Index>
  static Result<Answer> Call(const Handler& handler, const Endpoint& endpoint,
                             const Request& request, Endpoint::Params texts,
                             std::index_sequence<Index...>) {
    std::tuple<std::optional<Params>...> parsed{PathParam<Params>::Parse(texts[Index])...};
    const std::array<bool, sizeof...(Params) + 1> valid{std::get<Index>(parsed).has_value()...,
                                                        true};
    for (std::size_t i = 0; i < sizeof...(Params); ++i) {
      if (!valid[i]) {
        return RefuseParam(endpoint.params[i].name, texts[i]);
      }
    }
    return handler(request, std::move(*std::get<Index>(parsed))...);
  }

  static std::string RoomOf(const std::source_location& where);
  std::uint32_t RoomIndexOf(std::string_view room) const;
  static std::unexpected<Error> RefuseParam(std::string_view name, std::string_view text);
  void Insert(Endpoint endpoint);
  void InsertSocket(Endpoint endpoint);

  struct Node;
  static Result<Match> FindIn(const Node& root, Method method, std::string_view path);

  std::unique_ptr<Node> root_;
  /// Routes of ControlSocketOnly(), in a tree of their own.
  std::unique_ptr<Node> control_root_;
  std::vector<std::unique_ptr<Endpoint>> endpoints_;
  /// How the paths with a secret in them begin, up to the first parameter.
  std::vector<std::string> secret_prefixes_;
};

}  // namespace atrium::http
