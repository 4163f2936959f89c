// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/result.h"
#include "http/method.h"

namespace atrium::app {

struct ApiRequest {
  http::Method method = http::Method::kGet;
  /// Path and query.
  std::string target{};
  /// Empty: none.
  std::string body{};
  std::string_view content_type = "application/json";
  /// How long the answer may take over the network.
  std::chrono::milliseconds timeout{30'000};
};

/// A success. What is none is the error that the problem document tells of.
struct ApiReply {
  int status = 200;
  std::string body{};
  /// The header kAfterHeader: there is more behind this one; empty: there is not.
  std::string after{};
};

inline constexpr std::string_view kAfterHeader = "Atrium-After";

/// A body that is longer is not read.
inline constexpr std::size_t kReplyBytesMax = std::size_t{256} << 20U;

/// Asks the server that listens on the control socket at `path`, over a connection of its own.
/// Errors are those that the server answered with; kUnavailable when it went away.
Result<ApiReply> AskControlSocket(const std::string& path, const ApiRequest& request);

/// Takes the body of a success, piece by piece.
using Receive = std::function<void(std::string_view piece)>;

/// The same for a reply that is long, or never ends: the body is handed over as it comes. Answers
/// when it has ended.
Result<void> StreamControlSocket(const std::string& path, const ApiRequest& request,
                                 const Receive& receive);

/// A reply read up to the end of its connection: kUnavailable when it is cut off or makes no sense.
Result<ApiReply> ReadApiReply(std::string_view reply);

/// The reply, or the error it tells of; kUnavailable when no Atrium can have answered so.
Result<ApiReply> Judge(ApiReply reply);

/// The code that a problem document names; kInternal for a name nobody knows.
ErrorCode CodeNamed(std::string_view name);

}  // namespace atrium::app
