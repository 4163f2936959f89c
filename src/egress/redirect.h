// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "base/result.h"
#include "egress/message.h"
#include "egress/url.h"

namespace atrium::egress {

/// The request that a redirect asks for; nullopt when `response` is no redirect (301, 302, 303, 307
/// or 308 with a Location).
///
/// A POST becomes a GET on 301 and 302, everything but HEAD on 303, without body and its headers
/// (RFC 9110 §15.4). Secret headers do not follow to another origin, and neither does a body: that
/// is refused with kPermissionDenied, as is a step from https down to http. A Location that is not
/// a URL we call is kUnavailable: the mistake is the server's.
Result<std::optional<OutgoingRequest>> FollowRedirect(const OutgoingRequest& request,
                                                      const Url& from,
                                                      const OutgoingResponse& response);

}  // namespace atrium::egress
