// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/keys.h"

#include <utility>

#include "base/bytes.h"
#include "base/hash.h"
#include "base/hex.h"
#include "calendar/events.h"
#include "calendar/time_index.h"
#include "store/change_log.h"
#include "store/key_bytes.h"

namespace atrium::calendar {
namespace {

using store::Key;
using store::KeyBytes;
using Keys = std::vector<Key>;

std::string BytesOf(const EntryId& id) {
  return std::string(AsChars(id.value().bytes));
}

Keys TimeKeys(const Entry& entry) {
  Keys keys;
  if (entry.deleted_at) {
    return keys;
  }
  for (std::string& sort : TimeRows(entry)) {
    keys.push_back({.partition = PartitionOf(entry.calendar_id), .sort = std::move(sort)});
  }
  return keys;
}

Keys TrashKeys(const Entry& entry) {
  if (!entry.deleted_at) {
    return {};
  }
  return {{.partition = PartitionOf(entry.calendar_id),
           .sort = KeyBytes().Descending(*entry.deleted_at).Raw(BytesOf(entry.id)).Take()}};
}

/// By day, so that no partition grows with the age of the server.
Keys EraseKeys(const Entry& entry) {
  if (!entry.deleted_at) {
    return {};
  }
  return {{.partition = RenderInstant(*entry.deleted_at).substr(0, 10),
           .sort = KeyBytes().Time(*entry.deleted_at).Raw(BytesOf(entry.id)).Take()}};
}

std::optional<Key> UidOf(const Entry& entry) {
  if (entry.uid.empty() || entry.deleted_at) {
    return std::nullopt;
  }
  return UidKey(entry.calendar_id, entry.uid);
}

}  // namespace

std::string PartitionOf(const CalendarId& calendar) {
  return calendar.Render();
}

std::string PartitionOf(const UserId& user) {
  return user.Render();
}

std::string PartitionOf(const EntryId& entry) {
  return entry.Render();
}

Key CalendarKey(const CalendarId& calendar) {
  return {.partition = PartitionOf(calendar)};
}

Key DefaultCalendarKey(const UserId& user) {
  return {.partition = PartitionOf(user)};
}

Key MemberKey(const CalendarId& calendar, const UserId& user) {
  return {.partition = PartitionOf(calendar), .sort = "user:" + user.Render()};
}

Key InvitationKey(const CalendarId& calendar, std::string_view email) {
  return {.partition = PartitionOf(calendar), .sort = "email:" + std::string(email)};
}

Key ViewKey(const CalendarId& calendar, const UserId& user) {
  return {.partition = PartitionOf(calendar), .sort = user.Render()};
}

Key EntryKey(const EntryId& entry) {
  return {.partition = PartitionOf(entry)};
}

Key HistoryKey(const EntryId& entry, std::uint32_t sequence) {
  return {.partition = PartitionOf(entry), .sort = KeyBytes().Number(sequence).Take()};
}

/// Uids may be longer than a key.
Key UidKey(const CalendarId& calendar, std::string_view uid) {
  return {.partition = PartitionOf(calendar), .sort = EncodeHex(Sha256Of(uid))};
}

Key FeedKey(std::string_view hash) {
  return {.partition = std::string(hash)};
}

Key SubscriptionKey(const CalendarId& calendar) {
  return {.partition = PartitionOf(calendar)};
}

std::string TopicOf(const CalendarId& calendar) {
  return "calendar:" + calendar.Render();
}

std::string TopicOf(const UserId& user) {
  return "calendars-of:" + user.Render();
}

const store::Collection<Calendar>& Calendars() {
  static const store::Collection<Calendar> calendars({
      .table = &kCalendarTable,
      .key = [](const Calendar& calendar) { return CalendarKey(calendar.id); },
      .unique = {{.table = &kDefaultCalendars,
                  .key = [](const Calendar& calendar) -> std::optional<Key> {
                    return calendar.default_of
                               ? std::optional(DefaultCalendarKey(*calendar.default_of))
                               : std::nullopt;
                  }}},
      .lists = {{.table = &kCalendarsToErase,
                 .projection = store::Projection::kKey,
                 .keys =
                     [](const Calendar& calendar) {
                       return calendar.erase_at ? Keys{{.partition = std::string(kEverybody),
                                                        .sort = KeyBytes()
                                                                    .Time(*calendar.erase_at)
                                                                    .Raw(calendar.id.Render())
                                                                    .Take()}}
                                                : Keys{};
                     }}},
      .topics = {{.log = &store::kChanges,
                  .topic = [](const Calendar& calendar) { return TopicOf(calendar.id); }}},
      .describe_change = DescribeCalendar,
  });
  return calendars;
}

const store::Collection<Membership>& Members() {
  static const store::Collection<Membership> members({
      .table = &kMemberTable,
      .key =
          [](const Membership& member) {
            return member.user_id
                       ? MemberKey(member.calendar_id, *member.user_id)
                       : InvitationKey(member.calendar_id, member.email.empty()
                                                               ? member.invitation_id.value_or("")
                                                               : member.email);
          },
      .lists = {{.table = &kCalendarsByUser,
                 .keys =
                     [](const Membership& member) {
                       return member.user_id && member.status != MemberStatus::kRemoved
                                  ? Keys{{.partition = PartitionOf(*member.user_id),
                                          .sort = member.calendar_id.Render()}}
                                  : Keys{};
                     }},
                {.table = &kInvitationsByEmail,
                 .keys =
                     [](const Membership& member) {
                       return !member.user_id && !member.email.empty() &&
                                      member.status == MemberStatus::kInvited
                                  ? Keys{{.partition = member.email,
                                          .sort = member.calendar_id.Render()}}
                                  : Keys{};
                     }}},
      .topics = {{.log = &store::kChanges,
                  .topic = [](const Membership& member) { return TopicOf(member.calendar_id); }},
                 {.log = &store::kChanges,
                  .topic = [](const Membership& member) -> std::optional<std::string> {
                    return member.user_id ? std::optional(TopicOf(*member.user_id)) : std::nullopt;
                  }}},
      .describe_change = DescribeMember,
  });
  return members;
}

const store::Collection<ViewSettings>& Views() {
  static const store::Collection<ViewSettings> views({
      .table = &kViewTable,
      .key = [](const ViewSettings& view) { return ViewKey(view.calendar_id, view.user_id); },
  });
  return views;
}

const store::Collection<Entry>& Entries() {
  static const store::Collection<Entry> entries({
      .table = &kEntryTable,
      .key = [](const Entry& entry) { return EntryKey(entry.id); },
      .unique = {{.table = &kEntryUids, .key = UidOf}},
      .lists = {{.table = &kEntriesByTime, .keys = TimeKeys},
                {.table = &kEntryTrash, .keys = TrashKeys},
                {.table = &kEntriesToErase,
                 .projection = store::Projection::kKey,
                 .keys = EraseKeys}},
      .topics = {{.log = &store::kChanges,
                  .topic = [](const Entry& entry) { return TopicOf(entry.calendar_id); }}},
      .describe_change = DescribeEntry,
  });
  return entries;
}

const store::Collection<Feed>& Feeds() {
  static const store::Collection<Feed> feeds({
      .table = &kFeedTable,
      .key = [](const Feed& feed) { return FeedKey(feed.hash); },
      .lists = {{.table = &kFeedsByCalendar,
                 .keys =
                     [](const Feed& feed) {
                       return Keys{{.partition = PartitionOf(feed.calendar_id), .sort = feed.id}};
                     }}},
  });
  return feeds;
}

const store::Collection<Subscription>& Subscriptions() {
  static const store::Collection<Subscription> subscriptions({
      .table = &kSubscriptionTable,
      .key = [](const Subscription& one) { return SubscriptionKey(one.calendar_id); },
      .lists = {{.table = &kSubscriptionsDue,
                 .keys =
                     [](const Subscription& one) {
                       return Keys{
                           {.partition = std::string(kEverybody),
                            .sort =
                                KeyBytes().Time(one.next_at).Raw(one.calendar_id.Render()).Take()}};
                     }}},
  });
  return subscriptions;
}

std::vector<const store::Table*> BareTables() {
  return {&kEntryHistory, &kCalendarCounts};
}

std::vector<const store::AnyCollection*> Collections() {
  return {&Calendars(), &Members(), &Views(), &Entries(), &Feeds(), &Subscriptions()};
}

}  // namespace atrium::calendar
