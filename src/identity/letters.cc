// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/letters.h"

#include <cstdlib>

namespace atrium::identity {
namespace {

struct Words {
  std::string subject;
  std::string first;
  std::string button;
  std::string lifetime;
};

Words WordsFor(LinkPurpose purpose) {
  switch (purpose) {
    case LinkPurpose::kSignIn:
      return {.subject = "Sign in to Atrium",
              .first = "Use this link to sign in. It works once.",
              .button = "Sign in",
              .lifetime = "15 minutes"};
    case LinkPurpose::kResetPassword:
      return {.subject = "Set a new Atrium password",
              .first =
                  "Use this link to choose a new password. All devices that are signed in "
                  "now have to sign in again afterwards.",
              .button = "Choose a password",
              .lifetime = "15 minutes"};
    case LinkPurpose::kInvitation:
      return {.subject = "Your Atrium account",
              .first = "An account was made for you. Use this link to sign in for the first time.",
              .button = "Open Atrium",
              .lifetime = "7 days"};
    case LinkPurpose::kConfirmEmail:
      return {.subject = "Confirm your new address",
              .first = "Use this link to make this the address of your Atrium account.",
              .button = "Confirm the address",
              .lifetime = "15 minutes"};
    case LinkPurpose::kUndoEmail:
      return {.subject = "Your Atrium address was changed",
              .first = "Use this link to keep this address.",
              .button = "That was not me",
              .lifetime = "7 days"};
  }
  std::abort();  // Unreachable: -Wswitch keeps the list above complete.
}

}  // namespace

mail::Letter WriteLinkLetter(const LinkLetter& about) {
  const Words words = WordsFor(about.purpose);
  mail::Letter letter{.to = about.to,
                      .subject = words.subject,
                      .greeting = "Hello " + about.name + ",",
                      .paragraphs = {words.first},
                      .button = mail::Button{.label = words.button, .url = about.url},
                      .closing = "The link is good for " + words.lifetime + "."};
  if (about.purpose != LinkPurpose::kInvitation) {
    letter.closing += " It was asked for from " + about.asked_from +
                      ". If that was not you, do nothing: without the link nobody gets in.";
  }
  return letter;
}

mail::Letter WriteUndoLetter(const UndoLetter& about) {
  const std::string happened =
      about.is_done
          ? "The address of your account is " + about.new_address +
                " now. Letters about the account go there from now on."
          : "Somebody who is signed in to your account asked for its address to become " +
                about.new_address + ". It will, as soon as the link that we sent there is opened.";
  return {.to = about.to,
          .subject = about.is_done ? "Your Atrium address was changed"
                                   : "Your Atrium address is about to change",
          .greeting = "Hello " + about.name + ",",
          .paragraphs = {happened,
                         "If that was you, there is nothing to do. If it was not, use the button: "
                         "the account keeps this address, every device is signed out, and you "
                         "choose a new password. A second factor or an account elsewhere that was "
                         "added in the week before leaves it, too."},
          .button = mail::Button{.label = "That was not me", .url = about.url},
          .closing =
              "The link works once, for 7 days, whatever else happens to the account. The "
              "change was asked for from " +
              about.asked_from + "."};
}

mail::Letter WriteTakenLetter(const std::string& to) {
  return {.to = to,
          .subject = "You have an Atrium account already",
          .greeting = "Hello,",
          .paragraphs = {"Somebody wanted to make this the address of another Atrium account. You "
                         "have an account with it, so nothing was changed."},
          .closing = "There is nothing to do. Whoever asked was not told."};
}

}  // namespace atrium::identity
