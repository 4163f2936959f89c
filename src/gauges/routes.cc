// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "gauges/routes.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "api/route_parts.h"
#include "base/error.h"
#include "base/instant.h"
#include "base/result.h"
#include "gauges/resolution.h"
#include "gauges/series.h"
#include "http/reply.h"
#include "http/route.h"
#include "http/urlencoded.h"

namespace atrium::gauges {
namespace {

using api::Call;
using http::Reply;

// Longer steps than a century are none, and would not fit.
constexpr std::uint64_t kStepMax = std::uint64_t{100} * 366 * 24 * 3600;

Result<SeriesWish> ReadWish(const http::Request& request) {
  ASSIGN_OR_RETURN(const http::Form query, request.Query());
  SeriesWish wish;
  ASSIGN_OR_RETURN(wish.from, api::ReadInstant(query, "from"));
  ASSIGN_OR_RETURN(wish.to, api::ReadInstant(query, "to"));
  ASSIGN_OR_RETURN(const std::optional<std::uint64_t> step, api::ReadNumber(query, "step"));
  if (step) {
    wish.step = std::chrono::seconds(std::min(*step, kStepMax));
  }
  return wish;
}

Result<Reply> ShowSeries(store::Store& store, const Clock& clock, const Call& call) {
  ASSIGN_OR_RETURN(const SeriesWish wish, ReadWish(call.request));
  ASSIGN_OR_RETURN(const SeriesQuery query, QueryFor(wish, clock.Now()));
  ASSIGN_OR_RETURN(const std::string points, ReadPoints(store, call.op, query));
  std::string json = R"({"from":")" + RenderInstant(query.from) + R"(","to":")" +
                     RenderInstant(query.to) + R"(","step_s":)" +
                     std::to_string(query.resolution.step.count());
  return http::JsonReply(json + R"(,"points":)" + points + "}");
}

}  // namespace

void AddRoutes(api::Api& api, const api::AccessRules& rules, const Clock& clock) {
  http::Route route = api::RouteOf(http::Method::kGet, "/api/admin/series", rules.Superadmin(),
                                   "Traffic and storage over time");
  // Up to two thousand rows: too many for a thread that serves sockets.
  route.work = http::Work::kBlocking;
  api.Add(std::move(route), [&store = api.GetStore(), &clock](const Call& call) {
    return ShowSeries(store, clock, call);
  });
}

}  // namespace atrium::gauges
