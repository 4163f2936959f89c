// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/joining.h"

#include <utility>

#include "identity/email_address.h"
#include "identity/invitation_keys.h"
#include "identity/keys.h"
#include "identity/secret_token.h"
#include "store/once_only.h"

namespace atrium::identity {
namespace {

std::unexpected<Error> NoInvitation() {
  return Fail(ErrorCode::kNotFound,
              "the link never was one, or was replaced by a newer one; ask for a new one");
}

}  // namespace

Result<Joining::Opened> Joining::Open(const store::OpContext& op, const Door& door,
                                      const std::string& secret) {
  const std::string hash = HashSecret(secret);
  ASSIGN_OR_RETURN(const GuessLimits::Guess guess, parts_.limits.CountLink(op, hash, door.address));
  Carrier carrier = Carrier::kMail;
  ASSIGN_OR_RETURN(auto found, store::FindBy(ground_.store, op, InvitationRows(),
                                             kInvitationsMailed, HashKey(hash)));
  if (!found) {
    carrier = Carrier::kHand;
    ASSIGN_OR_RETURN(found, store::FindBy(ground_.store, op, InvitationRows(), kInvitationsShown,
                                          HashKey(hash)));
  }
  if (!found || found->record.org != door.org) {
    return NoInvitation();
  }
  RETURN_IF_ERROR(parts_.limits.Forgive(op, guess));
  return Opened{.found = *std::move(found), .carrier = carrier};
}

/// An administrator could make the account, and says by the link that it may be made; but nobody
/// does who made it as something else, or who is none any more.
bool Joining::IsProved(const UsableInvitation& invitation, Carrier carrier) const {
  const Invitation& record = invitation.found.record;
  const bool vouched = record.vouched.value_or(false) && invitation.inviter.role >= Role::kAdmin;
  return !record.email.empty() && (carrier == Carrier::kMail || vouched);
}

Result<InvitationGlance> Joining::Look(const store::OpContext& op, const Door& door,
                                       const std::string& secret) {
  ASSIGN_OR_RETURN(const Opened opened, Open(op, door, secret));
  const Invitation& record = opened.found.record;
  InvitationGlance glance{.state = StateAt(record, ground_.clock.Now())};
  if (!CheckOpen(record, ground_.clock.Now())) {
    return glance;
  }
  ASSIGN_OR_RETURN(const UsableInvitation usable, parts_.admission.Check(op, opened.found));
  ASSIGN_OR_RETURN(const auto org, parts_.organisations.Load(op, record.org));
  ASSIGN_OR_RETURN(const auto known, parts_.accounts.FindByEmail(op, record.email));
  glance.email = record.email;
  glance.inviter = NameOf(usable.inviter);
  glance.inviter_email = usable.inviter.email;
  glance.target = record.target;
  glance.target.label = usable.occasion.label;
  glance.role = usable.occasion.role;
  glance.organisation = org.record.name;
  glance.has_account = known && known->record.org == record.org;
  if (!IsProved(usable, opened.carrier)) {
    ASSIGN_OR_RETURN(glance.proof, parts_.applicants.ProofFor(op, record.org));
  }
  return glance;
}

Result<Newcomer> Joining::ReadForm(const Invitation& invitation, const JoiningForm& form) {
  ASSIGN_OR_RETURN(
      const EmailAddress email,
      EmailAddress::Parse(invitation.email.empty() ? form.email.value_or("") : invitation.email));
  if (!invitation.email.empty() && form.email && *form.email != invitation.email) {
    return Fail(ErrorCode::kInvalidArgument,
                "email: the invitation is for " + invitation.email + " and for no other address");
  }
  ASSIGN_OR_RETURN(std::string hash, parts_.accounts.HashNew({.email = email.Text(),
                                                              .name = form.name,
                                                              .password = form.password,
                                                              .time_zone = form.time_zone}));
  return Newcomer{.email = email.Text(),
                  .name = form.name,
                  .time_zone = form.time_zone,
                  .password_hash = std::move(hash)};
}

Result<Joined> Joining::Admit(const store::OpContext& op, const Actor& actor, const Opened& opened,
                              const Newcomer& newcomer) {
  return store::RetryConflicts([&]() -> Result<Joined> {
    ASSIGN_OR_RETURN(auto found, parts_.invitations.Load(op, opened.found.record.id));
    ASSIGN_OR_RETURN(const UsableInvitation usable, parts_.admission.Check(op, std::move(found)));
    store::Batch batch;
    ASSIGN_OR_RETURN(const User user, parts_.admission.Add(op, batch, actor, usable, newcomer));
    Joined joined{.opened = parts_.sessions.Open(batch, actor, user, "invitation"),
                  .return_to = usable.found.record.target.return_to};
    const auto receipt = ground_.store.Commit(op, std::move(batch));
    if (!receipt) {
      return std::unexpected(parts_.admission.Explain(op, receipt.error(), newcomer.email));
    }
    return joined;
  });
}

Result<Joined> Joining::Join(const store::OpContext& named, const Actor& actor, const Door& door,
                             const JoiningForm& form, const std::string& base_url) {
  // What this answers is a secret, which is not kept for whoever names the same request again.
  const store::OpContext op = store::Unnamed(named);
  ASSIGN_OR_RETURN(const Opened opened, Open(op, door, form.token));
  ASSIGN_OR_RETURN(const UsableInvitation usable, parts_.admission.Check(op, opened.found));
  RETURN_IF_ERROR(parts_.admission.CheckTakesNewcomers(op, usable));
  ASSIGN_OR_RETURN(const Newcomer newcomer, ReadForm(opened.found.record, form));
  if (IsProved(usable, opened.carrier)) {
    return Admit(op, actor, opened, newcomer);
  }
  ASSIGN_OR_RETURN(const AddressProof proof,
                   parts_.applicants.ProofFor(op, opened.found.record.org));
  if (proof == AddressProof::kLetter) {
    RETURN_IF_ERROR(parts_.limits.CountLink(op, "mail:" + newcomer.email, door.address));
  }
  ASSIGN_OR_RETURN(OpenedSession session,
                   parts_.applicants.Apply(op, actor,
                                           {.invitation = opened.found.record.id,
                                            .newcomer = newcomer,
                                            .proof = proof,
                                            .base_url = base_url}));
  return Joined{.opened = std::move(session), .awaits = proof};
}

Result<std::string> Joining::Accept(const store::OpContext& op, const Actor& actor,
                                    const Door& door, const std::string& secret,
                                    const UserId& user) {
  ASSIGN_OR_RETURN(const Opened opened, Open(op, door, secret));
  return store::RetryConflicts([&]() -> Result<std::string> {
    ASSIGN_OR_RETURN(auto found, parts_.invitations.Load(op, opened.found.record.id));
    ASSIGN_OR_RETURN(const UsableInvitation usable, parts_.admission.Check(op, std::move(found)));
    ASSIGN_OR_RETURN(const auto person, parts_.accounts.Load(op, user));
    const Invitation& record = usable.found.record;
    if (person.record.org != record.org) {
      return Fail(ErrorCode::kPermissionDenied, "the invitation is of another organisation");
    }
    if (!record.email.empty() && record.email != person.record.email) {
      return Fail(ErrorCode::kPermissionDenied, "the invitation is for " + record.email +
                                                    ", and you are signed in as " +
                                                    person.record.email);
    }
    store::Batch batch;
    parts_.invitations.AddAccepted(batch, actor, usable.found, person.record);
    RETURN_IF_ERROR(parts_.invitations.AddJoining(op, batch, record, person.record));
    batch.Check(Users(), person);
    batch.SetAnswer({.status = 200, .body = "{}"});
    RETURN_IF_ERROR(ground_.store.Commit(op, std::move(batch)));
    return record.target.return_to;
  });
}

Result<Joining::Ticket> Joining::TakeTicket(const store::OpContext& op, const Door& door,
                                            const std::string& secret) {
  ASSIGN_OR_RETURN(const Opened opened, Open(op, door, secret));
  ASSIGN_OR_RETURN(const UsableInvitation usable, parts_.admission.Check(op, opened.found));
  return Ticket{.invitation = opened.found.record.id,
                .carrier = opened.carrier,
                .return_to = opened.found.record.target.return_to};
}

Result<User> Joining::AddFromProvider(const store::OpContext& op, store::Batch& batch,
                                      const Actor& actor, const Ticket& ticket,
                                      const ProviderGuest& guest) {
  ASSIGN_OR_RETURN(auto found, parts_.invitations.Load(op, ticket.invitation));
  ASSIGN_OR_RETURN(const UsableInvitation usable, parts_.admission.Check(op, std::move(found)));
  RETURN_IF_ERROR(parts_.admission.CheckTakesNewcomers(op, usable));
  const std::string& named = usable.found.record.email;
  const bool by_letter = ticket.carrier == Carrier::kMail && !named.empty();
  ASSIGN_OR_RETURN(const EmailAddress theirs, EmailAddress::Parse(guest.email));
  if (!by_letter && !guest.email_verified) {
    return Fail(ErrorCode::kPermissionDenied, "the provider has not verified your address");
  }
  if (!by_letter && !named.empty() && theirs.Text() != named) {
    return Fail(ErrorCode::kPermissionDenied, "the invitation is for another address");
  }
  return parts_.admission.Add(op, batch, actor, usable,
                              {.email = by_letter ? named : theirs.Text(), .name = guest.name});
}

}  // namespace atrium::identity
