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

}  // namespace atrium::identity
