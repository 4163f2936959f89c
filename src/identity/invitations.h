// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "identity/accounts.h"
#include "identity/attempts.h"
#include "identity/audit.h"
#include "identity/ground.h"
#include "identity/invitation_records.h"
#include "identity/invitation_rules.h"
#include "identity/inviting_room.h"
#include "identity/organisations.h"
#include "mail/letter_watcher.h"
#include "mail/outbox.h"
#include "store/batch.h"
#include "store/record.h"
#include "store/store.h"

namespace atrium::identity {

/// On whose behalf somebody is invited.
struct Inviter {
  Actor actor{};
  /// Into which people are invited.
  OrgId org{};
  /// The person whom the letter names.
  User user{};
  /// Where people of the organisation reach this server, without a slash at the end.
  std::string base_url{};
  /// They ask as an administrator: by role, and by a credential that reaches as far. The address
  /// that they name is taken for that of whoever has the link.
  bool vouches = false;
};

struct NewInvitation {
  /// As EmailAddress spells it; empty: for whoever has the link.
  std::string email{};
  /// Its label is taken from the occasion.
  InvitationTarget target{};
  Occasion occasion{};
};

/// An invitation in the only moment in which its link is known.
struct IssuedInvitation {
  Invitation invitation{};
  /// For the inviter, to pass on. The letter has another one.
  std::string link{};
};

/// Invitations: made by those who are in, for those who are not yet. Rooms add them to their own
/// commits, so that nobody is invited to what does not exist. Any thread.
class Invitations final : public mail::LetterWatcher {
 public:
  using Found = store::Stored<Invitation>;
  struct Parts {
    const Organisations& organisations;
    const Accounts& accounts;
    GuessLimits& limits;
    mail::Outbox& outbox;
  };

  /// Letters about this kind of thing are ours.
  static constexpr std::string_view kLetterKind = "invitation";

  Invitations(const Ground& ground, const Parts& parts) : ground_(ground), parts_(parts) {}

  /// The room that owns things of this kind, which outlives the invitations; before the first
  /// request.
  void Plug(std::string kind, const InvitingRoom& room);

  /// Adds the invitation, its letter and its line of the log to the commit of the room that
  /// invites. kPermissionDenied "email: …" when the organisation does not let this person bring in
  /// somebody without an account; kRateLimited when they invited too many people today.
  Result<IssuedInvitation> Add(const store::OpContext& op, store::Batch& batch,
                               const Inviter& inviter, const NewInvitation& wanted);

  /// kNotFound when there is none.
  Result<Found> Load(const store::OpContext& op, std::string_view id) const;
  Result<std::optional<Found>> Find(const store::OpContext& op, std::string_view id) const;
  /// Newest first. `after` is the `resume` of the page before.
  Result<store::RecordPage<Invitation>> List(const store::OpContext& op, const OrgId& org,
                                             std::size_t limit,
                                             std::optional<std::string> after) const;

  enum class Renewal : std::uint8_t { kLetter, kLink };
  /// Sends the letter again, or makes a new link, and gives the invitation its whole time again.
  /// The letter or link before it is worth nothing any more, and whoever asked for an account with
  /// that link waits no more. The invitation is then that of whoever renews it, who must be allowed
  /// to invite: kPermissionDenied as from Add(). kRefusedByState when the invitation has ended or
  /// what it invites to is gone, kUnavailable for a letter when mail is not set up, kNotFound when
  /// there is none.
  Result<IssuedInvitation> Renew(const store::OpContext& op, const Inviter& inviter,
                                 std::string_view id, Renewal renewal);

  /// Takes it back, here and in the room that owns its target, in one commit. kRefusedByState when
  /// it has ended.
  Result<void> Revoke(const store::OpContext& op, const Actor& actor, std::string_view id);
  /// The same as a part of a commit of that room. Without effect when it has ended.
  Result<void> AddRevocation(const store::OpContext& op, store::Batch& batch, const Actor& actor,
                             std::string_view id) const;
  /// Adds that it was accepted. Without effect when it has ended or is gone, for acceptance within
  /// the room.
  Result<void> AddAcceptance(const store::OpContext& op, store::Batch& batch, const Actor& actor,
                             std::string_view id, const User& user) const;
  /// The same of one that was read and is open.
  void AddAccepted(store::Batch& batch, const Actor& actor, const Found& found,
                   const User& user) const;

  /// Adds that whoever waits to be let in by it waits no more, if there is somebody.
  Result<void> AddEndOfWaiting(const store::OpContext& op, store::Batch& batch,
                               const Invitation& invitation) const;

  /// What its room says of it now; nullopt when there is nothing to accept.
  Result<std::optional<Occasion>> Describe(const store::OpContext& op,
                                           const Invitation& invitation) const;
  /// What acceptance means in its room.
  Result<void> AddJoining(const store::OpContext& op, store::Batch& batch,
                          const Invitation& invitation, const User& user) const;

  Result<void> AddOutcome(const store::OpContext& op, store::Batch& batch,
                          const mail::LetterOutcome& outcome) override;

 private:
  Result<bool> IsKnown(const store::OpContext& op, const Inviter& inviter,
                       const std::string& email) const;
  Result<void> CheckMayBringIn(const store::OpContext& op, const Inviter& inviter) const;
  const InvitingRoom* RoomOf(const Invitation& invitation) const;
  void AddLetter(store::Batch& batch, const Inviter& inviter, const Occasion& occasion,
                 Invitation& invitation);
  Result<void> CheckRenewable(const store::OpContext& op, const Inviter& inviter,
                              const Invitation& invitation, Renewal renewal) const;
  void AddNewLetter(store::Batch& batch, const Inviter& inviter, const Occasion& occasion,
                    Invitation& invitation);
  Result<void> AddNewLink(const store::OpContext& op, store::Batch& batch, const Inviter& inviter,
                          IssuedInvitation& issued) const;
  Result<void> AddRevoked(const store::OpContext& op, store::Batch& batch, const Actor& actor,
                          const Found& found) const;

  const Ground ground_;
  const Parts parts_;
  std::map<std::string, const InvitingRoom*, std::less<>> rooms_;
};

/// "invitation:<id>", as the audit log names it.
std::string TargetOf(const Invitation& invitation);

/// What letters and pages call the person: their name, or their address where they have none.
std::string NameOf(const User& user);

}  // namespace atrium::identity
