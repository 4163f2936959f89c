// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/gate.h"

#include <algorithm>
#include <string>
#include <utility>

#include "http/forwarded.h"
#include "http/guarded.h"
#include "http/host.h"
#include "http/problem.h"
#include "http/socket_handshake.h"

namespace atrium::http {
namespace {

constexpr std::size_t kTargetBytesMax = 8192;

/// Where a request wants to go. `host` is empty unless the target names one.
struct Target {
  std::string_view host;
  std::string_view path;
  std::string_view query;
};

/// "/path?query", "*", or the whole "http://host/path?query", which means the same and overrides
/// the Host header (RFC 9112 §3.2.2). nullopt for any other form.
std::optional<Target> ParseTarget(std::string_view text) {
  Target target;
  if (!text.starts_with('/') && text != "*") {
    const std::size_t scheme_end = text.find("://");
    const std::string_view scheme = text.substr(0, scheme_end);
    if (scheme_end == std::string_view::npos ||
        (!EqualsIgnoringCase(scheme, "http") && !EqualsIgnoringCase(scheme, "https"))) {
      return std::nullopt;
    }
    text.remove_prefix(scheme_end + 3);
    target.host = text.substr(0, text.find_first_of("/?"));
    text.remove_prefix(target.host.size());
    if (!IsHostAndPort(target.host)) {
      return std::nullopt;
    }
  }
  const std::size_t question = std::min(text.find('?'), text.size());
  target.path = question == 0 ? "/" : text.substr(0, question);
  target.query = text.substr(std::min(question + 1, text.size()));
  return target;
}

bool HasBody(const RequestParser& parser) {
  return parser.IsChunked() || parser.ContentLength().value_or(0) > 0;
}

/// What makes two servers in a row disagree about where a request ends must not get past the
/// first of them (RFC 9112 §6.1, §6.3).
std::string_view FramingFault(const Exchange& exchange) {
  const Headers& headers = exchange.request.headers;
  const std::size_t codings = headers.Count("Transfer-Encoding");
  if (codings == 0) {
    return {};
  }
  if (!exchange.parser->IsHttp11() || headers.Count("Content-Length") > 0) {
    return "Transfer-Encoding does not go with HTTP/1.0 or with Content-Length";
  }
  if (codings > 1 || !EqualsIgnoringCase(headers.Get("Transfer-Encoding"), "chunked")) {
    return "the only transfer coding understood is \"chunked\"";
  }
  return {};
}

std::string_view HostFault(const Exchange& exchange) {
  const Headers& headers = exchange.request.headers;
  const std::size_t hosts = headers.Count("Host");
  if (hosts > 1 || (hosts == 0 && exchange.parser->IsHttp11())) {
    return "a request names exactly one Host";
  }
  if (hosts == 1 && !IsHostAndPort(headers.Get("Host"))) {
    return "the Host header is not a host";
  }
  return {};
}

}  // namespace

std::string_view Gate::CorsOrigin(const Request& request) const {
  if (options_.cors_origins.empty()) {
    return {};
  }
  const std::string_view origin = request.headers.Get("Origin");
  const auto found = std::ranges::find(options_.cors_origins, origin);
  return found == options_.cors_origins.end() ? std::string_view{} : std::string_view(*found);
}

std::optional<Reply> Gate::Understand(Exchange& exchange, const Peer& peer) const {
  const RequestParser& parser = *exchange.parser;
  Request& request = exchange.request;
  parser.ListFields(request.headers);
  request.id = exchange.request_id;
  request.client = peer.address;
  request.origin = peer.origin;
  request.scheme = peer.scheme;
  request.memory = &memory_;
  request.host = request.headers.Get("Host");
  if (parser.Target().size() > kTargetBytesMax) {
    return ProblemReply(414, "the address is too long", request.id);
  }
  const std::optional<Target> target = ParseTarget(parser.Target());
  if (!target) {
    return ProblemReply(400, "the address is neither a path nor an http URL", request.id);
  }
  request.path = target->path;
  request.query = target->query;
  request.host = target->host.empty() ? request.host : target->host;
  for (const std::string_view fault : {FramingFault(exchange), HostFault(exchange)}) {
    if (!fault.empty()) {
      exchange.keep_alive = false;
      return ProblemReply(400, fault, request.id);
    }
  }
  const std::optional<Method> method = ParseMethod(parser.MethodText());
  if (!method) {
    return ProblemReply(501, "no route has this method", request.id);
  }
  request.method = *method;
  if (!options_.trusted_proxies.empty() && peer.origin == Origin::kNetwork) {
    LookThroughProxies(exchange, peer);
  }
  return std::nullopt;
}

void Gate::LookThroughProxies(Exchange& exchange, const Peer& peer) const {
  Request& request = exchange.request;
  exchange.forwarded = {request.headers.Join("X-Forwarded-For"),
                        request.headers.Join("X-Forwarded-Proto"),
                        request.headers.Join("X-Forwarded-Host")};
  const auto& [forwarded_for, forwarded_proto, forwarded_host] = exchange.forwarded;
  const ForwardedOrigin origin = ResolveForwarded(peer.address, options_.trusted_proxies,
                                                  {.forwarded_for = forwarded_for,
                                                   .forwarded_proto = forwarded_proto,
                                                   .forwarded_host = forwarded_host});
  request.client = origin.client;
  request.scheme = origin.scheme.value_or(request.scheme);
  request.host = origin.host.value_or(request.host);
}

std::optional<Reply> Gate::Preflight(const Request& request) const {
  const std::string_view origin = CorsOrigin(request);
  if (request.method != Method::kOptions || origin.empty() ||
      !request.headers.Find("Access-Control-Request-Method")) {
    return std::nullopt;
  }
  Reply reply = EmptyReply();
  reply.headers.emplace_back("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, PATCH, DELETE");
  reply.headers.emplace_back(
      "Access-Control-Allow-Headers",
      "Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, X-Session-Id");
  reply.headers.emplace_back("Access-Control-Max-Age", "600");
  return reply;
}

std::optional<Reply> Gate::FindRoute(Exchange& exchange) const {
  const Request& request = exchange.request;
  if (request.path == "*") {
    return request.method == Method::kOptions
               ? EmptyReply()
               : ProblemReply(400, "\"*\" is an address for OPTIONS alone", request.id);
  }
  Result<Match> match = router_.Find(request.method, request.path, request.origin);
  if (!match) {
    return ErrorReply(match.error(), request.id);
  }
  exchange.match = std::move(*match);
  if (exchange.match.endpoint != nullptr) {
    return std::nullopt;
  }
  if (exchange.match.allow.empty()) {
    return ProblemReply(404, "there is nothing at this address", request.id);
  }
  Reply reply = request.method == Method::kOptions
                    ? EmptyReply()
                    : ProblemReply(405, "this address does not take the method", request.id);
  reply.headers.emplace_back("Allow", exchange.match.allow);
  return reply;
}

std::optional<std::chrono::seconds> Gate::TakeBudget(const Exchange& exchange, const Peer& peer,
                                                     SteadyInstant now) const {
  if (peer.origin == Origin::kControlSocket) {
    return std::nullopt;
  }
  const Endpoint* endpoint = exchange.match.endpoint;
  const RateClass rate = endpoint != nullptr ? endpoint->route.rate : RateClass::kStandard;
  if (exchange.request.client == peer.address) {
    return peer.budget->Take(rate, limiter_.Rates(), now);
  }
  // Many clients share the connection of a proxy; each has a budget of its own.
  return limiter_.BudgetOf(exchange.request.client)->Take(rate, limiter_.Rates(), now);
}

namespace {

std::optional<Reply> BodyFault(const Exchange& exchange) {
  const Request& request = exchange.request;
  const Endpoint& endpoint = *exchange.match.endpoint;
  // The limit of a socket is one of its messages.
  const std::size_t bytes_max = endpoint.open ? 0 : endpoint.route.body_bytes_max;
  if (bytes_max == 0 && HasBody(*exchange.parser)) {
    return ProblemReply(413, "this address takes no body", request.id);
  }
  if (exchange.parser->ContentLength().value_or(0) > bytes_max) {
    return ProblemReply(
        413, "the body is longer than the " + std::to_string(bytes_max) + " bytes taken here",
        request.id);
  }
  const std::optional<std::string_view> expect = request.headers.Find("Expect");
  if (expect && !EqualsIgnoringCase(*expect, "100-continue")) {
    return ProblemReply(417, "the only expectation understood is \"100-continue\"", request.id);
  }
  return std::nullopt;
}

}  // namespace

/// Browsers let any page open a socket to any server, cookies included, and say by Origin whose
/// page it is; what is no browser need not send one (RFC 6455 §10.2).
std::optional<Reply> Gate::SocketFault(const Exchange& exchange) const {
  const Request& request = exchange.request;
  if (std::optional<Reply> fault = HandshakeFault(request, exchange.parser->IsHttp11())) {
    return fault;
  }
  const std::optional<std::string_view> origin = request.headers.Find("Origin");
  const std::string own =
      (request.scheme == Scheme::kHttps ? "https://" : "http://") + std::string(request.host);
  if (origin && !EqualsIgnoringCase(*origin, own) && CorsOrigin(request).empty()) {
    return ProblemReply(403, "pages of other sites may not open this socket", request.id);
  }
  return std::nullopt;
}

Admission Gate::Admit(Exchange& exchange, const Peer& peer, SteadyInstant now) const {
  Admission admission;
  admission.refusal = Understand(exchange, peer);
  if (!admission.refusal) {
    admission.refusal = Preflight(exchange.request);
  }
  if (!admission.refusal) {
    admission.refusal = FindRoute(exchange);
  }
  if (const auto wait = TakeBudget(exchange, peer, now)) {
    admission.refusal = ProblemReply(429, "too many requests", exchange.request.id);
    AddRetryAfter(*admission.refusal, *wait);
    admission.rate_limited = true;
  }
  if (!admission.refusal) {
    auto admitted =
        Guarded([&] { return exchange.match.endpoint->route.access.Admit(exchange.request); });
    if (admitted) {
      exchange.request.principal = *std::move(admitted);
    } else {
      admission.refusal = ErrorReply(admitted.error(), exchange.request.id);
    }
  }
  if (!admission.refusal) {
    admission.refusal = BodyFault(exchange);
  }
  if (!admission.refusal && exchange.match.endpoint->open) {
    admission.refusal = SocketFault(exchange);
  }
  if (!admission.refusal) {
    admission.endpoint = exchange.match.endpoint;
  } else if (HasBody(*exchange.parser)) {
    exchange.keep_alive = false;  // The body is still to come and nobody will read it.
  }
  return admission;
}

}  // namespace atrium::http
