// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/invitation_letters.h"

#include <utility>

namespace atrium::identity {
namespace {

/// "Ann (ann@example.org)": a name alone can be anybody's.
std::string Introduce(const InvitationLetter& about) {
  return about.inviter == about.inviter_email ? about.inviter
                                              : about.inviter + " (" + about.inviter_email + ")";
}

}  // namespace

mail::Letter WriteInvitation(const InvitationLetter& about) {
  std::string first = Introduce(about) + " invites you to " + about.occasion.title + ".";
  if (!about.occasion.promise.empty()) {
    first += " " + about.occasion.promise;
  }
  return {
      .to = about.to,
      .subject = about.inviter + " invites you to " + about.occasion.title,
      .greeting = "Hello,",
      .paragraphs = {std::move(first), "If you have no account yet, the link lets you make one."},
      .button = mail::Button{.label = "Open the invitation", .url = about.url},
      .closing = "The link is good for 14 days and works once. If you do not know " +
                 about.inviter + ", do nothing."};
}

mail::Letter WriteAddressProof(const ApplicantLetter& about) {
  return {.to = about.to,
          .subject = "Confirm your address for Atrium",
          .greeting = "Hello " + about.name + ",",
          .paragraphs = {"An account with this address was asked for. Use this link to confirm "
                         "that the address is yours; the account is made then."},
          .button = mail::Button{.label = "Confirm the address", .url = about.url},
          .closing = "It was asked for from " + about.asked_from +
                     ". If that was not you, do nothing: no account is made."};
}

mail::Letter WriteApproval(const ApplicantLetter& about) {
  return {.to = about.to,
          .subject = "Your Atrium account is ready",
          .greeting = "Hello " + about.name + ",",
          .paragraphs = {"An administrator has let you in. Sign in with this address and the "
                         "password you chose."},
          .button = mail::Button{.label = "Open Atrium", .url = about.url}};
}

}  // namespace atrium::identity
