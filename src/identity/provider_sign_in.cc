// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/provider_sign_in.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/constant_time.h"
#include "base/random.h"
#include "base/utf8.h"
#include "identity/email_address.h"
#include "identity/keys.h"
#include "identity/mailed_links.h"
#include "identity/secret_token.h"
#include "oidc/provider.h"
#include "store/once_only.h"
#include "store/store.h"

namespace atrium::identity {
namespace {

constexpr std::size_t kNameBytesMax = 200;
constexpr std::size_t kErrorBytesMax = 32;
/// How far the clock of a provider may be ahead of ours.
constexpr std::chrono::seconds kClockLeeway{60};

bool IsCodeCharacter(char c) {
  return (c >= 'a' && c <= 'z') || c == '_';
}

std::unexpected<Error> Stale() {
  return Fail(ErrorCode::kUnauthenticated,
              "this sign-in was used, has expired, or was begun in another browser: begin again");
}

/// What came instead of a code. Anybody can write that into a URL: only what looks like a code of
/// the standard is repeated.
std::unexpected<Error> Declined(std::string_view error) {
  const bool plain = error.size() <= kErrorBytesMax && std::ranges::all_of(error, IsCodeCharacter);
  return Fail(ErrorCode::kUnauthenticated,
              "the provider did not sign you in" + (plain ? ": " + std::string(error) : ""));
}

bool IsRefusal(const Error& error) {
  return error.code == ErrorCode::kPermissionDenied || error.code == ErrorCode::kInvalidArgument;
}

Result<void> CheckMayEnter(const User& user, const OrgId& org) {
  if (user.status != UserStatus::kActive) {
    return Fail(ErrorCode::kPermissionDenied, "this account is deactivated");
  }
  if (user.org != org && user.role != Role::kSuperadmin) {
    return Fail(ErrorCode::kPermissionDenied, "this account belongs to another organisation");
  }
  return {};
}

/// Who began it, if they were signed in.
std::optional<UserId> SignedIn(const std::optional<UserId>& links_to,
                               const std::optional<api::CredentialRef>& proves) {
  return proves ? proves->user : links_to;
}

/// A proof is worth nothing when the provider still remembers somebody.
oidc::AuthorizationOptions OptionsFor(const DepartureRequest& request) {
  return request.proves
             ? oidc::AuthorizationOptions{.prompt = "login", .max_age = std::chrono::seconds(0)}
             : oidc::AuthorizationOptions{};
}

/// When somebody signed in at the provider. Nullopt when it does not say, or says what cannot be.
std::optional<Instant> SignedInAt(const oidc::Claims& claims, Instant now) {
  const bool can_be = claims.auth_time && *claims.auth_time <= now + kClockLeeway;
  return can_be ? std::optional(std::min(*claims.auth_time, now)) : std::nullopt;
}

/// Whether somebody who was sent there to prove who they are has just signed in. A provider that
/// does not say when is trusted to have done as it was asked: to let nobody pass who is remembered.
bool HasJustSignedIn(const oidc::Claims& claims, Instant now) {
  const std::optional<Instant> at = SignedInAt(claims, now);
  return at ? now - *at <= kFlowLifetime : !claims.auth_time;
}

/// The person whom a commit makes known, in place of nobody.
Actor As(const User& user, Actor actor) {
  actor.name = TargetOf(user.id);
  actor.label = user.email;
  return actor;
}

}  // namespace

ProviderSignIn::ProviderSignIn(const Ground& ground, const Parts& parts)
    : ground_(ground),
      parts_(parts),
      list_(ground, parts.box),
      party_(parts.sender, ground.clock) {}

/// What is stored of the browser's secret. Whoever is signed in already is bound, too, with the
/// numbers that end their credentials: what ends a stolen session ends what was begun with it.
Result<std::string> ProviderSignIn::BindingOf(const store::OpContext& op,
                                              const std::string& browser_secret,
                                              const std::optional<UserId>& signed_in) const {
  if (!signed_in) {
    return HashSecret(browser_secret);
  }
  ASSIGN_OR_RETURN(const auto user, parts_.accounts.Load(op, *signed_in));
  return HashSecret(browser_secret + "/" + user.record.id.Render() + "/" +
                    std::to_string(user.record.generation) + "/" +
                    std::to_string(user.record.session_generation));
}

Result<Departure> ProviderSignIn::Begin(const store::OpContext& op,
                                        const DepartureRequest& request) {
  ASSIGN_OR_RETURN(const auto provider, list_.Load(op, request.org, request.provider));
  Result<oidc::Started> started =
      party_.Begin({.issuer = provider.record.issuer, .client_id = provider.record.client_id},
                   request.redirect_uri, OptionsFor(request));
  if (!started) {
    Error error = std::move(started).error();
    // However a provider is unfit, whoever wants to sign in can do nothing but come back later.
    error.code = IsRefusal(error) ? ErrorCode::kUnavailable : error.code;
    error.client_message = "the provider cannot be used at the moment";
    return While("begin at provider " + request.provider, std::move(error));
  }
  Departure departure{.url = std::move(started->url), .browser_secret = RandomToken()};
  ASSIGN_OR_RETURN(std::string binding, BindingOf(op, departure.browser_secret,
                                                  SignedIn(request.links_to, request.proves)));
  store::Batch batch;
  ProviderFlow flow{.hash = HashSecret(started->flow.state),
                    .org = request.org,
                    .provider = request.provider,
                    .nonce = started->flow.nonce,
                    .code_verifier = started->flow.code_verifier,
                    .browser_hash = std::move(binding),
                    .return_to = SafeReturn(request.return_to),
                    .redirect_uri = request.redirect_uri,
                    .links_to = request.links_to,
                    .proves = request.proves,
                    .expires_at = ground_.clock.Now() + kFlowLifetime};
  if (request.ticket) {
    flow.invitation = request.ticket->invitation;
    flow.invitation_mailed = request.ticket->carrier == Carrier::kMail;
  }
  batch.Create(ProviderFlows(), flow);
  // What this answers is a secret, which is not kept for whoever names the same request again.
  RETURN_IF_ERROR(ground_.store.Commit(store::Unnamed(op), std::move(batch)));
  return departure;
}

/// Finds the flow and uses it up, before anything is believed or asked.
Result<ProviderFlow> ProviderSignIn::TakeFlow(const store::OpContext& op, const Arrival& arrival) {
  ASSIGN_OR_RETURN(const auto found, store::Find(ground_.store, op, ProviderFlows(),
                                                 HashKey(HashSecret(arrival.state))));
  if (!found) {
    return Stale();
  }
  store::Batch batch;
  batch.Erase(ProviderFlows(), *found);
  const Result<store::Receipt> receipt = ground_.store.Commit(store::Unnamed(op), std::move(batch));
  if (!receipt && receipt.error().code == ErrorCode::kConflict) {
    return Stale();
  }
  RETURN_IF_ERROR(receipt);
  const ProviderFlow& flow = found->record;
  const bool fits = flow.org == arrival.org && flow.provider == arrival.provider &&
                    ground_.clock.Now() < flow.expires_at;
  const Result<std::string> binding =
      BindingOf(op, arrival.browser_secret, SignedIn(flow.links_to, flow.proves));
  if (!binding && binding.error().code != ErrorCode::kNotFound) {
    return std::unexpected(binding.error());
  }
  if (!fits || !binding || !ConstantTimeEqual(*binding, flow.browser_hash)) {
    return Stale();
  }
  return flow;
}

Result<oidc::Claims> ProviderSignIn::Ask(const Provider& provider, const ProviderFlow& flow,
                                         const std::string& code) {
  ASSIGN_OR_RETURN(const oidc::Provider client, list_.ClientOf(provider));
  Result<oidc::Claims> claims = party_.Finish(
      client, flow.redirect_uri, {.nonce = flow.nonce, .code_verifier = flow.code_verifier}, code);
  if (!claims) {
    Error error = std::move(claims).error();
    // To us, whoever brings nothing that holds is unknown.
    error.code = IsRefusal(error) ? ErrorCode::kUnauthenticated : error.code;
    return While("sign in at provider " + provider.id, std::move(error));
  }
  return claims;
}

Result<Arrived> ProviderSignIn::Finish(const store::OpContext& op, const Actor& actor,
                                       const Arrival& arrival) {
  ASSIGN_OR_RETURN(const ProviderFlow flow, TakeFlow(op, arrival));
  if (!arrival.error.empty()) {
    return Declined(arrival.error);
  }
  ASSIGN_OR_RETURN(const auto provider, list_.Load(op, arrival.org, arrival.provider));
  ASSIGN_OR_RETURN(const oidc::Claims claims, Ask(provider.record, flow, arrival.code));
  Arrived arrived{.return_to = flow.return_to};
  if (flow.links_to) {
    RETURN_IF_ERROR(Link(op, actor, *flow.links_to, claims));
    return arrived;
  }
  if (flow.proves) {
    RETURN_IF_ERROR(store::RetryConflicts([&] { return Prove(op, actor, *flow.proves, claims); }));
    return arrived;
  }
  if (flow.invitation) {
    return store::RetryConflicts([&] { return AdmitInvited(op, actor, flow, claims); });
  }
  ASSIGN_OR_RETURN(arrived.opened, store::RetryConflicts(
                                       [&] { return Admit(op, actor, provider.record, claims); }));
  return arrived;
}

/// Whoever has an account already comes back to the invitation signed in, and accepts it there.
Result<Arrived> ProviderSignIn::AdmitInvited(const store::OpContext& op, const Actor& actor,
                                             const ProviderFlow& flow, const oidc::Claims& claims) {
  ASSIGN_OR_RETURN(const auto provider, list_.Load(op, flow.org, flow.provider));
  ASSIGN_OR_RETURN(const auto known, store::Find(ground_.store, op, ExternalIdentities(),
                                                 ExternalKey(claims.issuer, claims.subject)));
  const Result<EmailAddress> email = EmailAddress::Parse(claims.email);
  ASSIGN_OR_RETURN(const auto user,
                   parts_.accounts.FindByEmail(op, email ? email->Text() : std::string()));
  Arrived arrived{.return_to = "/join"};
  if (known || user) {
    ASSIGN_OR_RETURN(arrived.opened, Admit(op, actor, provider.record, claims));
    return arrived;
  }
  const Joining::Ticket ticket{
      .invitation = *flow.invitation,
      .carrier = flow.invitation_mailed.value_or(false) ? Carrier::kMail : Carrier::kHand,
      .return_to = flow.return_to};
  store::Batch batch;
  ASSIGN_OR_RETURN(
      const User made,
      parts_.joining.AddFromProvider(op, batch, actor, ticket,
                                     {.email = claims.email,
                                      .name = std::string(TruncateUtf8(claims.name, kNameBytesMax)),
                                      .email_verified = claims.email_verified}));
  AddIdentity(batch, actor, made, claims);
  arrived.opened =
      parts_.sessions.OpenFromProvider(batch, actor, made, SignedInAt(claims, ground_.clock.Now()));
  arrived.return_to = flow.return_to;
  RETURN_IF_ERROR(ground_.store.Commit(op, std::move(batch)));
  return arrived;
}

void ProviderSignIn::AddIdentity(store::Batch& batch, const Actor& actor, const User& user,
                                 const oidc::Claims& claims) const {
  const Instant now = ground_.clock.Now();
  batch.Create(ExternalIdentities(), ExternalIdentity{.issuer = claims.issuer,
                                                      .subject = claims.subject,
                                                      .user = user.id,
                                                      .email = claims.email,
                                                      .linked_at = now});
  AddAudit(batch, As(user, actor), now,
           {.org = user.org,
            .action = "identity.linked",
            .target = TargetOf(user.id),
            .detail = {{"issuer", claims.issuer}, {"subject", claims.subject}}});
}

/// The account elsewhere must be theirs already, and they must have signed in there just now: one
/// that was left signed in would prove nothing.
Result<void> ProviderSignIn::Prove(const store::OpContext& op, const Actor& actor,
                                   const api::CredentialRef& session, const oidc::Claims& claims) {
  ASSIGN_OR_RETURN(const auto known, store::Find(ground_.store, op, ExternalIdentities(),
                                                 ExternalKey(claims.issuer, claims.subject)));
  const Instant now = ground_.clock.Now();
  const bool theirs = known && known->record.user == session.user;
  if (!theirs || !HasJustSignedIn(claims, now)) {
    return Fail(ErrorCode::kPermissionDenied, "this does not prove that the account is yours");
  }
  store::Batch batch;
  RETURN_IF_ERROR(AddProof(ground_, op, batch, actor,
                           {.session = session, .how = "provider", .at = SignedInAt(claims, now)}));
  batch.Check(ExternalIdentities(), *known);
  RETURN_IF_ERROR(ground_.store.Commit(op, std::move(batch)));
  return {};
}

Result<void> ProviderSignIn::Link(const store::OpContext& op, const Actor& actor, const UserId& id,
                                  const oidc::Claims& claims) {
  ASSIGN_OR_RETURN(const auto user, parts_.accounts.Load(op, id));
  RETURN_IF_ERROR(CheckMayEnter(user.record, user.record.org));
  ASSIGN_OR_RETURN(const auto known, store::Find(ground_.store, op, ExternalIdentities(),
                                                 ExternalKey(claims.issuer, claims.subject)));
  if (known && known->record.user != id) {
    return Fail(ErrorCode::kConflict, "this account elsewhere belongs to somebody else here");
  }
  if (known) {
    return {};
  }
  ASSIGN_OR_RETURN(const std::vector<ExternalIdentity> linked, ListLinked(op, id));
  if (linked.size() >= kLinkedMax) {
    return Fail(ErrorCode::kLimitExceeded, "there are 20 accounts elsewhere already");
  }
  store::Batch batch;
  AddIdentity(batch, actor, user.record, claims);
  batch.Check(Users(), user);
  RETURN_IF_ERROR(ground_.store.Commit(op, std::move(batch)));
  return {};
}

Result<OpenedSession> ProviderSignIn::Admit(const store::OpContext& op, const Actor& actor,
                                            const Provider& provider, const oidc::Claims& claims) {
  ASSIGN_OR_RETURN(const auto known, store::Find(ground_.store, op, ExternalIdentities(),
                                                 ExternalKey(claims.issuer, claims.subject)));
  if (known) {
    return AdmitKnown(op, actor, provider, claims, *known);
  }
  const Result<EmailAddress> email = EmailAddress::Parse(claims.email);
  if (!email) {
    return Fail(ErrorCode::kPermissionDenied, "the provider did not say what your address is");
  }
  ASSIGN_OR_RETURN(const auto user, parts_.accounts.FindByEmail(op, email->Text()));
  return user ? AdmitByAddress(op, actor, provider, claims, *user)
              : AdmitNewcomer(op, actor, provider, claims);
}

Result<OpenedSession> ProviderSignIn::AdmitKnown(const store::OpContext& op, const Actor& actor,
                                                 const Provider& provider,
                                                 const oidc::Claims& claims,
                                                 const store::Stored<ExternalIdentity>& identity) {
  ASSIGN_OR_RETURN(const auto user, parts_.accounts.Load(op, identity.record.user));
  RETURN_IF_ERROR(CheckMayEnter(user.record, provider.org));
  store::Batch batch;
  OpenedSession opened = parts_.sessions.OpenFromProvider(batch, actor, user.record,
                                                          SignedInAt(claims, ground_.clock.Now()));
  // Held to both as they were: not deactivated, and not unlinked, in between.
  batch.Check(Users(), user);
  batch.Check(ExternalIdentities(), identity);
  RETURN_IF_ERROR(ground_.store.Commit(op, std::move(batch)));
  return opened;
}

Result<OpenedSession> ProviderSignIn::AdmitByAddress(const store::OpContext& op, const Actor& actor,
                                                     const Provider& provider,
                                                     const oidc::Claims& claims,
                                                     const store::Stored<User>& user) {
  // An administrator may enter any provider, and must not become more than that by it.
  const bool vouched_for = provider.trusted && claims.email_verified &&
                           user.record.org == provider.org && user.record.role != Role::kSuperadmin;
  if (!vouched_for) {
    return Fail(ErrorCode::kPermissionDenied,
                "there is an account with your address already: sign in to it first, then add this "
                "one to it");
  }
  RETURN_IF_ERROR(CheckMayEnter(user.record, provider.org));
  store::Batch batch;
  AddIdentity(batch, actor, user.record, claims);
  OpenedSession opened = parts_.sessions.OpenFromProvider(batch, actor, user.record,
                                                          SignedInAt(claims, ground_.clock.Now()));
  batch.Check(Users(), user);
  RETURN_IF_ERROR(ground_.store.Commit(op, std::move(batch)));
  return opened;
}

Result<OpenedSession> ProviderSignIn::AdmitNewcomer(const store::OpContext& op, const Actor& actor,
                                                    const Provider& provider,
                                                    const oidc::Claims& claims) {
  if (!provider.creates_users) {
    return Fail(ErrorCode::kPermissionDenied, "nobody here has your address");
  }
  if (!claims.email_verified) {
    return Fail(ErrorCode::kPermissionDenied, "the provider has not verified your address");
  }
  store::Batch batch;
  ASSIGN_OR_RETURN(
      const User user,
      parts_.accounts.AddUser(
          batch, provider.org,
          {.email = claims.email, .name = std::string(TruncateUtf8(claims.name, kNameBytesMax))}));
  AddAudit(batch, As(user, actor), user.created_at,
           {.org = user.org,
            .action = "user.created",
            .target = TargetOf(user.id),
            .detail = {{"email", user.email}, {"provider", provider.id}}});
  AddIdentity(batch, actor, user, claims);
  OpenedSession opened =
      parts_.sessions.OpenFromProvider(batch, actor, user, SignedInAt(claims, ground_.clock.Now()));
  RETURN_IF_ERROR(ground_.store.Commit(op, std::move(batch)));
  return opened;
}

Result<std::vector<ExternalIdentity>> ProviderSignIn::ListLinked(const store::OpContext& op,
                                                                 const UserId& user) const {
  const std::string partition = PartitionOf(user);
  ASSIGN_OR_RETURN(auto page,
                   store::List<ExternalIdentity>(
                       ground_.store, op, {.table = &kExternalByUser, .partition = partition}));
  std::vector<ExternalIdentity> linked;
  linked.reserve(page.records.size());
  for (store::Stored<ExternalIdentity>& one : page.records) {
    linked.push_back(std::move(one.record));
  }
  return linked;
}

/// Holds the commit to another way in, so that two of them never leave at once.
Result<void> ProviderSignIn::KeepAnotherWayIn(const store::OpContext& op, store::Batch& batch,
                                              const User& user,
                                              const ExternalIdentity& leaving) const {
  ASSIGN_OR_RETURN(const auto secrets, parts_.accounts.FindSecrets(op, user.id));
  if (secrets && !secrets->record.password_hash.empty()) {
    batch.Check(Secrets(), *secrets);
    return {};
  }
  ASSIGN_OR_RETURN(const std::vector<Provider> providers, list_.List(op, user.org));
  ASSIGN_OR_RETURN(const std::vector<ExternalIdentity> linked, ListLinked(op, user.id));
  for (const ExternalIdentity& one : linked) {
    const bool leaves = one.issuer == leaving.issuer && one.subject == leaving.subject;
    const bool usable = std::ranges::any_of(
        providers, [&](const Provider& provider) { return provider.issuer == one.issuer; });
    if (leaves || !usable) {
      continue;
    }
    ASSIGN_OR_RETURN(const auto other, store::Find(ground_.store, op, ExternalIdentities(),
                                                   ExternalKey(one.issuer, one.subject)));
    if (other) {
      batch.Check(ExternalIdentities(), *other);
      return {};
    }
  }
  return Fail(ErrorCode::kConflict, "this is your last way in: choose a password first");
}

Result<void> ProviderSignIn::Unlink(const store::OpContext& op, const Actor& actor,
                                    const User& user, const std::string& issuer,
                                    const std::string& subject) {
  ASSIGN_OR_RETURN(const auto identity, store::Find(ground_.store, op, ExternalIdentities(),
                                                    ExternalKey(issuer, subject)));
  if (!identity || identity->record.user != user.id) {
    return Fail(ErrorCode::kNotFound, "this account elsewhere is not yours");
  }
  store::Batch batch;
  batch.Erase(ExternalIdentities(), *identity);
  RETURN_IF_ERROR(KeepAnotherWayIn(op, batch, user, identity->record));
  AddAudit(batch, actor, ground_.clock.Now(),
           {.org = user.org,
            .action = "identity.unlinked",
            .target = TargetOf(user.id),
            .detail = {{"issuer", issuer}, {"subject", subject}}});
  RETURN_IF_ERROR(ground_.store.Commit(op, std::move(batch)));
  return {};
}

}  // namespace atrium::identity
