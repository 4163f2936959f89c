// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/instant.h"
#include "base/result.h"
#include "http/method.h"
#include "http/reply.h"
#include "http/request.h"
#include "http/route.h"
#include "http/urlencoded.h"
#include "store/row.h"

namespace atrium::api {

// What the routes of rooms share.

inline constexpr std::size_t kBodyBytesMax = std::size_t{64} << 10;

/// A route in the shape of most: reading is quick, changing blocks and takes a small body.
http::Route RouteOf(http::Method method, std::string path, const http::AccessRule& access,
                    std::string summary);

/// A route that lists: it looks at as much as a page holds, and so on a worker.
http::Route ListRoute(std::string path, const http::AccessRule& access, std::string summary);

/// A reply with a document and its version.
http::Reply Tagged(std::string document, store::Version version, int status = 200);

struct PageQuery {
  std::size_t limit = 100;
  std::optional<std::string> after{};
};
/// `?limit=` (1 to 500) and `?after=`.
Result<PageQuery> ReadPageQuery(const http::Request& request);
/// How a page tells where the next one begins: what ReadPageQuery() reads back.
std::string RenderAfter(std::string_view resume);

/// The moment under that name, as RFC 3339 writes it; nullopt when there is none. kInvalidArgument
/// names it.
Result<std::optional<Instant>> ReadInstant(const http::Form& query, std::string_view name);

/// The number under that name; nullopt when there is none. kInvalidArgument names it.
Result<std::optional<std::uint64_t>> ReadNumber(const http::Form& query, std::string_view name);

}  // namespace atrium::api
