// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <string_view>

#include "api/access.h"
#include "base/result.h"
#include "http/request.h"
#include "identity/ground.h"
#include "identity/organisations.h"
#include "identity/records.h"
#include "identity/use_log.h"
#include "store/conclusions.h"

namespace atrium::identity {

/// The cookie that carries a session. Under TLS it has the name that browsers let nobody set but
/// this very host, over TLS: a neighbour on the same domain, or whoever is in between where there
/// is none, cannot plant a session of their own. Only the name that fits the request is believed.
std::string_view SessionCookieOf(const http::Request& request);

/// The secret in a request, and how it was carried.
struct Presented {
  enum class Carrier : std::uint8_t { kNone, kCookie, kHeader, kBasic };
  Carrier carrier = Carrier::kNone;
  std::string secret{};
  /// With kBasic: who it says it is.
  std::string user_name{};
};

/// Looks for a credential in this order: Authorization (Bearer, Token, Basic), X-Session-Id, the
/// cookie. kUnauthenticated for an Authorization header that is none of these.
Result<Presented> FindSecret(const http::Request& request);

/// Whether a page of another site may have sent the request: then a cookie proves nothing.
bool MayBeForged(const http::Request& request);

/// Turns credentials into callers: the one place where that happens.
class Gatekeeper final : public api::Doorkeeper {
 public:
  Gatekeeper(const Ground& ground, const Organisations& organisations, UseLog& uses);

  Result<std::shared_ptr<const api::Caller>> Identify(const http::Request& request) const override;
  Result<std::shared_ptr<const api::Caller>> Recall(const store::OpContext& op,
                                                    const api::CredentialRef& credential,
                                                    http::Staleness allowed) const override;
  bool IsSetUp() const override { return set_up_.load(std::memory_order_acquire); }

  /// Looks whether there is somebody who can sign in; once at the start.
  Result<void> LookForSetUp(const store::OpContext& op);
  void NoteSetUp() { set_up_.store(true, std::memory_order_release); }

 private:
  using Callers = store::Conclusions<api::Caller>;
  using Identified = Result<Callers::Conclusion>;

  // From what a request brings.
  store::OpContext TermsFor(const http::Request& request) const;
  Identified Recognise(const http::Request& request, const Presented& presented) const;
  Identified FromSession(const http::Request& request, const std::string& secret) const;
  Identified FromToken(const http::Request& request, const Presented& presented) const;
  Result<void> CheckHost(const http::Request& request, const api::Caller& caller) const;

  // From what something derives from.
  Identified Remember(const store::OpContext& op, const api::CredentialRef& credential) const;

  /// The same for both: whose a credential is, if it still stands.
  Result<api::Caller> CallerBy(const store::OpContext& op, const Session& session) const;
  Result<api::Caller> CallerBy(const store::OpContext& op, const Token& token) const;
  Result<User> LoadActive(const store::OpContext& op, const UserId& id) const;
  void NoteSessionUse(const http::Request& request, const Session& session) const;
  void NoteTokenUse(const http::Request& request, const Token& token) const;

  const Ground ground_;
  const Organisations& organisations_;
  UseLog& uses_;
  /// Each holds until its use is worth a note again, at the latest.
  mutable Callers callers_;
  /// The same by the names of credentials, for Recall().
  mutable Callers recalled_;
  std::atomic<bool> set_up_ = false;
};

/// The caller of commands and of the control socket.
std::shared_ptr<const api::Caller> MakeOperator();

}  // namespace atrium::identity
