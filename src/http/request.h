// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/ip_network.h"
#include "base/result.h"
#include "http/headers.h"
#include "http/method.h"
#include "http/urlencoded.h"

namespace atrium {
class MemoryBudget;
}  // namespace atrium

namespace atrium::http {

enum class Scheme : std::uint8_t { kHttp, kHttps };

/// By which door a request came in.
enum class Origin : std::uint8_t {
  kNetwork,
  kControlSocket,  ///< From somebody who may open the file: the operator.
};

/// Who asks, as the access rule of the route found out. What knows people has a class of its own.
class Principal {
 public:
  Principal() = default;
  Principal(const Principal&) = default;
  Principal& operator=(const Principal&) = default;
  virtual ~Principal() = default;
  /// Tells principals apart; no two share a name.
  virtual std::string Name() const = 0;
  /// The person behind it: several principals may be one, and then share what one person may have
  /// of the server.
  virtual std::string PersonName() const { return Name(); }
};

/// What a route is asked. All views live as long as the exchange: until the reply is on its way.
struct Request {
  Method method = Method::kGet;
  /// As sent, before decoding, without the query.
  std::string_view path{};
  /// After the question mark, not decoded.
  std::string_view query{};
  Headers headers{};
  /// The whole body of a route that takes one in memory; empty for streamed bodies.
  std::string_view body{};
  /// Who asks, after the trusted proxies were looked through. Nobody's address on the control
  /// socket.
  IpAddress client{};
  Origin origin = Origin::kNetwork;
  Scheme scheme = Scheme::kHttp;
  /// The host people typed, after the trusted proxies were looked through; never empty.
  std::string_view host{};
  /// Null where the rule of the route asks nobody for a name.
  std::shared_ptr<const Principal> principal{};
  /// What the server has for bodies and for what is decoded from them (body_memory.h). Null where
  /// no server is in between, as in commands on a stopped one: then nothing is counted.
  MemoryBudget* memory = nullptr;
  /// Names this exchange in the log, in the reply and in every error shown to people.
  std::string_view id{};

  /// The decoded query.
  Result<Form> Query() const { return ParseForm(query); }
  /// The body as a form; kInvalidArgument when its type is another.
  Result<Form> FormBody() const;
  /// kInvalidArgument unless the body says it is JSON: what a page of another site may send without
  /// asking never does. JsonBody() in json_body.h reads it.
  Result<void> ExpectJson() const;
};

}  // namespace atrium::http
