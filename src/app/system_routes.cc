// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/system_routes.h"

#include <algorithm>
#include <string_view>

#include "app/page_routes.h"
#include "app/version.h"
#include "base/json_text.h"
#include "http/openapi.h"
#include "http/problem.h"

namespace atrium::app {
namespace {

using http::Method;
using http::RateClass;
using http::Reply;
using http::Request;
using http::Work;

bool IsLoopback(const IpAddress& address) {
  static const Network v4 = *ParseNetwork("127.0.0.0/8");
  static const Network v6 = *ParseNetwork("::1");
  return v4.Contains(address) || v6.Contains(address);
}

bool WasForwarded(const Request& request) {
  return request.headers.Find("X-Forwarded-For") || request.headers.Find("Forwarded");
}

}  // namespace

Result<std::shared_ptr<const http::Principal>> OperatorsRule::Admit(const Request& request) const {
  if (request.origin == http::Origin::kControlSocket) {
    return {};
  }
  const bool inside = std::ranges::any_of(
      networks_, [&](const Network& network) { return network.Contains(request.client); });
  if (!inside || (IsLoopback(request.client) && WasForwarded(request))) {
    return Fail(ErrorCode::kPermissionDenied, "only for those who run this server");
  }
  return {};
}

void SystemRoutes::AddHealth(http::Router& router) {
  router.Add({.method = Method::kGet,
              .path = "/livez",
              .access = http::Anyone(),
              .work = Work::kQuick,
              .summary = "Whether the process is alive",
              .rate = RateClass::kUnlimited},
             [](const Request&) -> Result<Reply> { return http::TextReply("ok\n"); });
  router.Add({.method = Method::kGet,
              .path = "/readyz",
              .access = http::Anyone(),
              .work = Work::kQuick,
              .summary = "Whether requests should be sent here",
              .rate = RateClass::kUnlimited},
             [this](const Request& request) -> Result<Reply> {
               if (!ready_.load(std::memory_order_relaxed)) {
                 return http::ProblemReply(503, "starting or stopping", request.id);
               }
               return http::TextReply("ok\n");
             });
  router.Add({.method = Method::kGet,
              .path = "/api/health",
              .access = http::Anyone(),
              .work = Work::kQuick,
              .summary = "Health, time and version",
              .rate = RateClass::kUnlimited},
             [this](const Request&) -> Result<Reply> {
               std::string json = R"({"ok":true,"time":")" + RenderInstant(clock_.Now()) + "\"";
               json.append(R"(,"version":")").append(kVersion).append("\"}\n");
               return http::JsonReply(std::move(json));
             });
}

void SystemRoutes::AddDocuments(http::Router& router) {
  router.Add({.method = Method::kGet,
              .path = "/metrics",
              .access = operators_,
              .work = Work::kBlocking,
              .summary = "Measurements for Prometheus",
              .rate = RateClass::kUnlimited},
             [this](const Request&) -> Result<Reply> {
               return Reply{.content_type = "text/plain; version=0.0.4; charset=utf-8",
                            .body = metrics_.Render()};
             });
  router.Add({.method = Method::kGet,
              .path = "/api/openapi.json",
              .access = http::Anyone(),
              .work = Work::kQuick,
              .summary = "This list, as an OpenAPI document"},
             [this](const Request&) -> Result<Reply> { return http::JsonReply(openapi_); });
}

void SystemRoutes::AddTo(http::Router& router) {
  AddHealth(router);
  AddDocuments(router);
  AddPageRoutes(router);
  openapi_ = http::RenderOpenApi(router, kVersion);
}

}  // namespace atrium::app
