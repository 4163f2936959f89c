// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "api/route_parts.h"

#include <charconv>
#include <utility>

#include "api/api.h"
#include "base/base64.h"

namespace atrium::api {
namespace {

constexpr std::size_t kPageMax = 500;

}  // namespace

http::Route RouteOf(http::Method method, std::string path, const http::AccessRule& access,
                    std::string summary) {
  const bool safe = http::IsSafe(method);
  return {.method = method,
          .path = std::move(path),
          .access = access,
          .work = safe ? http::Work::kQuick : http::Work::kBlocking,
          .summary = std::move(summary),
          .body_bytes_max = safe ? 0 : kBodyBytesMax};
}

http::Route ListRoute(std::string path, const http::AccessRule& access, std::string summary) {
  http::Route route = RouteOf(http::Method::kGet, std::move(path), access, std::move(summary));
  route.work = http::Work::kBlocking;
  return route;
}

http::Reply Tagged(std::string document, store::Version version, int status) {
  http::Reply reply = http::JsonReply(std::move(document), status);
  reply.etag = TagOf(version);
  return reply;
}

Result<PageQuery> ReadPageQuery(const http::Request& request) {
  ASSIGN_OR_RETURN(const http::Form query, request.Query());
  PageQuery page;
  if (const auto after = query.Find("after")) {
    ASSIGN_OR_RETURN(page.after, DecodeBase64Url(*after));
  }
  if (const auto limit = query.Find("limit")) {
    const auto [end, error] =
        std::from_chars(limit->data(), limit->data() + limit->size(), page.limit);
    const bool whole = error == std::errc{} && end == limit->data() + limit->size();
    if (!whole || page.limit == 0 || page.limit > kPageMax) {
      return Fail(ErrorCode::kInvalidArgument, "limit: 1 to 500");
    }
  }
  return page;
}

std::string RenderAfter(std::string_view resume) {
  return EncodeBase64Url(resume);
}

Result<std::optional<Instant>> ReadInstant(const http::Form& query, std::string_view name) {
  const auto text = query.Find(name);
  if (!text) {
    return std::nullopt;
  }
  const Result<Instant> instant = ParseInstant(*text);
  if (!instant) {
    return Fail(ErrorCode::kInvalidArgument,
                std::string(name) + ": not a moment like 2027-01-15T08:00:00Z");
  }
  return *instant;
}

Result<std::optional<std::uint64_t>> ReadNumber(const http::Form& query, std::string_view name) {
  const auto text = query.Find(name);
  if (!text) {
    return std::nullopt;
  }
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  if (error != std::errc{} || end != text->data() + text->size()) {
    return Fail(ErrorCode::kInvalidArgument, std::string(name) + ": not a number");
  }
  return number;
}

}  // namespace atrium::api
