// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/system_routes.h"

#include <optional>
#include <string>

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

}  // namespace

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
             [this](const Request& request) { return Readiness(request); });
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

/// A server that can only be read is still worth being asked: there may be no other.
Result<Reply> SystemRoutes::Readiness(const Request& request) const {
  if (!ready_.load(std::memory_order_relaxed)) {
    return http::ProblemReply(503, "starting or stopping", request.id);
  }
  const std::optional<std::string> obstacle = store_ == nullptr ? std::nullopt : store_->Obstacle();
  return http::TextReply(obstacle ? "read-only: " + *obstacle + "\n" : "ok\n");
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
