// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/describe/class.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "api/caller.h"
#include "base/instant.h"
#include "base/result.h"
#include "calendar/access.h"
#include "calendar/records.h"
#include "store/batch.h"
#include "store/op_context.h"

namespace atrium::calendar {

/// On whose behalf somebody is invited, and from where, for the audit log.
struct Host {
  Visitor visitor{};
  /// As people read it.
  std::string address{};
  /// The id of the request.
  std::string request{};
  /// The operator acts in the visitor's name.
  bool is_operator = false;
  /// What their credential may be used for: with one for calendars alone, an administrator does not
  /// speak as one.
  api::Scopes scopes{};
};

/// Somebody to be invited to a calendar.
struct Guest {
  CalendarId calendar{};
  std::string calendar_name{};
  /// As People::ReadEmail() spells it; empty: whoever gets the link.
  std::string email{};
  MemberRole role = MemberRole::kReader;
};

/// What those who invite are told of an invitation.
struct InvitationStatus {
  std::string id{};
  /// "open", "requested", "accepted", "revoked", "expired".
  std::string state{};
  /// "by_hand", "off", "queued", "handed_over", "failed": what became of the letter.
  std::string delivery{};
  std::optional<std::string> delivery_reason{};
  unsigned resends = 0;
  Instant expires_at{};
  /// Only in the answer that makes it.
  std::optional<std::string> link{};
};
BOOST_DESCRIBE_STRUCT(InvitationStatus, (),
                      (id, state, delivery, delivery_reason, resends, expires_at, link))

/// Where invitations are made and kept; identity is plugged in here.
class InvitationDesk {
 public:
  InvitationDesk() = default;
  InvitationDesk(const InvitationDesk&) = delete;
  InvitationDesk& operator=(const InvitationDesk&) = delete;
  virtual ~InvitationDesk() = default;

  /// Adds an invitation and its letter to the batch. kPermissionDenied when the organisation does
  /// not let the host invite this person, kRateLimited after too many.
  virtual Result<InvitationStatus> Add(const store::OpContext& op, store::Batch& batch,
                                       const Host& host, const Guest& guest) const = 0;
  /// nullopt when it is gone.
  virtual Result<std::optional<InvitationStatus>> Find(const store::OpContext& op,
                                                       std::string_view id) const = 0;
  enum class Renewal : std::uint8_t { kLetter, kLink };
  /// Sends the letter again, or makes a new link in place of the old one. kNotFound when it is
  /// gone.
  virtual Result<InvitationStatus> Renew(const store::OpContext& op, const Host& host,
                                         std::string_view id, Renewal renewal) const = 0;
  // Parts of a commit; without effect when the invitation has ended or is gone.
  virtual Result<void> AddRevocation(const store::OpContext& op, store::Batch& batch,
                                     const Host& host, std::string_view id) const = 0;
  virtual Result<void> AddAcceptance(const store::OpContext& op, store::Batch& batch,
                                     const Host& host, std::string_view id) const = 0;
};

}  // namespace atrium::calendar
