// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/attempts.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "identity/keys.h"
#include "store/once_only.h"

namespace atrium::identity {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

/// How the subject begins that is one person's alone.
constexpr std::string_view kOwn = "account-address:";
/// Below this a sign-in is not worth remembering again.
constexpr std::chrono::hours kKnownResolution{24};

/// Of the row that says that a right guess came from there.
std::string KnownBy(const std::string& own) {
  return "known:" + own;
}

std::unexpected<Error> Wait(milliseconds wait) {
  const seconds rounded = std::chrono::ceil<seconds>(wait);
  return std::unexpected(Error{
      .code = ErrorCode::kRateLimited,
      .detail = "too many wrong guesses",
      .client_message = "too many attempts; try again later",
      .retry_after = rounded,
      .where = std::source_location::current(),
  });
}

}  // namespace

AttemptRecord GuessLimits::Seen::Record() const {
  return stored ? AttemptRecord{.failures = stored->record.failures, .last = stored->record.last}
                : AttemptRecord{};
}

Result<std::vector<GuessLimits::Seen>> GuessLimits::Look(const store::OpContext& op,
                                                         const std::vector<Count>& counts) {
  std::vector<Seen> seen;
  for (const auto& [subject, limit] : counts) {
    ASSIGN_OR_RETURN(auto stored,
                     store::Find(ground_.store, op, AttemptCounts(), AttemptKey(subject)));
    seen.push_back({.subject = subject, .limit = limit, .stored = std::move(stored)});
  }
  return seen;
}

Result<GuessLimits::Guess> GuessLimits::CountAll(const store::OpContext& op,
                                                 const std::vector<Seen>& seen) {
  const Instant now = ground_.clock.Now();
  store::Batch batch;
  Guess guess;
  for (const Seen& one : seen) {
    const AttemptRecord after = AfterFailure(one.Record(), one.limit, now);
    const Attempts counted{.subject = one.subject,
                           .failures = after.failures,
                           .last = after.last,
                           .forget_at = now + one.limit.forget_after};
    if (one.stored) {
      batch.Replace(AttemptCounts(), *one.stored, counted);
    } else {
      batch.Create(AttemptCounts(), counted);
    }
    guess.subjects.push_back(one.subject);
  }
  RETURN_IF_ERROR(ground_.store.Commit(op, std::move(batch)));
  return guess;
}

Result<GuessLimits::Guess> GuessLimits::CountSignIn(const store::OpContext& op,
                                                    std::string_view account,
                                                    const IpAddress& address) {
  const store::OpContext unnamed = store::Unnamed(op);
  const std::string group = AddressGroup(address);
  const std::string who(account);
  const std::vector<Count> counts{
      {.subject = std::string(kOwn) + who + "@" + group, .limit = kAccountAddressLimit},
      {.subject = "address:" + group, .limit = kAddressLimit},
      {.subject = "account:" + who, .limit = kAccountLimit}};
  return store::RetryConflicts(
      [&]() -> Result<Guess> {
        ASSIGN_OR_RETURN(const std::vector<Seen> seen, Look(unnamed, counts));
        SignInAttempts attempts{.account_address = seen[0].Record(),
                                .address = seen[1].Record(),
                                .account = seen[2].Record()};
        const Instant now = ground_.clock.Now();
        if (IsBesieged(attempts.account, now)) {
          ASSIGN_OR_RETURN(attempts.address_is_known, IsKnown(unnamed, seen[0].subject));
        }
        const auto wait = WaitBeforeSignIn(attempts, now);
        if (wait) {
          return Wait(*wait);
        }
        return CountAll(unnamed, seen);
      },
      kTries);
}

Result<GuessLimits::Guess> GuessLimits::CountLink(const store::OpContext& op,
                                                  std::string_view subject,
                                                  const IpAddress& address) {
  const store::OpContext unnamed = store::Unnamed(op);
  const std::vector<Count> counts{
      {.subject = "address:" + AddressGroup(address), .limit = kAddressLimit},
      {.subject = "link:" + std::string(subject), .limit = kLinkLimit}};
  return store::RetryConflicts(
      [&]() -> Result<Guess> {
        ASSIGN_OR_RETURN(const std::vector<Seen> seen, Look(unnamed, counts));
        for (const Seen& one : seen) {
          if (const auto wait = WaitBefore(one.Record(), one.limit, ground_.clock.Now())) {
            return Wait(*wait);
          }
        }
        return CountAll(unnamed, seen);
      },
      kTries);
}

Result<void> GuessLimits::CountInvitation(const store::OpContext& op, std::string_view inviter) {
  const store::OpContext unnamed = store::Unnamed(op);
  const std::vector<Count> counts{
      {.subject = "inviter:" + std::string(inviter), .limit = kInvitingLimit}};
  return store::RetryConflicts(
      [&]() -> Result<void> {
        ASSIGN_OR_RETURN(const std::vector<Seen> seen, Look(unnamed, counts));
        if (const auto wait = WaitBefore(seen[0].Record(), kInvitingLimit, ground_.clock.Now())) {
          return Wait(*wait);
        }
        RETURN_IF_ERROR(CountAll(unnamed, seen));
        return {};
      },
      kTries);
}

Result<bool> GuessLimits::IsKnown(const store::OpContext& op, const std::string& own) const {
  ASSIGN_OR_RETURN(const auto known,
                   store::Find(ground_.store, op, AttemptCounts(), AttemptKey(KnownBy(own))));
  return known.has_value();
}

Result<void> GuessLimits::AddKnown(const store::OpContext& op, store::Batch& batch,
                                   const std::string& own) const {
  const Instant now = ground_.clock.Now();
  const Attempts known{.subject = KnownBy(own), .last = now, .forget_at = now + kKnownFor};
  ASSIGN_OR_RETURN(const auto before,
                   store::Find(ground_.store, op, AttemptCounts(), AttemptKey(known.subject)));
  if (!before) {
    batch.Create(AttemptCounts(), known);
  } else if (now - before->record.last >= kKnownResolution) {
    batch.Replace(AttemptCounts(), *before, known);
  }
  return {};
}

/// What this person got wrong from here before is forgotten. The counts that others share go back
/// by one: a right guess must not wash an attacker clean of the wrong ones.
Result<void> GuessLimits::TakeBack(const store::OpContext& op, store::Batch& batch,
                                   const Guess& guess) const {
  for (const std::string& subject : guess.subjects) {
    if (subject.starts_with(kOwn)) {
      RETURN_IF_ERROR(AddKnown(op, batch, subject));
    }
    ASSIGN_OR_RETURN(const auto stored,
                     store::Find(ground_.store, op, AttemptCounts(), AttemptKey(subject)));
    if (!stored) {
      continue;
    }
    if (subject.starts_with(kOwn) || stored->record.failures <= 1) {
      batch.Erase(AttemptCounts(), *stored);
      continue;
    }
    Attempts fewer = stored->record;
    --fewer.failures;
    batch.Replace(AttemptCounts(), *stored, fewer);
  }
  return {};
}

Result<void> GuessLimits::Forgive(const store::OpContext& op, const Guess& guess) const {
  const store::OpContext unnamed = store::Unnamed(op);
  return store::RetryConflicts(
      [&]() -> Result<void> {
        store::Batch batch;
        RETURN_IF_ERROR(TakeBack(unnamed, batch, guess));
        store::WriteSet writes = batch.Take();
        if (!writes.mutations.empty()) {
          RETURN_IF_ERROR(ground_.store.Commit(unnamed, std::move(writes)));
        }
        return {};
      },
      kTries);
}

Result<store::Receipt> GuessLimits::CommitRight(const store::OpContext& op,
                                                const store::Batch& opened,
                                                const Guess& guess) const {
  return store::RetryConflicts(
      [&]() -> Result<store::Receipt> {
        store::Batch batch = opened;
        RETURN_IF_ERROR(TakeBack(op, batch, guess));
        return ground_.store.Commit(op, std::move(batch));
      },
      kTries);
}

}  // namespace atrium::identity
