// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

#include "base/json_write.h"
#include "base/result.h"
#include "http/method.h"
#include "http/reply.h"
#include "http/route.h"

namespace atrium::app {

// What the doors share through which the operator and superadmins look after the server.

/// How long a request on the control socket waits for something to happen. A worker thread waits
/// with it, so not long.
inline constexpr std::chrono::milliseconds kPatience{500};

/// A route on the control socket alone.
http::Route ControlRoute(http::Method method, std::string path, std::string summary);

/// A described struct, or a list of them, as the whole reply.
template <typename T>
Result<http::Reply> ReportReply(const T& report) {
  return http::JsonReply(ToJson(report) + "\n");
}

/// The same when there is one.
template <typename T>
Result<http::Reply> ReportReply(const Result<T>& report) {
  RETURN_IF_ERROR(report);
  return ReportReply(*report);
}

}  // namespace atrium::app
