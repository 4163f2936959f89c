// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "egress/redirect.h"

#include <algorithm>
#include <array>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/result.h"
#include "egress/message.h"
#include "egress/url.h"

namespace atrium::egress {
namespace {

constexpr std::array<std::string_view, 3> kSecret = {"Authorization", "Proxy-Authorization",
                                                     "Cookie"};

bool IsRedirect(int status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

bool BecomesGet(int status, std::string_view method) {
  return (status == 303 && method != "HEAD") ||
         ((status == 301 || status == 302) && method == "POST");
}

bool DescribesBody(const Header& header) {
  constexpr std::string_view kPrefix = "content-";
  return SameHeaderName(std::string_view(header.name).substr(0, kPrefix.size()), kPrefix);
}

bool IsSecret(const Header& header) {
  return std::ranges::any_of(kSecret, [&](auto name) { return SameHeaderName(name, header.name); });
}

void BecomeGet(OutgoingRequest& request) {
  request.method = "GET";
  request.body.clear();
  std::erase_if(request.headers, DescribesBody);
  std::erase_if(request.secret_headers, DescribesBody);
}

std::unexpected<Error> Refused(const Url& from, std::string_view why) {
  return Fail(ErrorCode::kPermissionDenied,
              RenderOrigin(from) + " redirects " + std::string(why) + ", which is refused");
}

}  // namespace

Result<std::optional<OutgoingRequest>> FollowRedirect(const OutgoingRequest& request,
                                                      const Url& from,
                                                      const OutgoingResponse& response) {
  const auto location = response.FindHeader("Location");
  if (!IsRedirect(response.status) || !location) {
    return std::nullopt;
  }
  Result<Url> target = ResolveReference(from, *location);
  if (!target) {
    return Fail(ErrorCode::kUnavailable, RenderOrigin(from) + " redirects to no usable address: " +
                                             target.error().client_message);
  }
  if (from.scheme == Scheme::kHttps && target->scheme == Scheme::kHttp) {
    return Refused(from, "from https down to http");
  }
  OutgoingRequest next = request;
  next.url = target->text;
  if (BecomesGet(response.status, request.method)) {
    BecomeGet(next);
  }
  if (!SameOrigin(from, *target)) {
    if (!next.body.empty()) {
      return Refused(from, "a request with a body to another origin");
    }
    next.secret_headers.clear();
    std::erase_if(next.headers, IsSecret);
  }
  return next;
}

}  // namespace atrium::egress
