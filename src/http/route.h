// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/error.h"
#include "base/result.h"
#include "http/method.h"
#include "http/problem.h"
#include "http/reply.h"
#include "http/request.h"

namespace atrium::http {

/// A request that a rule has admitted, when the rule is asked about it again.
struct Admitted {
  /// What Admit answered; null when it named nobody.
  const Principal* principal = nullptr;
  Method method = Method::kGet;
  /// The id of the request.
  std::string_view trace{};
  /// By when an answer is wanted.
  SteadyInstant deadline = SteadyInstant::max();
};

/// How old the rows may be on which a rule decides a second time.
enum class Staleness : std::uint8_t {
  kNone,    ///< Before a write.
  kMoment,  ///< Half a second: while an answer goes on and on.
};

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
  /// Whether whoever was admitted would be admitted now: asked while a stream or a socket is open,
  /// and before a write is committed. kUnauthenticated when the credential has ended,
  /// kPermissionDenied when they may not any more. Bounded reads at most. A rule that names
  /// principals overrides it: as it stands, nobody with a name is admitted a second time.
  virtual Result<void> Readmit(const Admitted& admitted, Staleness allowed) const;
};

/// Somebody who was let in to what lasts, an event stream or a socket, and is looked at again while
/// it does.
struct Admittance {
  const AccessRule* rule = nullptr;
  std::shared_ptr<const Principal> principal{};
  std::string request_id{};

  /// False when the rule says no, and when it throws: whoever nobody can vouch for is sent away. A
  /// store that cannot answer at the moment ends no stream.
  bool StillHolds(SteadyInstant deadline) const;
};

/// Everybody, signed in or not. Writing it down is the point: nothing is public by omission.
const AccessRule& Anyone();

/// Whoever may open the control socket. To everybody else such a route does not exist: not by its
/// path, not by its methods, not in the API document.
const AccessRule& ControlSocketOnly();

/// What a route does while it answers, and so on which thread it runs.
enum class Work : std::uint8_t {
  kQuick,     ///< Bounded reads of memory or the embedded store: on the I/O thread.
  kBlocking,  ///< Commits, outside calls, hashing, long lists: on the worker pool.
  /// What is at hand and small on the I/O thread, all else on the worker pool:
  /// Router::AddTwoStep().
  kTwoStep,
};

/// How often one client may ask.
enum class RateClass : std::uint8_t {
  kUnlimited,  ///< Health checks and metrics.
  kStandard,
  kCostly,      ///< Searches, exports: a few per second.
  kTransfer,    ///< One piece of many: clients that sync ask as often as there are blocks.
  kCredential,  ///< Anything that can be used for guessing secrets.
};

inline constexpr std::size_t kRateClassCount = 5;

/// How long an answer that is made in memory may become. What may be longer comes in pages, or is
/// streamed.
inline constexpr std::size_t kAnswerBytesMax = std::size_t{8} << 20;

/// What an answer leaves with its client that goes on behind it, and has to end with the credential
/// that asked.
enum class Gives : std::uint8_t {
  kNothing,
  kStream,      ///< Events, or a socket. A reply of events from any other route is an error.
  kCredential,  ///< A link or a token that derives from the credential of the caller.
};

std::string_view Name(Gives gives);
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
  /// A longer body in memory is a mistake of the handler: it is logged, and the client gets a 500.
  /// Streams, files and events have no bound.
  std::size_t answer_bytes_max = kAnswerBytesMax;
  Gives gives = Gives::kNothing;
  /// How an error of the handler is told: what clients of other servers read has its own shape.
  Reply (*failure)(const Error& error, std::string_view request_id) = &ErrorReply;
};

}  // namespace atrium::http
