// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "identity/accounts.h"
#include "identity/attempts.h"
#include "identity/audit.h"
#include "identity/ground.h"
#include "identity/mailed_links.h"
#include "identity/records.h"
#include "identity/session_service.h"
#include "mail/outbox.h"
#include "store/batch.h"
#include "store/op_context.h"

namespace atrium::identity {

/// How long whoever had an address before can have it back.
inline constexpr std::chrono::hours kUndoLifetime{24 * 7};

/// Changing the address by which somebody signs in. The mailbox of the new one confirms it; that of
/// the old one is told when it is asked for and when it has happened, and can undo it for days,
/// whatever was done to the account meanwhile: who took it over must not be able to keep it.
class AddressChanges {
 public:
  struct Parts {
    Accounts& accounts;
    SessionService& sessions;
    LinkService& links;
    GuessLimits& limits;
    mail::Outbox& outbox;
  };

  AddressChanges(const Ground& ground, const Parts& parts) : ground_(ground), parts_(parts) {}

  /// Mails a link to the new address; it becomes the person's when the link is opened.
  /// kAlreadyExists when somebody of the same organisation has it. Whether people elsewhere do is
  /// not told: then their letter says that there is an account already, and whoever asks sees the
  /// same letter of their own, rows and lines as always. kRateLimited when too many were asked for;
  /// kUnavailable when mail is not set up.
  Result<void> Request(const store::OpContext& op, const Actor& actor, const User& user,
                       const LinkRequest& request);

  /// Makes the address that was mailed the link the person's. kUnauthenticated as for all links;
  /// kAlreadyExists when the address was taken meanwhile.
  Result<void> Confirm(const store::OpContext& op, const Actor& actor, const Door& door,
                       const std::string& secret, const std::string& base_url);

  /// Adds to a commit that changes the address the letter that can undo it. Without effect when
  /// mail is not set up. `after` is the person with the new address.
  void AddNotice(store::Batch& batch, const Actor& actor, const User& before, const User& after,
                 const std::string& base_url);

  /// Puts the old address back with a new password, and ends all credentials. What was added to the
  /// account since kUndoLifetime before the letter (a second factor, accounts elsewhere) leaves:
  /// whoever took it over may have prepared that. Links of later changes are void. Signs in, unless
  /// a second factor from before is on. kUnauthenticated as for all links; kAlreadyExists when
  /// somebody else has the address now.
  Result<ConsumedLink> Undo(const store::OpContext& op, const Actor& actor, const Door& door,
                            const std::string& secret, std::string_view password);

 private:
  /// When whoever has the old address hears of the change.
  enum class Moment : std::uint8_t { kAsked, kDone };

  void AddUndoLink(store::Batch& batch, const Actor& actor, const User& before,
                   const LinkRequest& request, Moment moment);
  Result<void> AddUnlinking(const store::OpContext& op, store::Batch& batch, const UserId& user,
                            Instant since) const;
  Result<UserSecrets> Cleansed(const UserSecrets& secrets, const User& restored,
                               const MailedLink& link, std::string_view password);

  const Ground ground_;
  const Parts parts_;
};

}  // namespace atrium::identity
