// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "base/instant.h"
#include "identity/records.h"

namespace atrium::identity {

/// What somebody is invited to. The room that owns it is known by the kind: see InvitingRoom.
struct InvitationTarget {
  /// "calendar", "organisation".
  std::string kind{};
  std::string id{};
  /// What people call it, as it was when the invitation was made.
  std::string label{};
  /// A path of ours: where the invited person ends up.
  std::string return_to{};
};
BOOST_DESCRIBE_STRUCT(InvitationTarget, (), (kind, id, label, return_to))

enum class InvitationState : std::uint8_t {
  kOpen,
  kRequested,  ///< Somebody asked for an account with it; their address is not proved yet.
  kAccepted,
  kRevoked,
  kExpired,  ///< Never stored: what an open one is called after its time.
};
BOOST_DESCRIBE_ENUM(InvitationState, kOpen, kRequested, kAccepted, kRevoked, kExpired)

/// What became of the letter.
enum class Delivery : std::uint8_t {
  kByHand,      ///< The invitation names no address: whoever invites passes the link on.
  kOff,         ///< This server sends no mail: the same.
  kQueued,      ///< The letter waits; `delivery_reason` says why it did not leave at once.
  kHandedOver,  ///< The mail server has taken it.
  kFailed,      ///< It will not be tried any more; `delivery_reason` says why.
};
BOOST_DESCRIBE_ENUM(Delivery, kByHand, kOff, kQueued, kHandedOver, kFailed)

/// A way in for one person, made by somebody who is in.
struct Invitation {
  /// A ULID.
  std::string id{};
  OrgId org{};
  /// As EmailAddress spells it; empty: for whoever has the link.
  std::string email{};
  UserId inviter{};
  InvitationTarget target{};
  /// What the invited person will be there, for people to read.
  std::string role{};
  InvitationState state = InvitationState::kOpen;
  /// Of the secret in the link that the inviter sees and passes on.
  std::string shown_hash{};
  /// Of another one, in the letter: whoever has it reads the mailbox, which proves the address.
  /// Empty: there was no letter.
  std::string mailed_hash{};
  Instant created_at{};
  Instant expires_at{};
  Delivery delivery = Delivery::kByHand;
  std::string delivery_reason{};
  /// How often a letter was sent again. A letter knows its number, so that an old one does not
  /// speak for a new one.
  unsigned resends = 0;
  /// How many accounts were asked for with it.
  unsigned requests = 0;
  /// Whoever waits to be let in: the id of an Applicant; empty: nobody.
  std::string applicant{};
  std::optional<UserId> accepted_by{};
  /// When it was accepted or revoked.
  std::optional<Instant> ended_at{};
  /// Whoever made the link that is shown did so as an administrator, and thereby says whose the
  /// address is. Nullopt: from before this was written down; nobody does.
  std::optional<bool> vouched{};
};
BOOST_DESCRIBE_STRUCT(Invitation, (),
                      (id, org, email, inviter, target, role, state, shown_hash, mailed_hash,
                       created_at, expires_at, delivery, delivery_reason, resends, requests,
                       applicant, accepted_by, ended_at, vouched))

/// How an address is proved that no letter has proved yet.
enum class AddressProof : std::uint8_t {
  kLetter,    ///< By a letter to it.
  kApproval,  ///< By an administrator, who knows the person.
};
BOOST_DESCRIBE_ENUM(AddressProof, kLetter, kApproval)

enum class ApplicantState : std::uint8_t { kWaiting, kAdmitted };
BOOST_DESCRIBE_ENUM(ApplicantState, kWaiting, kAdmitted)

/// Somebody who was invited, gave an address, and has not proved it. There is no account before
/// that: nobody keeps the owner of an address from it by typing it in.
struct Applicant {
  /// A ULID.
  std::string id{};
  OrgId org{};
  std::string invitation{};
  std::string email{};
  std::string name{};
  std::string time_zone{};
  std::string password_hash{};
  AddressProof proof = AddressProof::kLetter;
  ApplicantState state = ApplicantState::kWaiting;
  /// Of the secret in the letter; empty: there is none.
  std::string letter_hash{};
  /// The id of the provisional session of the browser that asks.
  std::string session{};
  /// The account, once there is one.
  std::optional<UserId> user{};
  Instant created_at{};
  Instant expires_at{};
};
BOOST_DESCRIBE_STRUCT(Applicant, (),
                      (id, org, invitation, email, name, time_zone, password_hash, proof, state,
                       letter_hash, session, user, created_at, expires_at))

}  // namespace atrium::identity
