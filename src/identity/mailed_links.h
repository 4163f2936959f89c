// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "identity/accounts.h"
#include "identity/attempts.h"
#include "identity/audit.h"
#include "identity/ground.h"
#include "identity/session_service.h"
#include "identity/sign_in.h"
#include "mail/outbox.h"

namespace atrium::identity {

/// How long a mailed link works.
inline constexpr std::chrono::minutes kLinkLifetime{15};
/// An invitation waits for somebody who does not expect it.
inline constexpr std::chrono::hours kInvitationLifetime{24 * 7};

struct LinkRequest {
  std::string email{};
  /// A path of ours to go on to; anything else is as good as none.
  std::string return_to{};
  /// Where people reach this server: "https://atrium.example.org".
  std::string base_url{};
};

struct ConsumedLink {
  OpenedSession opened{};
  std::string email{};
  std::string return_to{};
};

/// Links by e-mail that let their reader in, once. Whoever asks for one hears the same after the
/// same work, whether the address belongs to somebody or not.
class LinkService {
 public:
  struct Parts {
    Accounts& accounts;
    SessionService& sessions;
    SignIn& sign_in;
    GuessLimits& limits;
    mail::Outbox& outbox;
  };

  LinkService(const Ground& ground, const Parts& parts) : ground_(ground), parts_(parts) {}

  /// Mails a link with which to sign in, or with which to set a new password. kRateLimited when
  /// too many were asked for; kUnavailable when mail is not set up.
  Result<void> RequestSignIn(const store::OpContext& op, const Actor& actor, const Door& door,
                             const LinkRequest& request);
  Result<void> RequestReset(const store::OpContext& op, const Actor& actor, const Door& door,
                            const LinkRequest& request);
  /// A link to their account for somebody whom the batch makes.
  void AddInvitation(store::Batch& batch, const Actor& actor, const User& user,
                     const std::string& base_url);
  /// The same for somebody who is there.
  Result<void> Invite(const store::OpContext& op, const Actor& actor, const User& user,
                      const LinkRequest& request);
  /// Signs in. kUnauthenticated for a link that is unknown, used, expired or overtaken; a missing
  /// second factor leaves it unused.
  Result<ConsumedLink> Consume(const store::OpContext& op, const Actor& actor, const Door& door,
                               const std::string& secret, const std::optional<std::string>& otp);
  /// Sets the password of who was sent the link, and signs in.
  Result<ConsumedLink> Reset(const store::OpContext& op, const Actor& actor, const Door& door,
                             const std::string& secret, std::string_view password);

  // For whoever else mails links.

  struct Opened {
    store::Stored<MailedLink> link;
    store::Stored<User> user;
    GuessLimits::Guess guess;
  };
  /// Counts the try, and finds the link with its person. kUnauthenticated unless it is for one of
  /// these purposes and still holds.
  Result<Opened> Open(const store::OpContext& op, const Door& door, const std::string& secret,
                      std::initializer_list<LinkPurpose> purposes);
  /// Adds a link to the batch, with the letter that brings it to `request.email`.
  void AddLink(store::Batch& batch, const Actor& actor, const User& user,
               const LinkRequest& request, LinkPurpose purpose);
  /// The same rows for a new address that is somebody else's already: the link opens nothing, and
  /// the letter tells its reader that they have an account.
  void AddTaken(store::Batch& batch, const Actor& actor, const User& user,
                const LinkRequest& request);

 private:
  Result<void> Request(const store::OpContext& op, const Actor& actor, const Door& door,
                       const LinkRequest& request, LinkPurpose purpose);
  void AddDecoy(store::Batch& batch, const Actor& actor, const OrgId& org,
                const LinkRequest& request, LinkPurpose purpose);
  MailedLink LinkFor(const LinkRequest& request, LinkPurpose purpose, std::string hash) const;
  void AddMailed(store::Batch& batch, const Actor& actor, const User& user, const MailedLink& link);
  Result<void> Mail(const store::OpContext& op, const Actor& actor, const User& user,
                    const LinkRequest& request, LinkPurpose purpose);

  const Ground ground_;
  const Parts parts_;
};

/// What everybody hears whose link is no good, whatever the reason.
std::unexpected<Error> BadLink();

/// The path if it is one of this server, "/" otherwise: no link of ours leads elsewhere.
std::string SafeReturn(std::string_view path);

}  // namespace atrium::identity
