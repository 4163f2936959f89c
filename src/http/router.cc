// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/router.h"

#include <algorithm>
#include <boost/container/static_vector.hpp>
#include <optional>

#include "base/check.h"
#include "base/utf8.h"
#include "http/percent.h"

namespace atrium::http {
namespace {

constexpr std::size_t kSegmentsMax = 64;

bool IsParam(std::string_view segment) {
  return segment.size() > 2 && segment.front() == '{' && segment.back() == '}';
}

bool IsRest(std::string_view segment) {
  return IsParam(segment) && segment.ends_with("...}");
}

std::string ParamName(std::string_view segment) {
  return std::string(segment.substr(1, segment.size() - (IsRest(segment) ? 5 : 2)));
}

using Segments = boost::container::static_vector<std::string_view, kSegmentsMax>;

/// The segments between slashes; one slash at the end changes nothing. nullopt when there are more
/// than any route has.
std::optional<Segments> Split(std::string_view path) {
  Segments segments;
  if (path.starts_with('/')) {
    path.remove_prefix(1);
  }
  if (path.ends_with('/')) {
    path.remove_suffix(1);
  }
  while (!path.empty()) {
    if (segments.size() == kSegmentsMax) {
      return std::nullopt;
    }
    const std::size_t end = path.find('/');
    segments.push_back(path.substr(0, end));
    path.remove_prefix(end == std::string_view::npos ? path.size() : end + 1);
  }
  return segments;
}

std::size_t Slot(Method method) {
  return static_cast<std::size_t>(method);
}

}  // namespace

struct Router::Node {
  std::vector<std::pair<std::string, std::unique_ptr<Node>>> literals;
  std::unique_ptr<Node> param;
  std::unique_ptr<Node> rest;
  std::array<const Endpoint*, kMethodCount> by_method{};

  const Node* Literal(std::string_view segment) const {
    for (const auto& [text, node] : literals) {
      if (text == segment) {
        return node.get();
      }
    }
    return nullptr;
  }

  Node& Child(std::string_view segment) {
    if (IsRest(segment)) {
      return Ensure(rest);
    }
    if (IsParam(segment)) {
      return Ensure(param);
    }
    for (auto& [text, node] : literals) {
      if (text == segment) {
        return *node;
      }
    }
    return *literals.emplace_back(std::string(segment), std::make_unique<Node>()).second;
  }

  bool HasEndpoint() const {
    return std::ranges::any_of(by_method, [](const Endpoint* e) { return e != nullptr; });
  }

  static Node& Ensure(std::unique_ptr<Node>& node) {
    if (!node) {
      node = std::make_unique<Node>();
    }
    return *node;
  }
};

bool Endpoint::HasSecretPath() const {
  return std::ranges::any_of(params, [](const ParamShape& param) { return param.secret; });
}

Router::Router() : root_(std::make_unique<Node>()), control_root_(std::make_unique<Node>()) {}
Router::~Router() = default;

std::unexpected<Error> Router::RefuseParam(std::string_view name, std::string_view text) {
  std::string message(name);
  message.append(": \"").append(TruncateUtf8(text, 100)).append("\" is not of the right form");
  return Fail(ErrorCode::kInvalidArgument, std::move(message));
}

/// A room is a folder, so that a new one needs no entry in a list.
std::string Router::RoomOf(const std::source_location& where) {
  std::string_view path = where.file_name();
  path = path.substr(0, path.rfind('/'));
  return std::string(path.substr(path.rfind('/') + 1));
}

std::uint32_t Router::RoomIndexOf(std::string_view room) const {
  std::uint32_t next = 0;
  for (const auto& endpoint : endpoints_) {
    if (endpoint->room == room) {
      return endpoint->room_index;
    }
    next = std::max(next, endpoint->room_index + 1);
  }
  return next;
}

void Router::Insert(Endpoint endpoint) {
  Check(!endpoint.room.empty(), "every route is of a room: " + endpoint.route.path);
  endpoint.room_index = RoomIndexOf(endpoint.room);
  const std::string path = endpoint.route.path;
  const bool control = &endpoint.route.access == &ControlSocketOnly();
  Node* node = control ? control_root_.get() : root_.get();
  std::size_t named = 0;
  const std::optional<Segments> segments = Split(path);
  Check(segments.has_value(), "a path has at most 64 segments: " + path);
  for (const std::string_view segment : *segments) {
    node = &node->Child(segment);
    if (IsParam(segment)) {
      Check(named < endpoint.params.size(), "handler has a parameter for each {name}: " + path);
      endpoint.params[named++].name = ParamName(segment);
    }
  }
  Check(named == endpoint.params.size(), "path has a {name} for each parameter: " + path);
  const Endpoint*& place = node->by_method[Slot(endpoint.route.method)];
  Check(place == nullptr, "no two routes share method and path: " + path);
  endpoint.index = endpoints_.size();
  if (endpoint.HasSecretPath()) {
    secret_prefixes_.push_back(path.substr(0, path.find('{')));
  }
  endpoints_.push_back(std::make_unique<Endpoint>(std::move(endpoint)));
  place = endpoints_.back().get();
}

void Router::InsertSocket(Endpoint endpoint) {
  Check(endpoint.route.method == Method::kGet, "a socket begins with GET: " + endpoint.route.path);
  endpoint.route.gives = Gives::kStream;
  endpoint.answer = [](const Endpoint&, const Request&, Endpoint::Params) -> Result<Reply> {
    return Fail(ErrorCode::kInvalidArgument, "this address speaks WebSocket, and only that");
  };
  Insert(std::move(endpoint));
}

namespace {

std::string AllowOf(std::span<const Endpoint* const> by_method) {
  std::string allow = "OPTIONS";
  for (std::size_t i = 0; i < by_method.size(); ++i) {
    if (by_method[i] == nullptr) {
      continue;
    }
    allow.append(", ").append(Name(static_cast<Method>(i)));
    if (static_cast<Method>(i) == Method::kGet) {
      allow.append(", HEAD");
    }
  }
  return allow;
}

}  // namespace

Result<Match> Router::Find(Method method, std::string_view path, Origin origin) const {
  if (origin == Origin::kControlSocket) {
    ASSIGN_OR_RETURN(Match match, FindIn(*control_root_, method, path));
    if (match.endpoint != nullptr || !match.allow.empty()) {
      return match;
    }
  }
  return FindIn(*root_, method, path);
}

Result<Match> Router::FindIn(const Node& root, Method method, std::string_view path) {
  const std::size_t slot = Slot(method == Method::kHead ? Method::kGet : method);
  const auto otherwise = [&]() -> Result<Match> {
    const Endpoint* const endpoint = root.rest ? root.rest->by_method[slot] : nullptr;
    if (endpoint == nullptr) {
      return Match{};
    }
    ASSIGN_OR_RETURN(std::string rest,
                     PercentDecode(path.substr(std::min<std::size_t>(1, path.size()))));
    return Match{.endpoint = endpoint, .params = {std::move(rest)}};
  };
  const std::optional<Segments> segments = Split(path);
  if (!segments) {
    return otherwise();
  }
  Match match;
  // Literals win over parameters and parameters over the rest of a path; there is no way back but
  // to the route of all that leads nowhere, because a literal must not be read as somebody's name.
  const Node* node = &root;
  for (const std::string_view segment : *segments) {
    ASSIGN_OR_RETURN(std::string text, PercentDecode(segment));
    if (const Node* literal = node->Literal(text)) {
      node = literal;
    } else if (node->param && !text.empty()) {
      match.params.push_back(std::move(text));
      node = node->param.get();
    } else if (node->rest) {
      const auto offset = static_cast<std::size_t>(segment.data() - path.data());
      ASSIGN_OR_RETURN(std::string rest, PercentDecode(path.substr(offset)));
      match.params.push_back(std::move(rest));
      node = node->rest.get();
      break;
    } else {
      return otherwise();
    }
  }
  if (!node->HasEndpoint()) {
    return otherwise();
  }
  match.endpoint = node->by_method[slot];
  if (match.endpoint == nullptr) {
    match.allow = AllowOf(node->by_method);
  }
  return match;
}

std::string_view Router::Loggable(std::string_view path, const Endpoint* endpoint) const {
  const bool understood = endpoint != nullptr &&
                          !(root_->rest && root_->rest->by_method[Slot(Method::kGet)] == endpoint);
  if (understood) {
    return endpoint->HasSecretPath() ? std::string_view(endpoint->route.path) : path;
  }
  // An escape could spell a prefix another way.
  path = path.substr(0, path.find('%'));
  for (const std::string& prefix : secret_prefixes_) {
    if (path.starts_with(prefix)) {
      return path.substr(0, prefix.size());
    }
  }
  return path;
}

}  // namespace atrium::http
