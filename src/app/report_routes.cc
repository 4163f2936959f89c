// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/report_routes.h"

#include <cstddef>
#include <string>
#include <utility>

#include "http/method.h"
#include "http/route.h"

namespace atrium::app {
namespace {

constexpr std::size_t kBodyBytesMax = std::size_t{64} << 10;

}  // namespace

http::Route ControlRoute(http::Method method, std::string path, std::string summary) {
  return {.method = method,
          .path = std::move(path),
          .access = http::ControlSocketOnly(),
          .work = http::Work::kBlocking,
          .summary = std::move(summary),
          .body_bytes_max = method == http::Method::kPost ? kBodyBytesMax : 0,
          .rate = http::RateClass::kUnlimited};
}

}  // namespace atrium::app
