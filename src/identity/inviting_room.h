// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "identity/invitation_records.h"
#include "store/batch.h"
#include "store/op_context.h"

namespace atrium::identity {

/// What a room says of something it invites to, as it is now.
struct Occasion {
  /// What people call it: "Family".
  std::string label{};
  /// The same in the middle of a sentence: the calendar "Family".
  std::string title{};
  /// One sentence for the letter: "Once you accept, you can see it."
  std::string promise{};
  /// What the invited person will be there: "reader".
  std::string role{};
};

/// A room that owns what people are invited to; `app` plugs each in under its kind. Identity lets
/// people in, the room decides what they find there. Any thread.
class InvitingRoom {
 public:
  InvitingRoom() = default;
  InvitingRoom(const InvitingRoom&) = delete;
  InvitingRoom& operator=(const InvitingRoom&) = delete;
  virtual ~InvitingRoom() = default;

  /// nullopt when it is gone, or the invitation to it was taken back in the room itself.
  virtual Result<std::optional<Occasion>> Describe(const store::OpContext& op,
                                                   const Invitation& invitation) const = 0;

  /// Adds what acceptance means in the room to the commit that lets the person in. kNotFound when
  /// there is nothing to accept any more. Called again after a conflict.
  virtual Result<void> AddJoining(const store::OpContext& op, store::Batch& batch,
                                  const Invitation& invitation, const User& user) const = 0;

  /// Adds what revocation means in the room; without effect when nothing is left to revoke.
  virtual Result<void> AddRevocation(const store::OpContext& op, store::Batch& batch,
                                     const Invitation& invitation) const = 0;
};

}  // namespace atrium::identity
