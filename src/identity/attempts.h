// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ip_network.h"
#include "base/result.h"
#include "identity/attempt_limits.h"
#include "identity/ground.h"
#include "identity/records.h"
#include "store/batch.h"
#include "store/record.h"

namespace atrium::identity {

/// Keeps the limits on guessing, in the store: they hold for all servers, and after a restart. A
/// guess is counted before it is looked at, so that a thousand at once are not looked at for the
/// price of one; the right one takes its count back. From where somebody signed in is remembered
/// for a while: there, a siege of the account does not count against them.
class GuessLimits {
 public:
  explicit GuessLimits(const Ground& ground) : ground_(ground) {}

  /// A guess that was counted, by the subjects that count it.
  struct Guess {
    std::vector<std::string> subjects{};
  };

  /// Counts a guess at an account from an address. kRateLimited, with the time to wait, when it
  /// must not be looked at.
  Result<Guess> CountSignIn(const store::OpContext& op, std::string_view account,
                            const IpAddress& address);
  /// The same for whoever tries links and codes out: by address, and by what is tried.
  Result<Guess> CountLink(const store::OpContext& op, std::string_view subject,
                          const IpAddress& address);

  /// Counts an invitation of one person; nothing takes it back.
  Result<void> CountInvitation(const store::OpContext& op, std::string_view inviter);

  /// The guess was right: its counts leave with the commit of what it opens.
  Result<void> TakeBack(const store::OpContext& op, store::Batch& batch, const Guess& guess) const;

  /// The guess was right and opens nothing yet: its counts leave with a commit of their own.
  Result<void> Forgive(const store::OpContext& op, const Guess& guess) const;

  /// Commits what the guess opens and takes its counts back with it, again while others at the same
  /// address get in between.
  Result<store::Receipt> CommitRight(const store::OpContext& op, const store::Batch& opened,
                                     const Guess& guess) const;

  /// How long an address is known from which somebody signed in.
  static constexpr std::chrono::hours kKnownFor{24 * 90};

  /// How often a commit with counts in it is tried: many people may share an address.
  static constexpr int kTries = 50;

 private:
  struct Count {
    std::string subject;
    AttemptLimit limit;
  };
  struct Seen {
    std::string subject;
    AttemptLimit limit;
    std::optional<store::Stored<Attempts>> stored;

    AttemptRecord Record() const;
  };

  Result<std::vector<Seen>> Look(const store::OpContext& op, const std::vector<Count>& counts);
  Result<bool> IsKnown(const store::OpContext& op, const std::string& own) const;
  Result<void> AddKnown(const store::OpContext& op, store::Batch& batch,
                        const std::string& own) const;
  Result<Guess> CountAll(const store::OpContext& op, const std::vector<Seen>& seen);

  const Ground ground_;
};

}  // namespace atrium::identity
