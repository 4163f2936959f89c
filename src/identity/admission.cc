// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/admission.h"

#include <utility>

#include "identity/keys.h"

namespace atrium::identity {

Actor ActingAs(const User& user, Actor actor) {
  actor.name = TargetOf(user.id);
  actor.label = user.email;
  return actor;
}

Result<UsableInvitation> Admission::Check(const store::OpContext& op,
                                          Invitations::Found found) const {
  RETURN_IF_ERROR(CheckOpen(found.record, ground_.clock.Now()));
  ASSIGN_OR_RETURN(const auto inviter,
                   store::Find(ground_.store, op, Users(), UserKeyOf(found.record.inviter)));
  if (!inviter || inviter->record.status != UserStatus::kActive) {
    return Fail(ErrorCode::kRefusedByState, "this invitation was taken back");
  }
  ASSIGN_OR_RETURN(auto occasion, parts_.invitations.Describe(op, found.record));
  if (!occasion) {
    return Fail(ErrorCode::kRefusedByState, "what this invites to is gone");
  }
  return UsableInvitation{
      .found = std::move(found), .occasion = *std::move(occasion), .inviter = inviter->record};
}

Result<void> Admission::CheckTakesNewcomers(const store::OpContext& op,
                                            const UsableInvitation& invitation) const {
  ASSIGN_OR_RETURN(const auto org, parts_.organisations.Load(op, invitation.found.record.org));
  ASSIGN_OR_RETURN(const InvitationRules rules, ReadInvitationRules(org.record.settings));
  if (!MayBringIn(rules.who, invitation.inviter.role)) {
    return Fail(ErrorCode::kPermissionDenied,
                "the organisation has decided meanwhile to take in nobody this way");
  }
  return {};
}

Result<User> Admission::Add(const store::OpContext& op, store::Batch& batch, const Actor& actor,
                            const UsableInvitation& invitation, const Newcomer& newcomer) const {
  const Invitation& record = invitation.found.record;
  ASSIGN_OR_RETURN(User user, parts_.accounts.AddHashed(batch, record.org,
                                                        {.email = newcomer.email,
                                                         .name = newcomer.name,
                                                         .time_zone = newcomer.time_zone},
                                                        newcomer.password_hash));
  batch.Add(store::Check{
      .table = &kOrgTable, .key = OrgKey(record.org), .expect = store::Expectation::Present()});
  AddAudit(
      batch, actor, user.created_at,
      {.org = user.org,
       .action = "user.created",
       .target = TargetOf(user.id),
       .detail = {{"email", user.email}, {"role", WordFor(user.role)}, {"invitation", record.id}}});
  parts_.invitations.AddAccepted(batch, ActingAs(user, actor), invitation.found, user);
  RETURN_IF_ERROR(parts_.invitations.AddJoining(op, batch, record, user));
  return user;
}

Error Admission::Explain(const store::OpContext& op, const Error& error,
                         const std::string& email) const {
  if (error.code != ErrorCode::kConflict) {
    return error;
  }
  const auto taken = parts_.accounts.FindByEmail(op, email);
  if (!taken) {
    return taken.error();
  }
  return *taken ? Fail(ErrorCode::kAlreadyExists,
                       "email: there is an account with this address: sign in to it")
                      .error()
                : error;
}

}  // namespace atrium::identity
