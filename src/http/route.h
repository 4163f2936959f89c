// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/result.h"
#include "http/method.h"
#include "http/problem.h"
#include "http/reply.h"
#include "http/request.h"

namespace atrium::http {

/// Decides whether a request may reach its route. Rooms bring their own rules; the router asks the
/// rule of the route before anything of the request but its head has been read.
class AccessRule {
 public:
  virtual ~AccessRule() = default;
  /// One word, as `atrium routes` and the API document show it: "anyone", "operators".
  virtual std::string_view Name() const = 0;
  /// Who asks; null when that does not matter. kUnauthenticated when it is unknown and must be
  /// known, kPermissionDenied when they may not. Runs on an I/O thread: bounded reads at most.
  virtual Result<std::shared_ptr<const Principal>> Admit(const Request& request) const = 0;
};

/// Everybody, signed in or not. Writing it down is the point: nothing is public by omission.
const AccessRule& Anyone();

/// Whoever may open the control socket. To everybody else such a route does not exist: not by its
/// path, not by its methods, not in the API document.
const AccessRule& ControlSocketOnly();

/// What a route does while it answers, and so on which thread it runs.
enum class Work : std::uint8_t {
  kQuick,     ///< Bounded reads of memory or the embedded store: on the I/O thread.
  kBlocking,  ///< Commits, outside calls, hashing: on the worker pool.
};

/// How often one client may ask.
enum class RateClass : std::uint8_t {
  kUnlimited,  ///< Health checks and metrics.
  kStandard,
  kCostly,      ///< Searches, exports: a few per second.
  kCredential,  ///< Anything that can be used for guessing secrets.
};

inline constexpr std::size_t kRateClassCount = 4;

std::string_view Name(Work work);
std::string_view Name(RateClass rate);

/// Everything the edge must know of a route, in one place. A route without `access` does not
/// compile: a reference has no default.
struct Route {
  Method method;
  /// "/api/calendars/{calendar}/entries": each {name} is one typed parameter of the handler;
  /// a last {name...} takes the rest of the path.
  std::string path;
  const AccessRule& access;
  Work work;
  /// One line for people reading the API document.
  std::string summary;
  /// Longer bodies are refused with 413. Zero: the route takes no body.
  std::size_t body_bytes_max = 0;
  RateClass rate = RateClass::kStandard;
  /// How an error of the handler is told: what clients of other servers read has its own shape.
  Reply (*failure)(const Error& error, std::string_view request_id) = &ErrorReply;
};

}  // namespace atrium::http
