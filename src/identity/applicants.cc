// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/applicants.h"

#include <utility>

#include "base/constant_time.h"
#include "identity/invitation_keys.h"
#include "identity/invitation_letters.h"
#include "identity/keys.h"
#include "identity/second_factor.h"
#include "identity/secret_token.h"
#include "mail/letter.h"
#include "store/once_only.h"

namespace atrium::identity {
namespace {

std::unexpected<Error> NoApplicant() {
  return Fail(ErrorCode::kNotFound, "nobody waits here any more");
}

std::string TargetOf(const Applicant& applicant) {
  return "applicant:" + applicant.id;
}

Newcomer NewcomerOf(const Applicant& applicant) {
  return {
      .email = applicant.email,
      .name = applicant.name,
      .time_zone = applicant.time_zone.empty() ? std::nullopt : std::optional(applicant.time_zone),
      .password_hash = applicant.password_hash};
}

}  // namespace

Result<AddressProof> Applicants::ProofFor(const store::OpContext& op, const OrgId& org) const {
  if (!parts_.outbox.IsOpen()) {
    return AddressProof::kApproval;
  }
  ASSIGN_OR_RETURN(const auto found, parts_.organisations.Load(op, org));
  ASSIGN_OR_RETURN(const InvitationRules rules, ReadInvitationRules(found.record.settings));
  return rules.proof;
}

/// The applicant, their session and their letter.
OpenedSession Applicants::AddApplicant(store::Batch& batch, const Actor& actor,
                                       const Application& application, Invitation& invitation) {
  const Newcomer& newcomer = application.newcomer;
  OpenedSession opened = parts_.sessions.OpenForApplicant(
      batch, actor, {.org = invitation.org, .name = newcomer.name, .email = newcomer.email},
      invitation.expires_at);
  Applicant applicant{.id = ground_.ids.NewUlid().Render(),
                      .org = invitation.org,
                      .invitation = invitation.id,
                      .email = newcomer.email,
                      .name = newcomer.name,
                      .time_zone = newcomer.time_zone.value_or(""),
                      .password_hash = newcomer.password_hash,
                      .proof = application.proof,
                      .session = opened.session.id,
                      .created_at = ground_.clock.Now(),
                      .expires_at = invitation.expires_at};
  if (application.proof == AddressProof::kLetter) {
    const NewSecret secret = MakeSecret(TokenKind::kInvitation);
    applicant.letter_hash = secret.hash;
    parts_.outbox.Add(batch,
                      mail::Compose(WriteAddressProof(
                          {.to = applicant.email,
                           .name = applicant.name,
                           .url = application.base_url + "/join/confirm#token=" + secret.text,
                           .asked_from = actor.address})),
                      applicant.expires_at);
  }
  batch.Create(ApplicantRows(), applicant);
  AddAudit(batch, actor, applicant.created_at,
           {.org = applicant.org,
            .action = "applicant.created",
            .target = TargetOf(applicant),
            .detail = {{"email", applicant.email},
                       {"invitation", invitation.id},
                       {"proof", WordFor(applicant.proof)}}});
  invitation.applicant = applicant.id;
  return opened;
}

Result<OpenedSession> Applicants::Apply(const store::OpContext& op, const Actor& actor,
                                        const Application& application) {
  return store::RetryConflicts([&]() -> Result<OpenedSession> {
    ASSIGN_OR_RETURN(auto found, parts_.invitations.Load(op, application.invitation));
    ASSIGN_OR_RETURN(const UsableInvitation usable, parts_.admission.Check(op, std::move(found)));
    Invitation requested = usable.found.record;
    if (++requested.requests > kRequestsMax) {
      return Fail(ErrorCode::kRefusedByState,
                  "accounts were asked for with this link too often; ask for a new one");
    }
    store::Batch batch;
    RETURN_IF_ERROR(parts_.invitations.AddEndOfWaiting(op, batch, requested));
    OpenedSession opened = AddApplicant(batch, actor, application, requested);
    requested.state = InvitationState::kRequested;
    batch.Replace(InvitationRows(), usable.found, requested);
    RETURN_IF_ERROR(ground_.store.Commit(op, std::move(batch)));
    return opened;
  });
}

/// By the browser or by the password.
Result<void> Applicants::CheckKnown(const Applicant& applicant, const Confirmation& given) {
  if (!given.session.empty() && ConstantTimeEqual(given.session, applicant.session)) {
    return {};
  }
  if (!given.password) {
    return Fail(ErrorCode::kUnauthenticated, "password: the one you chose for the account");
  }
  ASSIGN_OR_RETURN(const PasswordMatch match,
                   parts_.hasher.Verify(*given.password, applicant.password_hash));
  if (match == PasswordMatch::kNo) {
    return Fail(ErrorCode::kUnauthenticated, "password: not the one you chose for the account");
  }
  return {};
}

Result<UsableInvitation> Applicants::InvitationOf(const store::OpContext& op,
                                                  const Applicant& applicant) const {
  ASSIGN_OR_RETURN(auto invitation, parts_.invitations.Load(op, applicant.invitation));
  return parts_.admission.Check(op, std::move(invitation));
}

Result<Admitted> Applicants::Confirm(const store::OpContext& named, const Actor& actor,
                                     const Door& door, const Confirmation& given) {
  const store::OpContext op = store::Unnamed(named);
  const std::string hash = HashSecret(given.token);
  ASSIGN_OR_RETURN(const GuessLimits::Guess guess, parts_.limits.CountLink(op, hash, door.address));
  return store::RetryConflicts([&]() -> Result<Admitted> {
    ASSIGN_OR_RETURN(const auto found, store::FindBy(ground_.store, op, ApplicantRows(),
                                                     kApplicantLetters, HashKey(hash)));
    if (!found || found->record.org != door.org) {
      return Fail(ErrorCode::kNotFound, "the link was used, has expired, or never was one");
    }
    RETURN_IF_ERROR(CheckKnown(found->record, given));
    ASSIGN_OR_RETURN(const UsableInvitation usable, InvitationOf(op, found->record));
    RETURN_IF_ERROR(parts_.admission.CheckTakesNewcomers(op, usable));
    store::Batch batch;
    ASSIGN_OR_RETURN(const User user,
                     parts_.admission.Add(op, batch, actor, usable, NewcomerOf(found->record)));
    batch.Erase(ApplicantRows(), *found);
    Admitted admitted{.opened = parts_.sessions.Open(batch, actor, user, "invitation"),
                      .return_to = usable.found.record.target.return_to};
    const auto receipt = parts_.limits.CommitRight(op, batch, guess);
    if (!receipt) {
      return std::unexpected(parts_.admission.Explain(op, receipt.error(), user.email));
    }
    return admitted;
  });
}

Result<std::vector<Applicant>> Applicants::ListWaiting(const store::OpContext& op, const OrgId& org,
                                                       std::size_t limit) const {
  const std::string partition = PartitionOf(org);
  ASSIGN_OR_RETURN(
      const store::Page page,
      store::CollectPage(ground_.store, op,
                         {.table = &kApplicantsByOrg, .partition = partition, .limit = limit}));
  std::vector<Applicant> waiting;
  for (const store::KeyedRow& keyed : page.rows) {
    ASSIGN_OR_RETURN(const store::Key key, store::DecodePointer(keyed.row.document));
    ASSIGN_OR_RETURN(auto found, store::Find(ground_.store, op, ApplicantRows(), key));
    if (found && found->record.state == ApplicantState::kWaiting) {
      waiting.push_back(std::move(found->record));
    }
  }
  return waiting;
}

Result<Applicants::Found> Applicants::LoadWaiting(const store::OpContext& op, const Actor& actor,
                                                  std::string_view id) const {
  ASSIGN_OR_RETURN(auto found, store::Find(ground_.store, op, ApplicantRows(), InvitationKey(id)));
  if (!found) {
    return NoApplicant();
  }
  RETURN_IF_ERROR(CheckMayManage(actor, found->record.org, Role::kUser));
  if (found->record.state != ApplicantState::kWaiting) {
    return Fail(ErrorCode::kRefusedByState, "this was decided already");
  }
  return *std::move(found);
}

Result<User> Applicants::Approve(const store::OpContext& op, const Actor& actor,
                                 std::string_view id, const std::string& base_url) {
  return store::RetryConflicts([&]() -> Result<User> {
    ASSIGN_OR_RETURN(const Found found, LoadWaiting(op, actor, id));
    ASSIGN_OR_RETURN(const UsableInvitation usable, InvitationOf(op, found.record));
    store::Batch batch;
    ASSIGN_OR_RETURN(User user,
                     parts_.admission.Add(op, batch, actor, usable, NewcomerOf(found.record)));
    Applicant approved = found.record;
    approved.state = ApplicantState::kAdmitted;
    approved.user = user.id;
    approved.password_hash.clear();
    approved.letter_hash.clear();
    batch.Replace(ApplicantRows(), found, approved);
    parts_.outbox.Add(
        batch, mail::Compose(WriteApproval(
                   {.to = approved.email, .name = approved.name, .url = base_url + "/login"})));
    AddAudit(batch, actor, ground_.clock.Now(),
             {.org = approved.org,
              .action = "applicant.approved",
              .target = TargetOf(approved),
              .detail = {{"email", approved.email}, {"user", user.id.Render()}}});
    batch.SetAnswer({.status = 200, .body = store::EncodeRecord(user)});
    const auto receipt = ground_.store.Commit(op, std::move(batch));
    if (!receipt) {
      return std::unexpected(parts_.admission.Explain(op, receipt.error(), user.email));
    }
    return user;
  });
}

Result<void> Applicants::Refuse(const store::OpContext& op, const Actor& actor,
                                std::string_view id) {
  ASSIGN_OR_RETURN(const Found found, LoadWaiting(op, actor, id));
  Result<void> revoked = parts_.invitations.Revoke(op, actor, found.record.invitation);
  const bool ended = !revoked && (revoked.error().code == ErrorCode::kRefusedByState ||
                                  revoked.error().code == ErrorCode::kNotFound);
  if (!ended) {
    return revoked;
  }
  // Somebody else was quicker with the same link: only the waiting is left to end.
  store::Batch batch;
  batch.Erase(ApplicantRows(), found);
  RETURN_IF_ERROR(ground_.store.Commit(op, std::move(batch)));
  return {};
}

Result<Applicants::Found> Applicants::OfSession(const store::OpContext& op,
                                                std::string_view session) const {
  ASSIGN_OR_RETURN(auto found, store::FindBy(ground_.store, op, ApplicantRows(), kApplicantSessions,
                                             ApplicantSessionKey(session)));
  if (!found) {
    return NoApplicant();
  }
  return *std::move(found);
}

Result<Admitted> Applicants::Enter(const store::OpContext& named, const Actor& actor,
                                   std::string_view session) {
  const store::OpContext op = store::Unnamed(named);
  ASSIGN_OR_RETURN(const Found found, OfSession(op, session));
  if (found.record.state != ApplicantState::kAdmitted || !found.record.user) {
    return Fail(ErrorCode::kRefusedByState, "an administrator has not decided yet");
  }
  ASSIGN_OR_RETURN(const auto user, parts_.accounts.Load(op, *found.record.user));
  ASSIGN_OR_RETURN(const auto secrets, parts_.accounts.FindSecrets(op, user.record.id));
  const bool untouched = user.record.status == UserStatus::kActive && user.record.generation == 0 &&
                         user.record.session_generation == 0 &&
                         !(secrets && SecondFactor::IsOn(secrets->record));
  if (!untouched) {
    return Fail(ErrorCode::kRefusedByState, "sign in with your password");
  }
  ASSIGN_OR_RETURN(const auto invitation, parts_.invitations.Find(op, found.record.invitation));
  store::Batch batch;
  batch.Erase(ApplicantRows(), found);
  batch.Check(Users(), user);
  Admitted admitted{.opened = parts_.sessions.Open(batch, actor, user.record, "invitation"),
                    .return_to = invitation ? invitation->record.target.return_to : "/"};
  RETURN_IF_ERROR(ground_.store.Commit(op, std::move(batch)));
  return admitted;
}

}  // namespace atrium::identity
