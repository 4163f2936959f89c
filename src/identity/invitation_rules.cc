// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/invitation_rules.h"

#include <cstdlib>
#include <string_view>

#include "base/json_read.h"
#include "base/json_write.h"
#include "identity/audit.h"

namespace atrium::identity {
namespace {

constexpr std::string_view kWho = "invitations.who";
constexpr std::string_view kProof = "invitations.proof";

/// Leaves `value` as it is when there is no such setting.
template <typename Enum>
Result<void> ReadWord(const std::map<std::string, std::string>& settings, std::string_view name,
                      std::string_view words, Enum& value) {
  const auto found = settings.find(std::string(name));
  if (found == settings.end()) {
    return {};
  }
  const Result<Enum> read = FromJson<Enum>(ToJson(found->second));
  if (!read) {
    return Fail(ErrorCode::kInvalidArgument,
                "settings: " + std::string(name) + " must be " + std::string(words));
  }
  value = *read;
  return {};
}

}  // namespace

Result<InvitationRules> ReadInvitationRules(const std::map<std::string, std::string>& settings) {
  InvitationRules rules;
  RETURN_IF_ERROR(ReadWord(settings, kWho, "anybody, administrators or closed", rules.who));
  RETURN_IF_ERROR(ReadWord(settings, kProof, "letter or approval", rules.proof));
  return rules;
}

void WriteInvitationRules(const InvitationRules& rules,
                          std::map<std::string, std::string>& settings) {
  settings[std::string(kWho)] = WordFor(rules.who);
  settings[std::string(kProof)] = WordFor(rules.proof);
}

bool MayBringIn(MayInvite who, Role role) {
  switch (who) {
    case MayInvite::kAnybody:
      return true;
    case MayInvite::kAdministrators:
      return role >= Role::kAdmin;
    case MayInvite::kClosed:
      return false;
  }
  std::abort();  // Unreachable: -Wswitch keeps the list above complete.
}

bool MayVouch(Role role, const api::Scopes& scopes) {
  return role >= Role::kAdmin && scopes.Allows(api::Area::kAdmin, api::Scopes::Right::kWrite);
}

InvitationState StateAt(const Invitation& invitation, Instant now) {
  const bool waits =
      invitation.state == InvitationState::kOpen || invitation.state == InvitationState::kRequested;
  return waits && invitation.expires_at <= now ? InvitationState::kExpired : invitation.state;
}

Result<void> CheckOpen(const Invitation& invitation, Instant now) {
  switch (StateAt(invitation, now)) {
    case InvitationState::kOpen:
    case InvitationState::kRequested:
      return {};
    case InvitationState::kAccepted:
      return Fail(ErrorCode::kRefusedByState, "this invitation was used already");
    case InvitationState::kRevoked:
      return Fail(ErrorCode::kRefusedByState, "this invitation was taken back");
    case InvitationState::kExpired:
      return Fail(ErrorCode::kRefusedByState, "this invitation has expired");
  }
  std::abort();  // Unreachable: -Wswitch keeps the list above complete.
}

}  // namespace atrium::identity
