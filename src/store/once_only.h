// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "store/answer.h"
#include "store/engine.h"
#include "store/op_context.h"
#include "store/table.h"
#include "store/write_set.h"

namespace atrium::store {

/// Requests that clients have named, with what they were told.
inline constexpr Table kClaims{.number = 10, .name = "claims"};

/// How long a request is remembered.
inline constexpr std::chrono::hours kClaimsKept{24};

/// What was answered when the request came first.
struct Replay {
  Answer answer{};
  /// Of the rows it wrote: the ETag of the answer.
  Version version{};
  /// The client used its name for another request before.
  bool other_request = false;
};

/// A request that a client has named (Idempotency-Key), so that it takes effect once however often
/// it arrives. Its claim is a row of the commit itself, hence there exactly when the effect is.
///
/// The edge makes one, asks FindReplay(), and puts it into the OpContext of the handler; Store does
/// the rest. After a handler failed, GetReplay() tells whether the same request was quicker.
class OnceOnly {
 public:
  struct Name {
    /// Who asks: names of different callers never meet.
    std::string_view principal;
    std::string_view key;
    /// Distinguishes requests: a hash of method, target and body.
    std::string_view digest;
  };

  OnceOnly(const Name& name, const Clock& clock);

  /// What was answered before, in this or another process.
  Result<std::optional<Replay>> FindReplay(Engine& engine, const OpContext& op);

  /// Adds the claim to the first write set of the request.
  void Claim(WriteSet& writes, const Answer& answer);
  /// Whether a claim has been added: the request takes effect with that write set.
  bool Claimed() const { return claimed_; }
  /// The write set with the claim did not happen: the next one may have it.
  void Release() { claimed_ = false; }

  void SetReplay(std::optional<Replay> replay) { replay_ = std::move(replay); }
  const std::optional<Replay>& GetReplay() const { return replay_; }

 private:
  const std::string partition_;
  const std::string digest_;
  const Clock& clock_;
  bool claimed_ = false;
  std::optional<Replay> replay_;
};

/// The terms of a request for a commit that is not what the client named: one more on the way, or
/// one whose answer is a secret, which is not kept for whoever asks again.
inline OpContext Unnamed(OpContext op) {
  op.once = nullptr;
  return op;
}

/// The terms for tidying up behind a commit that has happened. It may have ended the credential of
/// the request itself, and what it began is to be finished all the same.
inline OpContext Afterwards(OpContext op) {
  op.once = nullptr;
  op.warrant = nullptr;
  return op;
}

}  // namespace atrium::store
