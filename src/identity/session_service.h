// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "identity/audit.h"
#include "identity/ground.h"
#include "identity/records.h"
#include "store/batch.h"
#include "store/store.h"

namespace atrium::identity {

/// A session in the only moment in which its secret is known.
struct OpenedSession {
  std::string secret{};
  Session session{};
};

/// A guest of one group.
struct Guest {
  OrgId org{};
  std::string name{};
  std::string email{};
  std::string group{};
};

/// Sessions: opening, listing, ending.
class SessionService {
 public:
  struct Lifetimes {
    /// From the last use on.
    std::chrono::milliseconds full = std::chrono::hours(24 * 7);
    std::chrono::milliseconds provisional = std::chrono::minutes(30);
    std::chrono::milliseconds guest = std::chrono::minutes(30);
  };

  SessionService(const Ground& ground, const Lifetimes& lifetimes)
      : ground_(ground), lifetimes_(lifetimes) {}

  /// Adds a session to the commit that opens it, with its line in the audit log. `how` says by
  /// which credential: "password", "link", "invitation".
  OpenedSession Open(store::Batch& batch, const Actor& actor, const User& user,
                     const std::string& how) const;
  /// The same for somebody whom a provider sends: what that proves is as old as their sign-in
  /// there. Nullopt, when it does not say: nothing is proved yet.
  OpenedSession OpenFromProvider(store::Batch& batch, const Actor& actor, const User& user,
                                 std::optional<Instant> signed_in_at) const;
  /// The same before the address was confirmed.
  OpenedSession OpenProvisional(store::Batch& batch, const Actor& actor, const User& user) const;
  /// The same for somebody who has no account yet; it stands until then, however often it is used.
  OpenedSession OpenForApplicant(store::Batch& batch, const Actor& actor, const Guest& applicant,
                                 Instant until) const;
  OpenedSession OpenForGuest(store::Batch& batch, const Actor& actor, const Guest& guest) const;

  /// Those of one person that have not ended, newest first.
  Result<std::vector<Session>> List(const store::OpContext& op, const User& user) const;
  /// kNotFound when the person has no such session.
  Result<void> End(const store::OpContext& op, const Actor& actor, const User& user,
                   const std::string& id);
  /// By the secret itself: signing out.
  Result<void> EndBySecret(const store::OpContext& op, const Actor& actor,
                           const std::string& secret);
  /// All of them at once, by one number in the record of the person.
  Result<void> EndAll(const store::OpContext& op, const Actor& actor, const UserId& user);

  std::chrono::milliseconds LifetimeOf(SessionKind kind) const;

 private:
  OpenedSession Make(SessionKind kind, const Actor& actor) const;
  /// By what somebody signs in, and when they proved who they are.
  struct Entrance {
    std::string how{};
    std::optional<Instant> proved_at{};
  };
  OpenedSession OpenFull(store::Batch& batch, const Actor& actor, const User& user,
                         const Entrance& entrance) const;
  static void AddForUser(store::Batch& batch, const User& user, Session& session);
  Result<void> Erase(const store::OpContext& op, const Actor& actor,
                     const store::Stored<Session>& session);

  const Ground ground_;
  const Lifetimes lifetimes_;
};

/// By its id; nullopt when the person has no such session.
Result<std::optional<store::Stored<Session>>> FindSession(store::Store& store,
                                                          const store::OpContext& op,
                                                          const UserId& user,
                                                          const std::string& id);

/// Somebody who is signed in has proved again who they are.
struct NewProof {
  api::CredentialRef session{};
  /// By what: "password", "otp", "provider".
  std::string how{};
  /// When; nullopt: now.
  std::optional<Instant> at{};
};

/// Writes it down with the batch. kUnauthenticated when the session has ended.
Result<void> AddProof(const Ground& ground, const store::OpContext& op, store::Batch& batch,
                      const Actor& actor, const NewProof& proof);

/// Whether a session still stands, as far as its person is concerned.
bool StillStands(const Session& session, const User& user);

}  // namespace atrium::identity
