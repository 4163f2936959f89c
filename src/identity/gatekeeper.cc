// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/gatekeeper.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>
#include <vector>

#include "api/api.h"
#include "base/base64.h"
#include "http/cookies.h"
#include "http/grammar.h"
#include "http/method.h"
#include "identity/email_address.h"
#include "identity/keys.h"
#include "identity/secret_token.h"
#include "identity/session_service.h"
#include "identity/token_service.h"

namespace atrium::identity {
namespace {

using api::Caller;
using http::EqualsIgnoringCase;
using Carrier = Presented::Carrier;

/// What callers are concluded from.
std::vector<const store::Table*> Sources() {
  return {&kSessionTable, &kTokenTable, &kUserTable, &kHostTable};
}

/// How long a stream can go on behind the end of its credential on another server: this, and the
/// time between two looks.
constexpr std::chrono::milliseconds kRecallMaxAge{500};

/// One message for all of it: what exactly is wrong is not for who tries things out.
std::unexpected<Error> Unknown() {
  return Fail(ErrorCode::kUnauthenticated, "sign in again: the credential is not valid");
}

std::string_view Trim(std::string_view text) {
  while (text.starts_with(' ')) {
    text.remove_prefix(1);
  }
  while (text.ends_with(' ')) {
    text.remove_suffix(1);
  }
  return text;
}

Result<Presented> FromBasic(std::string_view encoded) {
  const Result<std::string> pair = DecodeBase64(encoded);
  const std::size_t colon = pair ? pair->find(':') : std::string::npos;
  if (colon == std::string::npos) {
    return Unknown();
  }
  return Presented{.carrier = Carrier::kBasic,
                   .secret = pair->substr(colon + 1),
                   .user_name = pair->substr(0, colon)};
}

Result<Presented> FromAuthorization(std::string_view header) {
  const std::size_t space = header.find(' ');
  const std::string_view scheme = header.substr(0, space);
  const std::string_view rest =
      space == std::string_view::npos ? std::string_view{} : Trim(header.substr(space));
  if (rest.empty()) {
    return Unknown();
  }
  if (EqualsIgnoringCase(scheme, "Basic")) {
    return FromBasic(rest);
  }
  if (EqualsIgnoringCase(scheme, "Bearer") || EqualsIgnoringCase(scheme, "Token")) {
    return Presented{.carrier = Carrier::kHeader, .secret = std::string(rest)};
  }
  return Unknown();
}

api::Credential CredentialOf(TokenType type) {
  switch (type) {
    case TokenType::kApi:
      return api::Credential::kApiToken;
    case TokenType::kPersonal:
      return api::Credential::kPersonalToken;
    case TokenType::kAppPassword:
      return api::Credential::kAppPassword;
  }
  std::abort();  // Unreachable: -Wswitch keeps the list above complete.
}

Caller CallerFor(const User& user) {
  Caller caller;
  caller.org = user.org;
  caller.user = user.id;
  caller.email = user.email;
  caller.label = user.email;
  caller.role = user.role;
  return caller;
}

Caller CallerForGuest(const Session& session) {
  Caller caller;
  caller.org = session.org;
  caller.email = session.guest_email;
  caller.label = session.guest_name;
  caller.guest_group = session.guest_group;
  caller.credential = session.kind == SessionKind::kProvisional ? api::Credential::kProvisional
                                                                : api::Credential::kGuestSession;
  caller.credential_id = session.id;
  return caller;
}

/// Whether the user name of Basic is this person's.
bool Names(const std::string& user_name, const Caller& caller) {
  const Result<EmailAddress> email = EmailAddress::Parse(user_name);
  return email && email->Text() == caller.email;
}

bool IsSession(api::Credential kind) {
  return kind == api::Credential::kSession || kind == api::Credential::kProvisional ||
         kind == api::Credential::kGuestSession;
}

std::string NameOf(const api::CredentialRef& credential) {
  return std::string(IsSession(credential.kind) ? "s" : "t") + credential.id +
         (credential.user ? credential.user->Render() : "");
}

/// All that the answer depends on, beside what is stored. Only a host has no line break in it.
std::string NameOf(const Presented& presented, std::string_view host) {
  std::string name(1, static_cast<char>('0' + static_cast<int>(presented.carrier)));
  name.append(std::to_string(presented.secret.size())).append(" ").append(presented.secret);
  name.append(presented.user_name).append("\n").append(host);
  return name;
}

bool IsLongAgo(Instant then, Instant now) {
  return now - then >= kUseResolution || now < then;
}

/// Until when nothing is new about a credential: its end, or the moment its use is worth a note
/// again.
Instant Unchanged(Instant expires_at, std::optional<Instant> last_used_at, Instant now) {
  const bool was_noted = last_used_at && !IsLongAgo(*last_used_at, now);
  return was_noted ? std::min(expires_at, *last_used_at + kUseResolution) : expires_at;
}

}  // namespace

std::string_view SessionCookieOf(const http::Request& request) {
  return request.scheme == http::Scheme::kHttps ? "__Host-session" : "session";
}

Result<Presented> FindSecret(const http::Request& request) {
  if (const auto header = request.headers.Find("Authorization")) {
    return FromAuthorization(*header);
  }
  if (const auto header = request.headers.Find("X-Session-Id")) {
    return Presented{.carrier = Carrier::kHeader, .secret = std::string(Trim(*header))};
  }
  const http::Cookies cookies = http::ParseCookies(request.headers.Join("Cookie"));
  if (const auto cookie = cookies.Find(SessionCookieOf(request))) {
    return Presented{.carrier = Carrier::kCookie, .secret = std::string(*cookie)};
  }
  return Presented{};
}

bool MayBeForged(const http::Request& request) {
  if (http::IsSafe(request.method)) {
    return false;
  }
  if (const auto site = request.headers.Find("Sec-Fetch-Site")) {
    return *site != "same-origin" && *site != "none";
  }
  const auto origin = request.headers.Find("Origin");
  if (!origin) {
    // Browsers send one of the two with every unsafe request; what sends neither must say that it
    // is no form of another site by a header that forms cannot have.
    return !request.headers.Find("X-Requested-With");
  }
  const std::string own =
      (request.scheme == http::Scheme::kHttps ? "https://" : "http://") + std::string(request.host);
  return !EqualsIgnoringCase(*origin, own);
}

std::shared_ptr<const Caller> MakeOperator() {
  auto caller = std::make_shared<Caller>();
  caller->org = DefaultOrg();
  caller->label = "operator";
  caller->role = Role::kSuperadmin;
  caller->scopes = api::Scopes::All();
  caller->credential = api::Credential::kOperator;
  return caller;
}

Gatekeeper::Gatekeeper(const Ground& ground, const Organisations& organisations, UseLog& uses)
    : ground_(ground),
      organisations_(organisations),
      uses_(uses),
      callers_(ground.store, ground.clock, Sources()),
      recalled_(ground.store, ground.clock, Sources(), kRecallMaxAge) {}

Result<void> Gatekeeper::LookForSetUp(const store::OpContext& op) {
  ASSIGN_OR_RETURN(const auto org, store::Find(ground_.store, op, Orgs(), OrgKey(DefaultOrg())));
  set_up_.store(org.has_value(), std::memory_order_release);
  return {};
}

Result<std::shared_ptr<const Caller>> Gatekeeper::Identify(const http::Request& request) const {
  if (request.origin == http::Origin::kControlSocket) {
    return MakeOperator();
  }
  ASSIGN_OR_RETURN(const Presented presented, FindSecret(request));
  if (presented.carrier == Carrier::kNone) {
    return nullptr;
  }
  if (presented.carrier == Carrier::kCookie && MayBeForged(request)) {
    return Fail(ErrorCode::kPermissionDenied,
                "the request may come from another site; its origin is not this one");
  }
  return callers_.Get(NameOf(presented, request.host),
                      [&] { return Recognise(request, presented); });
}

Result<std::shared_ptr<const Caller>> Gatekeeper::Recall(const store::OpContext& op,
                                                         const api::CredentialRef& credential,
                                                         http::Staleness allowed) const {
  if (credential.kind == api::Credential::kOperator) {
    return MakeOperator();
  }
  // Where nobody else writes, a conclusion that was not dropped is as good as the rows.
  if (allowed == http::Staleness::kNone && !ground_.store.IsSoleWriter()) {
    ASSIGN_OR_RETURN(const Callers::Conclusion now, Remember(op, credential));
    return now.value;
  }
  return recalled_.Get(NameOf(credential), [&] { return Remember(op, credential); });
}

/// Whoever asks for access asks for rows as they are.
store::OpContext Gatekeeper::TermsFor(const http::Request& request) const {
  return {.deadline = ground_.clock.Steady() + api::kTimeForStore,
          .trace = request.id,
          .consistency = store::Consistency::kCritical};
}

/// What does not change while nothing is written and no time has passed: all of it but the check
/// for forgery, which looks at the request as a whole.
Gatekeeper::Identified Gatekeeper::Recognise(const http::Request& request,
                                             const Presented& presented) const {
  const std::optional<TokenKind> kind = KindOf(presented.secret);
  if (kind == TokenKind::kSession || kind == TokenKind::kGuestSession) {
    return presented.carrier == Carrier::kBasic ? Identified(Unknown())
                                                : FromSession(request, presented.secret);
  }
  if (!kind || presented.carrier == Carrier::kCookie) {
    return Unknown();
  }
  return FromToken(request, presented);
}

Result<User> Gatekeeper::LoadActive(const store::OpContext& op, const UserId& id) const {
  ASSIGN_OR_RETURN(const auto user, store::Find(ground_.store, op, Users(), UserKeyOf(id)));
  if (!user || user->record.status != UserStatus::kActive) {
    return Unknown();
  }
  return user->record;
}

/// Whether this host is that of the caller's organisation.
Result<void> Gatekeeper::CheckHost(const http::Request& request, const Caller& caller) const {
  ASSIGN_OR_RETURN(const OrgId org, organisations_.OfHost(TermsFor(request), request.host));
  return caller.org == org || caller.role == Role::kSuperadmin ? Result<void>() : Unknown();
}

Result<Caller> Gatekeeper::CallerBy(const store::OpContext& op, const Session& session) const {
  if (!session.user) {
    return CallerForGuest(session);
  }
  ASSIGN_OR_RETURN(const User user, LoadActive(op, *session.user));
  if (!StillStands(session, user)) {
    return Unknown();
  }
  Caller caller = CallerFor(user);
  caller.scopes = api::Scopes::All();
  caller.credential = session.kind == SessionKind::kProvisional ? api::Credential::kProvisional
                                                                : api::Credential::kSession;
  caller.credential_id = session.id;
  return caller;
}

Result<Caller> Gatekeeper::CallerBy(const store::OpContext& op, const Token& token) const {
  ASSIGN_OR_RETURN(const User user, LoadActive(op, token.user));
  if (!StillStands(token, user)) {
    return Unknown();
  }
  Caller caller = CallerFor(user);
  ASSIGN_OR_RETURN(caller.scopes, api::Scopes::Parse(token.scopes));
  caller.credential = CredentialOf(token.type);
  caller.credential_id = token.id;
  return caller;
}

Gatekeeper::Identified Gatekeeper::FromSession(const http::Request& request,
                                               const std::string& secret) const {
  const store::OpContext op = TermsFor(request);
  ASSIGN_OR_RETURN(const auto found,
                   store::Find(ground_.store, op, Sessions(), HashKey(HashSecret(secret))));
  if (!found) {
    return Unknown();
  }
  const Session& session = found->record;
  ASSIGN_OR_RETURN(Caller caller, CallerBy(op, session));
  RETURN_IF_ERROR(CheckHost(request, caller));
  if (!session.user) {
    return Callers::Conclusion{.value = std::make_shared<Caller>(std::move(caller)),
                               .until = session.expires_at};
  }
  NoteSessionUse(request, session);
  return Callers::Conclusion{
      .value = std::make_shared<Caller>(std::move(caller)),
      .until = Unchanged(session.expires_at, session.last_used_at, ground_.clock.Now())};
}

Gatekeeper::Identified Gatekeeper::FromToken(const http::Request& request,
                                             const Presented& presented) const {
  const store::OpContext op = TermsFor(request);
  ASSIGN_OR_RETURN(const auto found,
                   store::Find(ground_.store, op, Tokens(), HashKey(HashSecret(presented.secret))));
  if (!found) {
    return Unknown();
  }
  const Token& token = found->record;
  ASSIGN_OR_RETURN(Caller caller, CallerBy(op, token));
  RETURN_IF_ERROR(CheckHost(request, caller));
  if (presented.carrier == Carrier::kBasic && !Names(presented.user_name, caller)) {
    return Unknown();
  }
  NoteTokenUse(request, token);
  return Callers::Conclusion{.value = std::make_shared<Caller>(std::move(caller)),
                             .until = Unchanged(token.expires_at.value_or(Instant::max()),
                                                token.last_used_at, ground_.clock.Now())};
}

/// By the lists, which hold whole records: there a credential is found by its id.
Gatekeeper::Identified Gatekeeper::Remember(const store::OpContext& op,
                                            const api::CredentialRef& credential) const {
  const bool is_session = IsSession(credential.kind);
  const std::string partition = credential.user ? PartitionOf(*credential.user) : credential.id;
  ASSIGN_OR_RETURN(const auto row,
                   ground_.store.Get(op, is_session ? kSessionsByUser : kTokensByUser,
                                     {.partition = partition, .sort = credential.id}));
  if (!row) {
    return Unknown();
  }
  if (is_session) {
    ASSIGN_OR_RETURN(const auto session, store::DecodeRecord<Session>(row->document, row->version));
    ASSIGN_OR_RETURN(Caller caller, CallerBy(op, session.record));
    return Callers::Conclusion{.value = std::make_shared<Caller>(std::move(caller)),
                               .until = session.record.expires_at};
  }
  ASSIGN_OR_RETURN(const auto token, store::DecodeRecord<Token>(row->document, row->version));
  ASSIGN_OR_RETURN(Caller caller, CallerBy(op, token.record));
  return Callers::Conclusion{.value = std::make_shared<Caller>(std::move(caller)),
                             .until = token.record.expires_at.value_or(Instant::max())};
}

void Gatekeeper::NoteSessionUse(const http::Request& request, const Session& session) const {
  const Instant now = ground_.clock.Now();
  if (IsLongAgo(session.last_used_at, now)) {
    uses_.NoteSession(session.hash, {.at = now, .address = Render(request.client)});
  }
}

void Gatekeeper::NoteTokenUse(const http::Request& request, const Token& token) const {
  const Instant now = ground_.clock.Now();
  if (!token.last_used_at || IsLongAgo(*token.last_used_at, now)) {
    uses_.NoteToken(token.hash, {.at = now, .address = Render(request.client)});
  }
}

}  // namespace atrium::identity
