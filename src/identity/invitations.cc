// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/invitations.h"

#include <cstdlib>
#include <utility>

#include "base/utf8.h"
#include "identity/invitation_keys.h"
#include "identity/invitation_letters.h"
#include "identity/mailed_links.h"
#include "identity/secret_token.h"
#include "mail/letter.h"

namespace atrium::identity {
namespace {

constexpr std::size_t kReasonBytesMax = 300;

/// The secret stands behind a #, which browsers keep to themselves: no log on the way has it.
std::string LinkTo(const std::string& base_url, const std::string& secret) {
  return base_url + "/join#token=" + secret;
}

/// "invitation:<id>/<number>": which of its letters.
std::string LetterName(const Invitation& invitation) {
  return std::string(Invitations::kLetterKind) + ":" + invitation.id + "/" +
         std::to_string(invitation.resends);
}

Delivery DeliveryFor(mail::LetterFate fate) {
  switch (fate) {
    case mail::LetterFate::kHandedOver:
      return Delivery::kHandedOver;
    case mail::LetterFate::kPutOff:
      return Delivery::kQueued;
    case mail::LetterFate::kRefused:
    case mail::LetterFate::kOutOfDate:
      return Delivery::kFailed;
  }
  std::abort();  // Unreachable: -Wswitch keeps the list above complete.
}

std::map<std::string, std::string> DetailOf(const Invitation& invitation) {
  return {{"email", invitation.email},
          {"kind", invitation.target.kind},
          {"to", invitation.target.id},
          {"delivery", WordFor(invitation.delivery)}};
}

bool Waits(const Invitation& invitation) {
  return invitation.state == InvitationState::kOpen ||
         invitation.state == InvitationState::kRequested;
}

}  // namespace

std::string TargetOf(const Invitation& invitation) {
  return "invitation:" + invitation.id;
}

std::string NameOf(const User& user) {
  return user.name.empty() ? user.email : user.name;
}

void Invitations::Plug(std::string kind, const InvitingRoom& room) {
  rooms_[std::move(kind)] = &room;
}

const InvitingRoom* Invitations::RoomOf(const Invitation& invitation) const {
  const auto found = rooms_.find(invitation.target.kind);
  return found == rooms_.end() ? nullptr : found->second;
}

Result<std::optional<Occasion>> Invitations::Describe(const store::OpContext& op,
                                                      const Invitation& invitation) const {
  const InvitingRoom* const room = RoomOf(invitation);
  return room != nullptr ? room->Describe(op, invitation)
                         : Result<std::optional<Occasion>>(std::nullopt);
}

Result<void> Invitations::AddJoining(const store::OpContext& op, store::Batch& batch,
                                     const Invitation& invitation, const User& user) const {
  const InvitingRoom* const room = RoomOf(invitation);
  return room != nullptr ? room->AddJoining(op, batch, invitation, user)
                         : Result<void>(Fail(ErrorCode::kNotFound, "what this invites to is gone"));
}

/// People of the organisation may be invited by everybody and as often as they like.
Result<bool> Invitations::IsKnown(const store::OpContext& op, const Inviter& inviter,
                                  const std::string& email) const {
  ASSIGN_OR_RETURN(const auto known, parts_.accounts.FindByEmail(op, email));
  return known && known->record.org == inviter.org;
}

Result<void> Invitations::CheckMayBringIn(const store::OpContext& op,
                                          const Inviter& inviter) const {
  ASSIGN_OR_RETURN(const auto org, parts_.organisations.Load(op, inviter.org));
  ASSIGN_OR_RETURN(const InvitationRules rules, ReadInvitationRules(org.record.settings));
  if (MayBringIn(rules.who, inviter.user.role)) {
    return {};
  }
  return Fail(ErrorCode::kPermissionDenied,
              rules.who == MayInvite::kClosed
                  ? "email: your organisation takes in nobody new; invite people who have an "
                    "account"
                  : "email: in your organisation only administrators invite people who have no "
                    "account");
}

/// Decides how the letter travels, and queues it if it does.
void Invitations::AddLetter(store::Batch& batch, const Inviter& inviter, const Occasion& occasion,
                            Invitation& invitation) {
  invitation.delivery_reason.clear();
  if (invitation.email.empty() || !parts_.outbox.IsOpen()) {
    invitation.delivery = invitation.email.empty() ? Delivery::kByHand : Delivery::kOff;
    return;
  }
  const NewSecret secret = MakeSecret(TokenKind::kInvitation);
  invitation.mailed_hash = secret.hash;
  invitation.delivery = Delivery::kQueued;
  parts_.outbox.Add(batch,
                    mail::Compose(WriteInvitation({.to = invitation.email,
                                                   .inviter = NameOf(inviter.user),
                                                   .inviter_email = inviter.user.email,
                                                   .occasion = occasion,
                                                   .url = LinkTo(inviter.base_url, secret.text)})),
                    invitation.expires_at, LetterName(invitation));
}

Result<IssuedInvitation> Invitations::Add(const store::OpContext& op, store::Batch& batch,
                                          const Inviter& inviter, const NewInvitation& wanted) {
  ASSIGN_OR_RETURN(const bool known, IsKnown(op, inviter, wanted.email));
  if (!known) {
    RETURN_IF_ERROR(CheckMayBringIn(op, inviter));
    RETURN_IF_ERROR(parts_.limits.CountInvitation(op, inviter.user.id.Render()));
  }
  const Instant now = ground_.clock.Now();
  const NewSecret shown = MakeSecret(TokenKind::kInvitation);
  Invitation invitation{.id = ground_.ids.NewUlid().Render(),
                        .org = inviter.org,
                        .email = wanted.email,
                        .inviter = inviter.user.id,
                        .target = wanted.target,
                        .role = wanted.occasion.role,
                        .shown_hash = shown.hash,
                        .created_at = now,
                        .expires_at = now + kInvitationOpen,
                        .vouched = inviter.vouches};
  invitation.target.label = wanted.occasion.label;
  invitation.target.return_to = SafeReturn(wanted.target.return_to);
  AddLetter(batch, inviter, wanted.occasion, invitation);
  batch.Create(InvitationRows(), invitation);
  AddAudit(batch, inviter.actor, now,
           {.org = invitation.org,
            .action = "invitation.created",
            .target = TargetOf(invitation),
            .detail = DetailOf(invitation)});
  return IssuedInvitation{.invitation = std::move(invitation),
                          .link = LinkTo(inviter.base_url, shown.text)};
}

Result<std::optional<Invitations::Found>> Invitations::Find(const store::OpContext& op,
                                                            std::string_view id) const {
  if (id.empty()) {
    return std::nullopt;
  }
  return store::Find(ground_.store, op, InvitationRows(), InvitationKey(id));
}

Result<Invitations::Found> Invitations::Load(const store::OpContext& op,
                                             std::string_view id) const {
  ASSIGN_OR_RETURN(auto found, Find(op, id));
  if (!found) {
    return Fail(ErrorCode::kNotFound, "there is no such invitation");
  }
  return *std::move(found);
}

Result<store::RecordPage<Invitation>> Invitations::List(const store::OpContext& op,
                                                        const OrgId& org, std::size_t limit,
                                                        std::optional<std::string> after) const {
  const std::string partition = org.Render();
  return store::List<Invitation>(ground_.store, op,
                                 {.table = &kInvitationsByOrg,
                                  .partition = partition,
                                  .limit = limit,
                                  .direction = store::Direction::kBackward,
                                  .after = std::move(after)});
}

Result<void> Invitations::CheckRenewable(const store::OpContext& op, const Inviter& inviter,
                                         const Invitation& invitation, Renewal renewal) const {
  // One that has expired is renewed; one that was used or taken back is not.
  RETURN_IF_ERROR(CheckOpen(invitation, invitation.created_at));
  if (renewal == Renewal::kLetter && invitation.email.empty()) {
    return Fail(ErrorCode::kInvalidArgument,
                "the invitation names no address to which a letter could go: pass its link on");
  }
  ASSIGN_OR_RETURN(const bool known, IsKnown(op, inviter, invitation.email));
  return known ? Result<void>() : CheckMayBringIn(op, inviter);
}

/// The link that is shown stays, and with it who answers for it: whoever sends a letter has not
/// seen to whom somebody else gave the link.
void Invitations::AddNewLetter(store::Batch& batch, const Inviter& inviter,
                               const Occasion& occasion, Invitation& invitation) {
  const bool own = invitation.inviter == inviter.user.id;
  invitation.vouched = own && invitation.vouched.value_or(false);
  invitation.inviter = inviter.user.id;
  ++invitation.resends;
  AddLetter(batch, inviter, occasion, invitation);
}

Result<void> Invitations::AddNewLink(const store::OpContext& op, store::Batch& batch,
                                     const Inviter& inviter, IssuedInvitation& issued) const {
  Invitation& invitation = issued.invitation;
  const NewSecret shown = MakeSecret(TokenKind::kInvitation);
  invitation.shown_hash = shown.hash;
  invitation.inviter = inviter.user.id;
  invitation.vouched = inviter.vouches;
  issued.link = LinkTo(inviter.base_url, shown.text);
  // Whoever asked did so with the link that this one replaces.
  RETURN_IF_ERROR(AddEndOfWaiting(op, batch, invitation));
  invitation.applicant.clear();
  invitation.requests = 0;
  invitation.state = InvitationState::kOpen;
  return {};
}

Result<IssuedInvitation> Invitations::Renew(const store::OpContext& op, const Inviter& inviter,
                                            std::string_view id, Renewal renewal) {
  if (renewal == Renewal::kLetter && !parts_.outbox.IsOpen()) {
    return Fail(ErrorCode::kUnavailable, "this server sends no mail: pass the link on yourself");
  }
  RETURN_IF_ERROR(Load(op, id));
  RETURN_IF_ERROR(parts_.limits.CountInvitation(op, inviter.user.id.Render()));
  return store::RetryConflicts([&]() -> Result<IssuedInvitation> {
    ASSIGN_OR_RETURN(const Found found, Load(op, id));
    RETURN_IF_ERROR(CheckRenewable(op, inviter, found.record, renewal));
    ASSIGN_OR_RETURN(const auto occasion, Describe(op, found.record));
    if (!occasion) {
      return Fail(ErrorCode::kRefusedByState, "what this invites to is gone");
    }
    store::Batch batch;
    IssuedInvitation issued{.invitation = found.record};
    Invitation& renewed = issued.invitation;
    const Instant now = ground_.clock.Now();
    renewed.expires_at = now + kInvitationOpen;
    if (renewal == Renewal::kLetter) {
      AddNewLetter(batch, inviter, *occasion, renewed);
    } else {
      RETURN_IF_ERROR(AddNewLink(op, batch, inviter, issued));
    }
    batch.Replace(InvitationRows(), found, renewed);
    AddAudit(batch, inviter.actor, now,
             {.org = renewed.org,
              .action = renewal == Renewal::kLetter ? "invitation.resent" : "invitation.link_made",
              .target = TargetOf(renewed),
              .detail = DetailOf(renewed)});
    // The link is a secret, which is not kept for whoever asks again.
    batch.SetAnswer({.status = 200, .body = "{}"});
    RETURN_IF_ERROR(ground_.store.Commit(op, std::move(batch)));
    return issued;
  });
}

Result<void> Invitations::AddEndOfWaiting(const store::OpContext& op, store::Batch& batch,
                                          const Invitation& invitation) const {
  if (invitation.applicant.empty()) {
    return {};
  }
  ASSIGN_OR_RETURN(const auto applicant, store::Find(ground_.store, op, ApplicantRows(),
                                                     InvitationKey(invitation.applicant)));
  if (applicant) {
    batch.Erase(ApplicantRows(), *applicant);
  }
  return {};
}

Result<void> Invitations::AddRevoked(const store::OpContext& op, store::Batch& batch,
                                     const Actor& actor, const Found& found) const {
  RETURN_IF_ERROR(AddEndOfWaiting(op, batch, found.record));
  Invitation revoked = found.record;
  revoked.state = InvitationState::kRevoked;
  revoked.ended_at = ground_.clock.Now();
  batch.Replace(InvitationRows(), found, revoked);
  AddAudit(batch, actor, *revoked.ended_at,
           {.org = revoked.org,
            .action = "invitation.revoked",
            .target = TargetOf(revoked),
            .detail = DetailOf(revoked)});
  return {};
}

Result<void> Invitations::Revoke(const store::OpContext& op, const Actor& actor,
                                 std::string_view id) {
  return store::RetryConflicts([&]() -> Result<void> {
    ASSIGN_OR_RETURN(const Found found, Load(op, id));
    RETURN_IF_ERROR(CheckOpen(found.record, found.record.created_at));
    store::Batch batch;
    RETURN_IF_ERROR(AddRevoked(op, batch, actor, found));
    if (const InvitingRoom* const room = RoomOf(found.record)) {
      RETURN_IF_ERROR(room->AddRevocation(op, batch, found.record));
    }
    batch.SetAnswer({.status = 204});
    RETURN_IF_ERROR(ground_.store.Commit(op, std::move(batch)));
    return {};
  });
}

Result<void> Invitations::AddRevocation(const store::OpContext& op, store::Batch& batch,
                                        const Actor& actor, std::string_view id) const {
  ASSIGN_OR_RETURN(const auto found, Find(op, id));
  if (found && Waits(found->record)) {
    return AddRevoked(op, batch, actor, *found);
  }
  return {};
}

void Invitations::AddAccepted(store::Batch& batch, const Actor& actor, const Found& found,
                              const User& user) const {
  Invitation accepted = found.record;
  accepted.state = InvitationState::kAccepted;
  accepted.accepted_by = user.id;
  accepted.ended_at = ground_.clock.Now();
  batch.Replace(InvitationRows(), found, accepted);
  AddAudit(
      batch, actor, *accepted.ended_at,
      {.org = accepted.org,
       .action = "invitation.accepted",
       .target = TargetOf(accepted),
       .detail = {{"by", user.email}, {"kind", accepted.target.kind}, {"to", accepted.target.id}}});
}

Result<void> Invitations::AddAcceptance(const store::OpContext& op, store::Batch& batch,
                                        const Actor& actor, std::string_view id,
                                        const User& user) const {
  ASSIGN_OR_RETURN(const auto found, Find(op, id));
  if (found && Waits(found->record)) {
    AddAccepted(batch, actor, *found, user);
  }
  return {};
}

Result<void> Invitations::AddOutcome(const store::OpContext& op, store::Batch& batch,
                                     const mail::LetterOutcome& outcome) {
  const std::size_t colon = outcome.about.find(':');
  const std::size_t slash = outcome.about.rfind('/');
  if (colon == std::string::npos || slash == std::string::npos || slash < colon) {
    return Fail(ErrorCode::kInvalidArgument, "about: not the name of a letter of ours");
  }
  ASSIGN_OR_RETURN(const auto found, Find(op, outcome.about.substr(colon + 1, slash - colon - 1)));
  if (!found || LetterName(found->record) != outcome.about) {
    return {};  // Gone, or there is a newer letter, which speaks for itself.
  }
  Invitation told = found->record;
  told.delivery = DeliveryFor(outcome.fate);
  told.delivery_reason = std::string(TruncateUtf8(outcome.reason, kReasonBytesMax));
  batch.Replace(InvitationRows(), *found, told);
  return {};
}

}  // namespace atrium::identity
