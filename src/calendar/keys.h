// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "calendar/records.h"
#include "store/collection.h"
#include "store/decoded_records.h"
#include "store/table.h"

namespace atrium::calendar {

// docs/formats/calendar.md shows the rows.

/// What belongs to a calendar and changes with it lies in its partition.
inline constexpr store::Table kCalendarTable{.number = 120, .name = "calendars", .group = 120};
/// The default calendar of a person.
inline constexpr store::Table kDefaultCalendars{.number = 121, .name = "default_calendars"};
/// Calendars in the trash, by when they go for good.
inline constexpr store::Table kCalendarsToErase{
    .number = 122, .name = "calendars_to_erase", .kind = store::TableKind::kDerived};
inline constexpr store::Table kMemberTable{.number = 123, .name = "calendar_members", .group = 120};
inline constexpr store::Table kCalendarsByUser{
    .number = 124, .name = "calendars_by_user", .kind = store::TableKind::kDerived};
/// Invitations to addresses that nobody has yet.
inline constexpr store::Table kInvitationsByEmail{
    .number = 125, .name = "invitations_by_email", .kind = store::TableKind::kDerived};
inline constexpr store::Table kViewTable{.number = 126, .name = "calendar_views", .group = 120};
inline constexpr store::Table kEntryTable{.number = 127, .name = "entries", .group = 127};
/// The entries of a calendar by when they take place: time_index.h.
inline constexpr store::Table kEntriesByTime{
    .number = 128, .name = "entries_by_time", .kind = store::TableKind::kDerived};
inline constexpr store::Table kEntryUids{.number = 129, .name = "entry_uids", .group = 120};
/// Entries in the trash of a calendar, newest first.
inline constexpr store::Table kEntryTrash{
    .number = 130, .name = "entry_trash", .kind = store::TableKind::kDerived};
/// The same of all calendars, by the day on which they were deleted.
inline constexpr store::Table kEntriesToErase{
    .number = 131, .name = "entries_to_erase", .kind = store::TableKind::kDerived};
/// The changes of an entry by their number, beside it. No log: it goes with its entry.
inline constexpr store::Table kEntryHistory{.number = 132, .name = "entry_history", .group = 127};
inline constexpr store::Table kFeedTable{.number = 133, .name = "calendar_feeds"};
inline constexpr store::Table kFeedsByCalendar{
    .number = 134, .name = "feeds_by_calendar", .kind = store::TableKind::kDerived};
inline constexpr store::Table kSubscriptionTable{
    .number = 135, .name = "subscriptions", .group = 120};
/// All of them, by when they are due.
inline constexpr store::Table kSubscriptionsDue{
    .number = 136, .name = "subscriptions_due", .kind = store::TableKind::kDerived};
/// Counters beside a calendar: kOwnersCounter.
inline constexpr store::Table kCalendarCounts{
    .number = 137, .name = "calendar_counts", .group = 120};
inline constexpr std::string_view kOwnersCounter = "owners";

std::vector<const store::Table*> BareTables();
std::vector<const store::AnyCollection*> Collections();

const store::Collection<Calendar>& Calendars();
const store::Collection<Membership>& Members();
const store::Collection<ViewSettings>& Views();
const store::Collection<Entry>& Entries();
const store::Collection<Feed>& Feeds();
const store::Collection<Subscription>& Subscriptions();

std::string PartitionOf(const CalendarId& calendar);
std::string PartitionOf(const UserId& user);
std::string PartitionOf(const EntryId& entry);

store::Key CalendarKey(const CalendarId& calendar);
store::Key DefaultCalendarKey(const UserId& user);
store::Key MemberKey(const CalendarId& calendar, const UserId& user);
/// Of somebody who has no account.
/// By address, or by the id of an invitation that names none.
store::Key InvitationKey(const CalendarId& calendar, std::string_view email);
store::Key ViewKey(const CalendarId& calendar, const UserId& user);
store::Key EntryKey(const EntryId& entry);
/// Of the state with that sequence.
store::Key HistoryKey(const EntryId& entry, std::uint32_t sequence);
store::Key UidKey(const CalendarId& calendar, std::string_view uid);
store::Key FeedKey(std::string_view hash);
store::Key SubscriptionKey(const CalendarId& calendar);

/// The partition of what is not of one calendar or person.
inline constexpr std::string_view kEverybody = "all";

/// The topics of the change log.
std::string TopicOf(const CalendarId& calendar);
std::string TopicOf(const UserId& user);

}  // namespace atrium::calendar

namespace atrium::store {

template <>
inline constexpr bool kIsReadAllTheTime<calendar::Calendar> = true;
template <>
inline constexpr bool kIsReadAllTheTime<calendar::Membership> = true;

}  // namespace atrium::store
