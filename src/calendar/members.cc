// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/members.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "calendar/calendars.h"
#include "calendar/keys.h"
#include "store/store.h"

namespace atrium::calendar {
namespace {

constexpr std::size_t kListed = 1000;
constexpr std::size_t kUlidCharacters = 26;

std::unexpected<Error> NoSuchMember() {
  return Fail(ErrorCode::kNotFound, "there is no such member");
}

Error ExplainOwners(Error error) {
  if (error.code == ErrorCode::kLimitExceeded) {
    return Fail(ErrorCode::kRefusedByState, "the last owner of a calendar stays one").error();
  }
  return error;
}

bool IsOwner(const Membership& member) {
  return member.role == MemberRole::kOwner && member.status == MemberStatus::kActive;
}

/// Writes the change of a member, and counts owners as it says.
void AddChange(store::Batch& batch, const store::Stored<Membership>& before,
               const Membership& after) {
  batch.Replace(Members(), before, after);
  const int delta = static_cast<int>(IsOwner(after)) - static_cast<int>(IsOwner(before.record));
  if (delta != 0) {
    CountOwners(batch, after.calendar_id, delta);
  }
}

/// An id of an invitation, which no address looks like.
bool IsInvitationId(std::string_view text) {
  return text.size() == kUlidCharacters && std::ranges::all_of(text, [](char c) {
           return ('0' <= c && c <= '9') || ('A' <= c && c <= 'Z');
         });
}

}  // namespace

Result<MemberService::Found> MemberService::Commit(const store::OpContext& op, store::Batch batch,
                                                   Membership member) {
  Result<store::Receipt> receipt = ground_.store.Commit(op, std::move(batch));
  if (!receipt) {
    return std::unexpected(ExplainOwners(std::move(receipt).error()));
  }
  return Found{.record = std::move(member), .version = receipt->version};
}

Result<std::vector<NamedMember>> MemberService::List(const store::OpContext& op,
                                                     const Visitor& visitor,
                                                     const CalendarId& calendar) const {
  ASSIGN_OR_RETURN(const Seat seat, Enter(ground_.store, op, visitor, calendar, Need::kRead));
  const std::string partition = PartitionOf(calendar);
  ASSIGN_OR_RETURN(
      auto page,
      store::List<Membership>(ground_.store, op,
                              {.table = &kMemberTable, .partition = partition, .limit = kListed}));
  std::vector<NamedMember> members;
  for (Found& found : page.records) {
    if (found.record.status == MemberStatus::kRemoved) {
      continue;
    }
    NamedMember member{.member = std::move(found)};
    if (member.member.record.user_id) {
      ASSIGN_OR_RETURN(const auto person, people_.Find(op, *member.member.record.user_id));
      if (!person) {
        continue;  // Their account is gone; the job that looks for such members is on its way.
      }
      member.name = person->name;
      member.photo = person->org == visitor.org ? person->photo : std::nullopt;
      member.member.record.email = person->email;
    }
    const Membership& record = member.member.record;
    if (IsOwner(seat.member.record) && record.status == MemberStatus::kInvited &&
        record.invitation_id) {
      ASSIGN_OR_RETURN(member.invitation, desk_.Find(op, *record.invitation_id));
    }
    members.push_back(std::move(member));
  }
  return members;
}

Result<void> MemberService::CheckRoom(const store::OpContext& op,
                                      const CalendarId& calendar) const {
  const std::string partition = PartitionOf(calendar);
  ASSIGN_OR_RETURN(const auto page,
                   store::List<Membership>(
                       ground_.store, op,
                       {.table = &kMemberTable, .partition = partition, .limit = kMembersMax}));
  if (page.records.size() >= kMembersMax) {
    return Fail(ErrorCode::kLimitExceeded, "a calendar has at most 500 members");
  }
  return {};
}

/// Somebody may have been invited by address before they had an account.
Result<void> MemberService::CheckInvitable(const store::OpContext& op,
                                           const std::optional<Found>& before,
                                           const Membership& member) const {
  bool is_known = before && before->record.status != MemberStatus::kRemoved;
  if (!is_known && member.user_id) {
    ASSIGN_OR_RETURN(
        const auto invited,
        store::Find(ground_.store, op, Members(), InvitationKey(member.calendar_id, member.email)));
    is_known = invited && invited->record.status != MemberStatus::kRemoved;
  }
  if (is_known) {
    return Fail(ErrorCode::kAlreadyExists, "email: this person is a member or invited already");
  }
  return {};
}

/// Whose default calendar it is owns it as long as there is an account.
Result<void> MemberService::CheckDefault(const store::OpContext& op, const Membership& before,
                                         const Membership& after) const {
  if (!IsOwner(before) || IsOwner(after)) {
    return {};
  }
  ASSIGN_OR_RETURN(const auto calendar,
                   store::Find(ground_.store, op, Calendars(), CalendarKey(before.calendar_id)));
  if (calendar && calendar->record.default_of && calendar->record.default_of == before.user_id) {
    return Fail(ErrorCode::kRefusedByState, "the default calendar stays with its owner");
  }
  return {};
}

Result<std::optional<MemberService::Found>> MemberService::FindMember(
    const store::OpContext& op, const Visitor& visitor, const CalendarId& calendar,
    std::string_view member) const {
  if (member == "me") {
    return FindInvitation(op, visitor, calendar);
  }
  if (const Result<UserId> user = UserId::Parse(member)) {
    return store::Find(ground_.store, op, Members(), MemberKey(calendar, *user));
  }
  if (IsInvitationId(member)) {
    return store::Find(ground_.store, op, Members(), InvitationKey(calendar, member));
  }
  ASSIGN_OR_RETURN(const std::string email, people_.ReadEmail(member));
  ASSIGN_OR_RETURN(auto invited,
                   store::Find(ground_.store, op, Members(), InvitationKey(calendar, email)));
  if (invited) {
    return invited;
  }
  ASSIGN_OR_RETURN(const auto person, people_.FindByEmail(op, email));
  if (!person) {
    return std::nullopt;
  }
  return store::Find(ground_.store, op, Members(), MemberKey(calendar, person->id));
}

/// The visitor's own part; or the invitation to their address from before they had an account.
Result<std::optional<MemberService::Found>> MemberService::FindInvitation(
    const store::OpContext& op, const Visitor& visitor, const CalendarId& calendar) const {
  ASSIGN_OR_RETURN(auto member,
                   store::Find(ground_.store, op, Members(), MemberKey(calendar, visitor.user)));
  if (member && member->record.status != MemberStatus::kRemoved) {
    return member;
  }
  return store::Find(ground_.store, op, Members(), InvitationKey(calendar, visitor.label));
}

Result<MemberService::Found> MemberService::ChangeRole(const store::OpContext& op,
                                                       const Visitor& visitor,
                                                       const CalendarId& calendar,
                                                       std::string_view member, MemberRole role) {
  return store::RetryConflicts([&]() -> Result<Found> {
    RETURN_IF_ERROR(Enter(ground_.store, op, visitor, calendar, Need::kOwn));
    ASSIGN_OR_RETURN(const auto found, FindMember(op, visitor, calendar, member));
    if (!found || found->record.status == MemberStatus::kRemoved) {
      return NoSuchMember();
    }
    Membership changed = found->record;
    changed.role = role;
    changed.updated_at = ground_.clock.Now();
    RETURN_IF_ERROR(CheckDefault(op, found->record, changed));
    store::Batch batch;
    AddChange(batch, *found, changed);
    return Commit(op, std::move(batch), std::move(changed));
  });
}

/// A link that names nobody leaves nothing to remember.
void MemberService::AddRemoval(store::Batch& batch, const Found& found) const {
  if (!found.record.user_id && found.record.email.empty()) {
    batch.Erase(Members(), found);
    return;
  }
  Membership removed = found.record;
  removed.status = MemberStatus::kRemoved;
  removed.updated_at = ground_.clock.Now();
  AddChange(batch, found, removed);
}

Result<void> MemberService::Remove(const store::OpContext& op, const Host& host,
                                   const CalendarId& calendar, std::string_view member) {
  return store::RetryConflicts([&]() -> Result<void> {
    const Visitor& visitor = host.visitor;
    ASSIGN_OR_RETURN(const auto found, FindMember(op, visitor, calendar, member));
    const bool is_oneself =
        found && (found->record.user_id == visitor.user ||
                  (!found->record.user_id && found->record.email == visitor.label));
    if (!is_oneself) {
      RETURN_IF_ERROR(Enter(ground_.store, op, visitor, calendar, Need::kOwn));
    }
    if (!found || found->record.status == MemberStatus::kRemoved) {
      return NoSuchMember();
    }
    Membership removed = found->record;
    removed.status = MemberStatus::kRemoved;
    RETURN_IF_ERROR(CheckDefault(op, found->record, removed));
    store::Batch batch;
    AddRemoval(batch, *found);
    if (found->record.invitation_id) {
      RETURN_IF_ERROR(desk_.AddRevocation(op, batch, host, *found->record.invitation_id));
    }
    batch.SetAnswer({.status = 204, .body = ""});
    RETURN_IF_ERROR(Commit(op, std::move(batch), std::move(removed)));
    return {};
  });
}

/// An invitation to an address becomes a row of the person; one they had before stays in its place.
Result<void> MemberService::AddAcceptance(const store::OpContext& op, const Found& invitation,
                                          const Membership& member, store::Batch& batch) const {
  if (!invitation.record.user_id) {
    ASSIGN_OR_RETURN(const auto former,
                     store::Find(ground_.store, op, Members(), Members().KeyOf(member)));
    if (former) {
      AddChange(batch, *former, member);
      batch.Erase(Members(), invitation);
      return {};
    }
  }
  AddChange(batch, invitation, member);
  return {};
}

Result<MemberService::Found> MemberService::Accept(const store::OpContext& op, const Host& host,
                                                   const CalendarId& calendar) {
  return store::RetryConflicts([&]() -> Result<Found> {
    const Visitor& visitor = host.visitor;
    ASSIGN_OR_RETURN(const auto found, FindInvitation(op, visitor, calendar));
    ASSIGN_OR_RETURN(const auto shared,
                     store::Find(ground_.store, op, Calendars(), CalendarKey(calendar)));
    const bool is_open = found && found->record.status != MemberStatus::kRemoved && shared &&
                         !shared->record.deleted_at && shared->record.org == visitor.org;
    if (!is_open) {
      return Fail(ErrorCode::kNotFound, "there is no such invitation");
    }
    if (found->record.status == MemberStatus::kActive) {
      return *found;
    }
    Membership member = found->record;
    member.user_id = visitor.user;
    member.status = MemberStatus::kActive;
    member.updated_at = ground_.clock.Now();
    store::Batch batch;
    RETURN_IF_ERROR(AddAcceptance(op, *found, member, batch));
    if (member.invitation_id) {
      RETURN_IF_ERROR(desk_.AddAcceptance(op, batch, host, *member.invitation_id));
    }
    return Commit(op, std::move(batch), std::move(member));
  });
}

Result<MemberService::Found> MemberService::Transfer(const store::OpContext& op,
                                                     const Visitor& visitor,
                                                     const CalendarId& calendar,
                                                     std::string_view to) {
  return store::RetryConflicts([&]() -> Result<Found> {
    ASSIGN_OR_RETURN(const Seat seat, Enter(ground_.store, op, visitor, calendar, Need::kOwn));
    if (seat.calendar.record.is_default) {
      return Fail(ErrorCode::kRefusedByState, "the default calendar stays with its owner");
    }
    ASSIGN_OR_RETURN(const auto found, FindMember(op, visitor, calendar, to));
    if (!found || found->record.status != MemberStatus::kActive) {
      return NoSuchMember();
    }
    if (found->record.user_id == visitor.user) {
      return Fail(ErrorCode::kInvalidArgument, "to: that is who owns it now");
    }
    const bool was_owner = IsOwner(found->record);
    const Instant now = ground_.clock.Now();
    Membership heir = found->record;
    heir.role = MemberRole::kOwner;
    heir.updated_at = now;
    Membership former = seat.member.record;
    former.role = MemberRole::kWriter;
    former.updated_at = now;
    store::Batch batch;
    batch.Replace(Members(), *found, heir);
    batch.Replace(Members(), seat.member, former);
    if (was_owner) {
      CountOwners(batch, calendar, -1);
    }
    return Commit(op, std::move(batch), std::move(heir));
  });
}

Result<std::string> MemberService::InviterOf(const store::OpContext& op,
                                             const Membership& member) const {
  if (!member.invited_by) {
    return std::string();
  }
  ASSIGN_OR_RETURN(const auto person, people_.Find(op, *member.invited_by));
  if (!person) {
    return std::string();
  }
  return person->name.empty() ? person->email : person->name;
}

Result<std::vector<MemberService::Invitation>> MemberService::Invitations(
    const store::OpContext& op, const Visitor& visitor) const {
  const std::string mine = PartitionOf(visitor.user);
  ASSIGN_OR_RETURN(
      auto by_user,
      store::List<Membership>(ground_.store, op,
                              {.table = &kCalendarsByUser, .partition = mine, .limit = kListed}));
  ASSIGN_OR_RETURN(auto by_email, store::List<Membership>(ground_.store, op,
                                                          {.table = &kInvitationsByEmail,
                                                           .partition = visitor.label,
                                                           .limit = kListed}));
  std::vector<Found> all = std::move(by_user.records);
  std::ranges::move(by_email.records, std::back_inserter(all));
  std::vector<Invitation> invitations;
  for (const Found& one : all) {
    if (one.record.status != MemberStatus::kInvited) {
      continue;
    }
    ASSIGN_OR_RETURN(const auto calendar, store::Find(ground_.store, op, Calendars(),
                                                      CalendarKey(one.record.calendar_id)));
    if (calendar && !calendar->record.deleted_at && calendar->record.org == visitor.org) {
      ASSIGN_OR_RETURN(std::string inviter, InviterOf(op, one.record));
      invitations.push_back({.member = one.record,
                             .calendar_name = calendar->record.name,
                             .inviter = std::move(inviter)});
    }
  }
  return invitations;
}

}  // namespace atrium::calendar
