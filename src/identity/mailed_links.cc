// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/mailed_links.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "identity/email_address.h"
#include "identity/keys.h"
#include "identity/letters.h"
#include "identity/secret_token.h"
#include "store/once_only.h"

namespace atrium::identity {
namespace {

constexpr std::size_t kReturnBytesMax = 200;

TokenKind KindFor(LinkPurpose purpose) {
  switch (purpose) {
    case LinkPurpose::kSignIn:
    case LinkPurpose::kInvitation:
      return TokenKind::kMagicLink;
    case LinkPurpose::kResetPassword:
      return TokenKind::kPasswordReset;
    case LinkPurpose::kConfirmEmail:
      return TokenKind::kEmailChange;
    case LinkPurpose::kUndoEmail:
      return TokenKind::kEmailUndo;
  }
  std::abort();  // Unreachable: -Wswitch keeps the list above complete.
}

/// The secret stands behind a #, which browsers keep to themselves: no log on the way has it.
std::string UrlFor(LinkPurpose purpose, const std::string& base, const std::string& secret) {
  switch (purpose) {
    case LinkPurpose::kSignIn:
    case LinkPurpose::kInvitation:
      return base + "/auth/link#token=" + secret;
    case LinkPurpose::kResetPassword:
    case LinkPurpose::kUndoEmail:
      return base + "/auth/reset#token=" + secret;
    case LinkPurpose::kConfirmEmail:
      return base + "/auth/confirm#token=" + secret;
  }
  std::abort();  // Unreachable: -Wswitch keeps the list above complete.
}

}  // namespace

std::unexpected<Error> BadLink() {
  return Fail(ErrorCode::kUnauthenticated, "the link was used, has expired, or never was one");
}

std::string SafeReturn(std::string_view path) {
  const bool plain = std::ranges::all_of(path, [](char c) { return c > ' ' && c <= '~'; });
  const bool ours = path.starts_with('/') && !path.starts_with("//") && !path.contains('\\');
  return plain && ours && path.size() <= kReturnBytesMax ? std::string(path) : "/";
}

/// Opens nothing before it has a person.
MailedLink LinkService::LinkFor(const LinkRequest& request, LinkPurpose purpose,
                                std::string hash) const {
  const Instant now = ground_.clock.Now();
  const bool invites = purpose == LinkPurpose::kInvitation;
  return {.hash = std::move(hash),
          .purpose = purpose,
          .email = request.email,
          .return_to = SafeReturn(request.return_to),
          .expires_at = now + (invites ? kInvitationLifetime : kLinkLifetime),
          .mailed_at = now};
}

/// The row and the line of the log.
void LinkService::AddMailed(store::Batch& batch, const Actor& actor, const User& user,
                            const MailedLink& link) {
  batch.Create(MailedLinks(), link);
  AddAudit(batch, actor, ground_.clock.Now(),
           {.org = user.org,
            .action = "link.mailed",
            .target = TargetOf(user.id),
            .detail = {{"purpose", WordFor(link.purpose)}, {"email", link.email}}});
}

void LinkService::AddLink(store::Batch& batch, const Actor& actor, const User& user,
                          const LinkRequest& request, LinkPurpose purpose) {
  const NewSecret secret = MakeSecret(KindFor(purpose));
  MailedLink link = LinkFor(request, purpose, secret.hash);
  link.user = user.id;
  link.generation = user.generation;
  AddMailed(batch, actor, user, link);
  parts_.outbox.Add(
      batch,
      mail::Compose(WriteLinkLetter({.purpose = purpose,
                                     .to = link.email,
                                     .name = user.name,
                                     .url = UrlFor(purpose, request.base_url, secret.text),
                                     .asked_from = actor.address})),
      link.expires_at);
}

void LinkService::AddTaken(store::Batch& batch, const Actor& actor, const User& user,
                           const LinkRequest& request) {
  constexpr LinkPurpose kPurpose = LinkPurpose::kConfirmEmail;
  const MailedLink link = LinkFor(request, kPurpose, MakeSecret(KindFor(kPurpose)).hash);
  AddMailed(batch, actor, user, link);
  parts_.outbox.Add(batch, mail::Compose(WriteTakenLetter(link.email)), link.expires_at);
}

/// The rows that AddLink() would write, for nobody: the link opens nothing, and the letter has
/// expired before it is sent. Whoever measures how long the answer takes learns nothing.
void LinkService::AddDecoy(store::Batch& batch, const Actor& actor, const OrgId& org,
                           const LinkRequest& request, LinkPurpose purpose) {
  const NewSecret secret = MakeSecret(KindFor(purpose));
  batch.Create(MailedLinks(), LinkFor(request, purpose, secret.hash));
  parts_.outbox.Add(
      batch,
      mail::Compose(WriteLinkLetter({.purpose = purpose,
                                     .to = request.email,
                                     .name = "nobody",
                                     .url = UrlFor(purpose, request.base_url, secret.text),
                                     .asked_from = actor.address})),
      Instant{});
  AddAudit(batch, actor, ground_.clock.Now(),
           {.org = org,
            .action = "link.refused",
            .target = TargetOf(org),
            .detail = {{"purpose", WordFor(purpose)}, {"email", request.email}}});
}

void LinkService::AddInvitation(store::Batch& batch, const Actor& actor, const User& user,
                                const std::string& base_url) {
  AddLink(batch, actor, user, {.email = user.email, .base_url = base_url},
          LinkPurpose::kInvitation);
}

Result<void> LinkService::Mail(const store::OpContext& op, const Actor& actor, const User& user,
                               const LinkRequest& request, LinkPurpose purpose) {
  store::Batch batch;
  AddLink(batch, actor, user, request, purpose);
  batch.SetAnswer({.status = 202, .body = "{}"});
  RETURN_IF_ERROR(ground_.store.Commit(op, std::move(batch)));
  return {};
}

Result<void> LinkService::Request(const store::OpContext& op, const Actor& actor, const Door& door,
                                  const LinkRequest& request, LinkPurpose purpose) {
  if (!parts_.outbox.IsOpen()) {
    return Fail(ErrorCode::kUnavailable, "this server sends no mail");
  }
  const Result<EmailAddress> email = EmailAddress::Parse(request.email);
  const std::string account = email ? email->Text() : "";
  RETURN_IF_ERROR(parts_.limits.CountLink(op, "mail:" + account, door.address));
  if (!email) {
    // Anybody can see that it is no address, so there is nothing to hide.
    return {};
  }
  ASSIGN_OR_RETURN(const auto row, ground_.store.Get(op, kUserEmails, EmailKey(account)));
  // Nobody has this key; somebody who is not there is looked for all the same.
  store::Key owner = UserKeyOf(UserId{});
  if (row) {
    ASSIGN_OR_RETURN(owner, store::DecodePointer(row->document));
  }
  ASSIGN_OR_RETURN(const auto user, store::Find(ground_.store, op, Users(), owner));
  const bool known = user && user->record.status == UserStatus::kActive &&
                     (user->record.org == door.org || user->record.role == Role::kSuperadmin);
  LinkRequest addressed = request;
  addressed.email = account;
  store::Batch batch;
  if (known) {
    AddLink(batch, actor, user->record, addressed, purpose);
  } else {
    AddDecoy(batch, actor, door.org, addressed, purpose);
  }
  batch.SetAnswer({.status = 202, .body = "{}"});
  RETURN_IF_ERROR(ground_.store.Commit(op, std::move(batch)));
  return {};
}

Result<void> LinkService::RequestSignIn(const store::OpContext& op, const Actor& actor,
                                        const Door& door, const LinkRequest& request) {
  return Request(op, actor, door, request, LinkPurpose::kSignIn);
}

Result<void> LinkService::RequestReset(const store::OpContext& op, const Actor& actor,
                                       const Door& door, const LinkRequest& request) {
  return Request(op, actor, door, request, LinkPurpose::kResetPassword);
}

Result<void> LinkService::Invite(const store::OpContext& op, const Actor& actor, const User& user,
                                 const LinkRequest& request) {
  if (!parts_.outbox.IsOpen()) {
    return Fail(ErrorCode::kUnavailable, "this server sends no mail");
  }
  RETURN_IF_ERROR(CheckMayManage(actor, user.org, user.role));
  LinkRequest addressed = request;
  addressed.email = user.email;
  return Mail(op, actor, user, addressed, LinkPurpose::kInvitation);
}

Result<LinkService::Opened> LinkService::Open(const store::OpContext& op, const Door& door,
                                              const std::string& secret,
                                              std::initializer_list<LinkPurpose> purposes) {
  const std::string hash = HashSecret(secret);
  ASSIGN_OR_RETURN(GuessLimits::Guess guess, parts_.limits.CountLink(op, hash, door.address));
  ASSIGN_OR_RETURN(const auto link, store::Find(ground_.store, op, MailedLinks(), HashKey(hash)));
  if (!link || std::ranges::find(purposes, link->record.purpose) == purposes.end()) {
    return BadLink();
  }
  ASSIGN_OR_RETURN(const auto user,
                   store::Find(ground_.store, op, Users(), UserKeyOf(link->record.user)));
  if (!user || user->record.status != UserStatus::kActive) {
    return BadLink();
  }
  // What whoever took an account over did to it does not matter to the link that undoes it.
  const bool undoes = link->record.purpose == LinkPurpose::kUndoEmail;
  if (!undoes && user->record.generation != link->record.generation) {
    return BadLink();
  }
  // A link proves that its reader owns the address, which is the person's no longer.
  if (!undoes && link->record.purpose != LinkPurpose::kConfirmEmail &&
      link->record.email != user->record.email) {
    return BadLink();
  }
  return Opened{.link = *link, .user = *user, .guess = std::move(guess)};
}

Result<ConsumedLink> LinkService::Consume(const store::OpContext& op, const Actor& actor,
                                          const Door& door, const std::string& secret,
                                          const std::optional<std::string>& otp) {
  ASSIGN_OR_RETURN(const Opened opened,
                   Open(op, door, secret, {LinkPurpose::kSignIn, LinkPurpose::kInvitation}));
  const User& user = opened.user.record;
  ASSIGN_OR_RETURN(const auto secrets, parts_.accounts.FindSecrets(op, user.id));
  ConsumedLink consumed{.email = user.email, .return_to = opened.link.record.return_to};
  store::Batch batch;
  if (secrets && SecondFactor::IsOn(secrets->record)) {
    ASSIGN_OR_RETURN(const UserSecrets used, parts_.sign_in.PassSecondFactor(secrets->record, otp));
    batch.Replace(Secrets(), *secrets, used);
  }
  batch.Erase(MailedLinks(), opened.link);
  batch.Check(Users(), opened.user);
  consumed.opened = parts_.sessions.Open(batch, actor, user, "link");
  const auto receipt = parts_.limits.CommitRight(store::Unnamed(op), batch, opened.guess);
  if (!receipt && receipt.error().code == ErrorCode::kConflict) {
    return BadLink();
  }
  RETURN_IF_ERROR(receipt);
  return consumed;
}

Result<ConsumedLink> LinkService::Reset(const store::OpContext& op, const Actor& actor,
                                        const Door& door, const std::string& secret,
                                        std::string_view password) {
  ASSIGN_OR_RETURN(const Opened opened, Open(op, door, secret, {LinkPurpose::kResetPassword}));
  store::Batch batch;
  RETURN_IF_ERROR(parts_.accounts.AddPassword(op, batch, opened.user, password));
  User renewed = opened.user.record;
  ++renewed.generation;
  batch.Erase(MailedLinks(), opened.link);
  ConsumedLink consumed{.email = renewed.email, .return_to = opened.link.record.return_to};
  ASSIGN_OR_RETURN(const auto secrets, parts_.accounts.FindSecrets(op, renewed.id));
  // A mailbox alone must not get past a second factor: then the person signs in as always.
  if (!secrets || !SecondFactor::IsOn(secrets->record)) {
    consumed.opened = parts_.sessions.Open(batch, actor, renewed, "link");
  }
  AddAudit(batch, actor, ground_.clock.Now(),
           {.org = renewed.org, .action = "password.reset", .target = TargetOf(renewed.id)});
  const auto receipt = parts_.limits.CommitRight(store::Unnamed(op), batch, opened.guess);
  if (!receipt && receipt.error().code == ErrorCode::kConflict) {
    return BadLink();
  }
  RETURN_IF_ERROR(receipt);
  return consumed;
}

}  // namespace atrium::identity
