// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/openapi.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "base/json_text.h"
#include "http/grammar.h"

namespace atrium::http {
namespace {

constexpr std::string_view kProblemSchema =
    R"({"type":"object","required":["type","title","status","request_id"],"properties":{)"
    R"("type":{"type":"string"},"title":{"type":"string"},"status":{"type":"integer"},)"
    R"("code":{"type":"string"},"detail":{"type":"string"},"request_id":{"type":"string"}}})";

constexpr std::string_view kDone = R"(,"responses":{"2XX":{"description":"Done"},)";
/// OpenAPI knows no sockets; what comes after the handshake is for other documents to say.
constexpr std::string_view kSwitches =
    R"(,"x-socket":true,"responses":{"101":{"description":"The connection is a WebSocket now"},)";

void Member(std::string& out, std::string_view name, std::string_view text) {
  AppendJsonString(out, name);
  out.push_back(':');
  AppendJsonString(out, text);
}

/// OpenAPI has no parameter for the rest of a path: {path...} becomes {path}.
std::string OpenApiPath(std::string path) {
  const std::size_t dots = path.find("...}");
  return dots == std::string::npos ? path : path.erase(dots, 3);
}

void AppendParameters(std::string& out, const Endpoint& endpoint) {
  out.append(R"("parameters":[)");
  for (const ParamShape& param : endpoint.params) {
    if (&param != endpoint.params.data()) {
      out.push_back(',');
    }
    out.push_back('{');
    Member(out, "name", param.name);
    out.append(R"(,"in":"path","required":true,"schema":)").append(param.schema).append("}");
  }
  out.append("],");
}

void AppendOperation(std::string& out, const Endpoint& endpoint) {
  const Route& route = endpoint.route;
  AppendJsonString(out, LowerAscii(Name(route.method)));
  out.append(":{");
  Member(out, "summary", route.summary);
  out.push_back(',');
  AppendParameters(out, endpoint);
  if (route.body_bytes_max > 0 && !endpoint.open) {
    out.append(R"("requestBody":{"content":{"*/*":{}}},)");
  }
  Member(out, "x-access", route.access.Name());
  out.push_back(',');
  Member(out, "x-rate", Name(route.rate));
  out.append(R"(,"x-body-bytes-max":)").append(std::to_string(route.body_bytes_max));
  out.append(endpoint.open ? kSwitches : kDone);
  out.append(R"("default":{"description":"A problem",)"
             R"("content":{"application/problem+json":{"schema":)"
             R"({"$ref":"#/components/schemas/Problem"}}}}}})");
}

}  // namespace

std::string RenderOpenApi(const Router& router, std::string_view version) {
  std::map<std::string, std::vector<const Endpoint*>> by_path;
  for (const auto& endpoint : router.Endpoints()) {
    if (&endpoint->route.access == &ControlSocketOnly()) {
      continue;
    }
    by_path[OpenApiPath(endpoint->route.path)].push_back(endpoint.get());
  }
  std::string out = R"({"openapi":"3.1.0","info":{"title":"Atrium",)";
  Member(out, "version", version);
  out.append(R"(},"paths":{)");
  for (bool first_path = true; const auto& [path, endpoints] : by_path) {
    out.append(std::exchange(first_path, false) ? "" : ",");
    AppendJsonString(out, path);
    out.append(":{");
    for (bool first = true; const Endpoint* endpoint : endpoints) {
      out.append(std::exchange(first, false) ? "" : ",");
      AppendOperation(out, *endpoint);
    }
    out.push_back('}');
  }
  out.append(R"(},"components":{"schemas":{"Problem":)").append(kProblemSchema).append("}}}\n");
  return out;
}

std::string RenderRouteTable(const Router& router) {
  std::size_t widest = 0;
  for (const auto& endpoint : router.Endpoints()) {
    widest = std::max(widest, endpoint->route.path.size());
  }
  std::string out;
  const auto line = [&](std::string_view method, std::string_view path, std::string_view access,
                        const Route* route) {
    out += fmt::format("{:<8}{:<{}}{:<14}{:<10}{:>12}  {:<12}{}\n", method, path, widest + 2,
                       access, route != nullptr ? Name(route->work) : "WORK",
                       route != nullptr ? std::to_string(route->body_bytes_max) : "BODY",
                       route != nullptr ? Name(route->rate) : "RATE",
                       route != nullptr ? std::string_view(route->summary) : "WHAT IT DOES");
  };
  line("METHOD", "PATH", "ACCESS", nullptr);
  for (const auto& endpoint : router.Endpoints()) {
    const Route& route = endpoint->route;
    line(Name(route.method), route.path, route.access.Name(), &route);
  }
  return out;
}

std::string RenderRouteJson(const Router& router) {
  std::string out = "[";
  for (bool first = true; const auto& endpoint : router.Endpoints()) {
    const Route& route = endpoint->route;
    out.append(std::exchange(first, false) ? "\n{" : ",\n{");
    Member(out, "method", Name(route.method));
    out.push_back(',');
    Member(out, "path", route.path);
    out.push_back(',');
    Member(out, "access", route.access.Name());
    out.push_back(',');
    Member(out, "room", endpoint->room);
    out.push_back(',');
    Member(out, "work", Name(route.work));
    out.append(R"(,"body_bytes_max":)").append(std::to_string(route.body_bytes_max)).append(",");
    Member(out, "rate", Name(route.rate));
    out.append(R"(,"answer_bytes_max":)").append(std::to_string(route.answer_bytes_max));
    out.append(R"(,"socket":)").append(endpoint->open ? "true" : "false").append(",");
    Member(out, "gives", Name(route.gives));
    out.push_back(',');
    Member(out, "summary", route.summary);
    out.push_back('}');
  }
  return out.append("\n]\n");
}

}  // namespace atrium::http
