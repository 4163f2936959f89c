// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/address_changes.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "identity/email_address.h"
#include "identity/keys.h"
#include "identity/letters.h"
#include "identity/second_factor.h"
#include "identity/secret_token.h"
#include "store/once_only.h"
#include "store/store.h"

namespace atrium::identity {
namespace {

/// Each is a partition of its own, of which a commit takes few.
constexpr std::size_t kUnlinkedAtOnce = 6;

Instant MailedAt(const MailedLink& link) {
  return link.mailed_at.value_or(Instant{});
}

/// From when on whoever asked for the change may have been in: they need not have asked at once,
/// and may have prepared ways in that outlast the undoing.
Instant SuspectedSince(const MailedLink& link) {
  return MailedAt(link) - kUndoLifetime;
}

/// A link of a change that an older link has undone already.
bool IsVoid(const MailedLink& link, const UserSecrets& secrets) {
  return secrets.undo_void_from && secrets.undo_void_until &&
         MailedAt(link) > *secrets.undo_void_from && MailedAt(link) <= *secrets.undo_void_until;
}

}  // namespace

void AddressChanges::AddUndoLink(store::Batch& batch, const Actor& actor, const User& before,
                                 const LinkRequest& request, Moment moment) {
  const Instant now = ground_.clock.Now();
  const NewSecret secret = MakeSecret(TokenKind::kEmailUndo);
  const MailedLink link{.hash = secret.hash,
                        .purpose = LinkPurpose::kUndoEmail,
                        .user = before.id,
                        .email = before.email,
                        .return_to = "/",
                        .expires_at = now + kUndoLifetime,
                        .generation = before.generation,
                        .mailed_at = now};
  batch.Create(MailedLinks(), link);
  const UndoLetter about{.to = before.email,
                         .name = before.name,
                         .new_address = request.email,
                         .url = request.base_url + "/auth/reset#token=" + secret.text,
                         .asked_from = actor.address,
                         .is_done = moment == Moment::kDone};
  parts_.outbox.Add(batch, mail::Compose(WriteUndoLetter(about)), link.expires_at);
}

Result<void> AddressChanges::Request(const store::OpContext& op, const Actor& actor,
                                     const User& user, const LinkRequest& request) {
  if (!parts_.outbox.IsOpen()) {
    return Fail(ErrorCode::kUnavailable, "this server sends no mail");
  }
  ASSIGN_OR_RETURN(const EmailAddress email, EmailAddress::Parse(request.email));
  RETURN_IF_ERROR(parts_.limits.CountLink(op, "mail:" + email.Text(), actor.client));
  ASSIGN_OR_RETURN(const auto other, parts_.accounts.FindByEmail(op, email.Text()));
  if (other && other->record.org == user.org) {
    return Fail(ErrorCode::kAlreadyExists, "email: somebody has this address already");
  }
  LinkRequest addressed = request;
  addressed.email = email.Text();
  store::Batch batch;
  if (other) {
    parts_.links.AddTaken(batch, actor, user, addressed);
  } else {
    parts_.links.AddLink(batch, actor, user, addressed, LinkPurpose::kConfirmEmail);
  }
  AddUndoLink(batch, actor, user, addressed, Moment::kAsked);
  batch.SetAnswer({.status = 202, .body = "{}"});
  RETURN_IF_ERROR(ground_.store.Commit(op, std::move(batch)));
  return {};
}

void AddressChanges::AddNotice(store::Batch& batch, const Actor& actor, const User& before,
                               const User& after, const std::string& base_url) {
  if (parts_.outbox.IsOpen() && before.email != after.email) {
    AddUndoLink(batch, actor, before, {.email = after.email, .base_url = base_url}, Moment::kDone);
  }
}

Result<void> AddressChanges::Confirm(const store::OpContext& op, const Actor& actor,
                                     const Door& door, const std::string& secret,
                                     const std::string& base_url) {
  ASSIGN_OR_RETURN(const LinkService::Opened opened,
                   parts_.links.Open(op, door, secret, {LinkPurpose::kConfirmEmail}));
  const User& before = opened.user.record;
  User renamed = before;
  renamed.email = opened.link.record.email;
  store::Batch batch;
  batch.Replace(Users(), opened.user, renamed);
  batch.Erase(MailedLinks(), opened.link);
  AddNotice(batch, actor, before, renamed, base_url);
  AddAudit(batch, actor, ground_.clock.Now(),
           {.org = renamed.org,
            .action = "user.changed",
            .target = TargetOf(renamed.id),
            .detail = {{"email", renamed.email}, {"email_before", before.email}}});
  batch.SetAnswer({.status = 204});
  const auto receipt = parts_.limits.CommitRight(op, batch, opened.guess);
  if (!receipt && receipt.error().code == ErrorCode::kConflict) {
    return Fail(ErrorCode::kAlreadyExists, "the address was taken, or the link used, meanwhile");
  }
  RETURN_IF_ERROR(receipt);
  return {};
}

/// Accounts elsewhere that were added since then. More than a commit takes leave before it: each is
/// better gone.
Result<void> AddressChanges::AddUnlinking(const store::OpContext& op, store::Batch& batch,
                                          const UserId& user, Instant since) const {
  const std::string partition = PartitionOf(user);
  ASSIGN_OR_RETURN(const auto page,
                   store::List<ExternalIdentity>(
                       ground_.store, op, {.table = &kExternalByUser, .partition = partition}));
  std::size_t added = 0;
  for (const store::Stored<ExternalIdentity>& listed : page.records) {
    const ExternalIdentity& identity = listed.record;
    ASSIGN_OR_RETURN(const auto found, store::Find(ground_.store, op, ExternalIdentities(),
                                                   ExternalKey(identity.issuer, identity.subject)));
    if (!found || found->record.linked_at < since) {
      continue;
    }
    if (++added <= kUnlinkedAtOnce) {
      batch.Erase(ExternalIdentities(), *found);
      continue;
    }
    store::Batch own;
    own.Erase(ExternalIdentities(), *found);
    RETURN_IF_ERROR(ground_.store.Commit(store::Unnamed(op), std::move(own)));
  }
  return {};
}

Result<UserSecrets> AddressChanges::Cleansed(const UserSecrets& secrets, const User& restored,
                                             const MailedLink& link, std::string_view password) {
  UserSecrets cleansed = secrets;
  ASSIGN_OR_RETURN(cleansed.password_hash, parts_.accounts.HashFor(restored, password));
  const Instant mailed = MailedAt(link);
  cleansed.totp_pending.clear();
  if (cleansed.totp_since && *cleansed.totp_since >= SuspectedSince(link)) {
    SecondFactor::TurnOff(cleansed);
  }
  cleansed.undo_void_from = std::min(cleansed.undo_void_from.value_or(mailed), mailed);
  cleansed.undo_void_until = ground_.clock.Now();
  return cleansed;
}

Result<ConsumedLink> AddressChanges::Undo(const store::OpContext& op, const Actor& actor,
                                          const Door& door, const std::string& secret,
                                          std::string_view password) {
  ASSIGN_OR_RETURN(const LinkService::Opened opened,
                   parts_.links.Open(op, door, secret, {LinkPurpose::kUndoEmail}));
  const MailedLink& link = opened.link.record;
  User restored = opened.user.record;
  const std::string left = std::exchange(restored.email, link.email);
  ++restored.generation;
  ASSIGN_OR_RETURN(const auto secrets, parts_.accounts.FindSecrets(op, restored.id));
  if (!secrets || IsVoid(link, secrets->record)) {
    return BadLink();
  }
  ASSIGN_OR_RETURN(const UserSecrets cleansed, Cleansed(secrets->record, restored, link, password));
  store::Batch batch;
  batch.Replace(Users(), opened.user, restored);
  batch.Replace(Secrets(), *secrets, cleansed);
  batch.Erase(MailedLinks(), opened.link);
  RETURN_IF_ERROR(AddUnlinking(op, batch, restored.id, SuspectedSince(link)));
  ConsumedLink consumed{.email = restored.email, .return_to = link.return_to};
  if (!SecondFactor::IsOn(cleansed)) {
    consumed.opened = parts_.sessions.Open(batch, actor, restored, "link");
  }
  AddAudit(batch, actor, ground_.clock.Now(),
           {.org = restored.org,
            .action = "user.address_restored",
            .target = TargetOf(restored.id),
            .detail = {{"email", restored.email}, {"email_before", left}}});
  const auto receipt = parts_.limits.CommitRight(store::Unnamed(op), batch, opened.guess);
  if (!receipt && receipt.error().code == ErrorCode::kConflict) {
    ASSIGN_OR_RETURN(const auto other, parts_.accounts.FindByEmail(op, link.email));
    return other && other->record.id != restored.id
               ? Fail(ErrorCode::kAlreadyExists, "somebody else has this address now")
               : BadLink();
  }
  RETURN_IF_ERROR(receipt);
  return consumed;
}

}  // namespace atrium::identity
