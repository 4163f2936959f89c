// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "almanac/date.h"
#include "almanac/local_time.h"
#include "almanac/time_of_day.h"
#include "api/caller.h"
#include "base/instant.h"
#include "base/json_shape.h"
#include "base/strong_id.h"
#include "base/uuid.h"
#include "icalendar/participant.h"

namespace atrium::calendar {

using almanac::Date;
using almanac::LocalTime;
using almanac::TimeOfDay;
using api::OrgId;
using api::UserId;
using icalendar::Attendee;
using icalendar::Organizer;
using CalendarId = StrongId<struct CalendarTag, Uuid>;
using EntryId = StrongId<struct EntryTag, Uuid>;

/// Where the entries of a calendar come from.
enum class CalendarSource : std::uint8_t {
  kPeople,  ///< Its members write them.
  kFeed,    ///< A remote feed, which alone changes them: see Subscription.
};
BOOST_DESCRIBE_ENUM(CalendarSource, kPeople, kFeed)

struct Calendar {
  CalendarId id{};
  OrgId org{};
  std::string name{};
  /// "#3B82F6".
  std::string color{};
  std::string description{};
  /// The one that its owner has had from the start, and keeps.
  bool is_default = false;
  /// Whose default it is.
  std::optional<UserId> default_of{};
  CalendarSource source = CalendarSource::kPeople;
  Instant created_at{};
  Instant updated_at{};
  /// In the trash since then, out of everybody's sight.
  std::optional<Instant> deleted_at{};
  /// When it goes for good, with everything that belongs to it.
  std::optional<Instant> erase_at{};
};
BOOST_DESCRIBE_STRUCT(Calendar, (),
                      (id, org, name, color, description, is_default, default_of, source,
                       created_at, updated_at, deleted_at, erase_at))

/// From the least to the most that a member may do.
enum class MemberRole : std::uint8_t { kReader, kWriter, kOwner };
BOOST_DESCRIBE_ENUM(MemberRole, kReader, kWriter, kOwner)

enum class MemberStatus : std::uint8_t { kInvited, kActive, kRemoved };
BOOST_DESCRIBE_ENUM(MemberStatus, kInvited, kActive, kRemoved)

/// Somebody's part in a calendar.
struct Membership {
  CalendarId calendar_id{};
  /// nullopt: invited by an address that nobody here has yet.
  std::optional<UserId> user_id{};
  /// As identity spells addresses; where the invitation went. Empty: to whoever has its link.
  std::string email{};
  MemberRole role = MemberRole::kReader;
  MemberStatus status = MemberStatus::kInvited;
  std::optional<UserId> invited_by{};
  Instant created_at{};
  Instant updated_at{};
  /// The invitation by which they come in; nullopt of those who were invited before there were any.
  std::optional<std::string> invitation_id{};
};
BOOST_DESCRIBE_STRUCT(Membership, (),
                      (calendar_id, user_id, email, role, status, invited_by, created_at,
                       updated_at, invitation_id))

enum class ViewMode : std::uint8_t { kCompact, kSchedule };
BOOST_DESCRIBE_ENUM(ViewMode, kCompact, kSchedule)
enum class EntryStyle : std::uint8_t { kCompact, kFilled };
BOOST_DESCRIBE_ENUM(EntryStyle, kCompact, kFilled)

/// How one member likes to see a calendar.
struct ViewSettings {
  CalendarId calendar_id{};
  UserId user_id{};
  ViewMode view_mode = ViewMode::kCompact;
  bool show_tasks = true;
  EntryStyle entry_style = EntryStyle::kCompact;
  Instant created_at{};
  Instant updated_at{};
};
BOOST_DESCRIBE_STRUCT(ViewSettings, (),
                      (calendar_id, user_id, view_mode, show_tasks, entry_style, created_at,
                       updated_at))

enum class EntryKind : std::uint8_t {
  kAllDay,    ///< One day, without a zone.
  kTimed,     ///< From a time to a time, in a zone; may end on a later day.
  kMultiDay,  ///< Whole days, without a zone.
  kTask,      ///< Something to be done by a day, perhaps by a time.
};
BOOST_DESCRIBE_ENUM(EntryKind, kAllDay, kTimed, kMultiDay, kTask)

/// What one occurrence of a series has instead of what the series says. What is not here is as in
/// the series; an empty text clears it.
struct Override {
  /// When it would have started.
  LocalTime occurrence{};
  std::optional<std::string> title{};
  std::optional<std::string> description{};
  std::optional<std::string> location{};
  std::optional<std::string> url{};
  std::optional<std::string> color{};
  std::optional<Date> start_date{};
  std::optional<Date> end_date{};
  std::optional<TimeOfDay> start_time{};
  std::optional<TimeOfDay> end_time{};
  std::optional<bool> completed{};
  /// One without an address: there is none.
  std::optional<Organizer> organizer{};
  std::optional<std::vector<Attendee>> attendees{};

  friend bool operator==(const Override&, const Override&) = default;
};
BOOST_DESCRIBE_STRUCT(Override, (),
                      (occurrence, title, description, location, url, color, start_date, end_date,
                       start_time, end_time, completed, organizer, attendees))

/// How an entry comes again.
struct Recurrence {
  /// "FREQ=WEEKLY;BYDAY=MO", as almanac::CanonicalRule spells it; may be empty when there are
  /// additions.
  std::string rule{};
  /// Starts besides those of the rule.
  std::vector<LocalTime> additions{};
  /// Starts that do not take place.
  std::vector<LocalTime> exceptions{};
  /// Sorted by occurrence.
  std::vector<Override> overrides{};
  // Found when the entry was written, so that reading costs the same however long ago it began.
  /// The last start; nullopt: it never ends.
  std::optional<LocalTime> last{};
  /// Of a rule with COUNT: almanac::CountedUntil().
  std::optional<LocalTime> counted_until{};

  friend bool operator==(const Recurrence&, const Recurrence&) = default;
};
BOOST_DESCRIBE_STRUCT(Recurrence, (), (rule, additions, exceptions, overrides, last, counted_until))

struct Reminder {
  std::int32_t minutes_before = 0;

  friend bool operator==(const Reminder&, const Reminder&) = default;
};
BOOST_DESCRIBE_STRUCT(Reminder, (), (minutes_before))

/// The document is what the API answers, as clients of calendsync know it.
struct Entry {
  EntryId id{};
  CalendarId calendar_id{};
  EntryKind kind = EntryKind::kAllDay;
  bool completed = false;
  // What `kind` says, spelled out for clients.
  bool is_multi_day = false;
  bool is_all_day = false;
  bool is_timed = false;
  bool is_task = false;
  std::string title{};
  std::optional<std::string> description{};
  std::optional<std::string> location{};
  /// Where to read more of it: http or https.
  std::optional<std::string> url{};
  /// nullopt: that of the calendar.
  std::optional<std::string> color{};
  Date start_date{};
  /// The last day, not the one behind it.
  Date end_date{};
  std::optional<TimeOfDay> start_time{};
  std::optional<TimeOfDay> end_time{};
  /// nullopt when there are no times: a day is a day everywhere.
  std::optional<std::string> time_zone{};
  std::optional<Recurrence> recurrence{};
  std::vector<Reminder> reminders{};
  /// Does not make its people busy.
  bool transparent = false;
  // Who invited whom, as the file or the feed had it that the entry came from. Nobody here is told
  // of it, and no letter is sent.
  std::optional<Organizer> organizer{};
  /// Never empty.
  std::optional<std::vector<Attendee>> attendees{};
  /// By which other calendars know it; no two entries of a calendar share one.
  std::string uid{};
  /// Counts its changes: the number of the line of its history (and RFC 5545, SEQUENCE).
  std::uint32_t sequence = 0;
  Instant created_at{};
  Instant updated_at{};
  std::optional<UserId> created_by{};
  std::optional<UserId> updated_by{};
  /// In the trash since then.
  std::optional<Instant> deleted_at{};
};
BOOST_DESCRIBE_STRUCT(Entry, (),
                      (id, calendar_id, kind, completed, is_multi_day, is_all_day, is_timed,
                       is_task, title, description, location, url, color, start_date, end_date,
                       start_time, end_time, time_zone, recurrence, reminders, transparent,
                       organizer, attendees, uid, sequence, created_at, updated_at, created_by,
                       updated_by, deleted_at))

enum class EntryDeed : std::uint8_t {
  kCreated,
  kUpdated,
  kMoved,
  kDeleted,
  kRestored,
  kReverted,
};
BOOST_DESCRIBE_ENUM(EntryDeed, kCreated, kUpdated, kMoved, kDeleted, kRestored, kReverted)

/// Who did what to an entry.
struct EntryAct {
  /// The sequence of the entry afterwards.
  std::uint32_t number = 0;
  Instant at{};
  std::optional<UserId> by{};
  /// The address of who did it, or what did: "import", "feed".
  std::string label{};
  EntryDeed deed = EntryDeed::kCreated;
};
BOOST_DESCRIBE_STRUCT(EntryAct, (), (number, at, by, label, deed))

/// A line of the history of an entry as it is stored. What the entry was afterwards stands in the
/// next line, or is the entry itself: a state is kept once.
struct EntryTrace : EntryAct {
  /// A new entry was not there before.
  std::optional<Entry> before{};
};
BOOST_DESCRIBE_STRUCT(EntryTrace, (EntryAct), (before))

/// The same as people see it.
struct EntryChange : EntryAct {
  /// As it was afterwards.
  Entry entry{};
};
BOOST_DESCRIBE_STRUCT(EntryChange, (EntryAct), (entry))

enum class FeedDetail : std::uint8_t {
  kFull,
  kBusy,  ///< Only when, not what.
};
BOOST_DESCRIBE_ENUM(FeedDetail, kFull, kBusy)

/// A secret address under which a calendar can be read.
struct Feed {
  /// Of the secret.
  std::string hash{};
  std::string id{};
  CalendarId calendar_id{};
  std::string name{};
  FeedDetail detail = FeedDetail::kFull;
  UserId created_by{};
  Instant created_at{};
};
BOOST_DESCRIBE_STRUCT(Feed, (), (hash, id, calendar_id, name, detail, created_by, created_at))

/// The remote feed that a calendar follows.
struct Subscription {
  CalendarId calendar_id{};
  std::string url{};
  /// Minutes between two looks.
  std::int32_t every_minutes = 60;
  Instant next_at{};
  /// What the other server said of what it sent last.
  std::string etag{};
  std::string last_modified{};
  std::optional<Instant> refreshed_at{};
  /// Why the last look failed; empty when it did not.
  std::string last_error{};
  std::uint32_t failures = 0;
  Instant created_at{};
  Instant updated_at{};
};
BOOST_DESCRIBE_STRUCT(Subscription, (),
                      (calendar_id, url, every_minutes, next_at, etag, last_modified, refreshed_at,
                       last_error, failures, created_at, updated_at))

}  // namespace atrium::calendar

namespace atrium {

// As clients of calendsync spell them.
template <>
inline constexpr JsonNames kJsonNames<calendar::ViewSettings> = JsonNames::kCamel;
template <>
inline constexpr JsonNames kJsonNames<calendar::Override> = JsonNames::kCamel;
template <>
inline constexpr JsonNames kJsonNames<calendar::Recurrence> = JsonNames::kCamel;
template <>
inline constexpr JsonNames kJsonNames<calendar::Reminder> = JsonNames::kCamel;
template <>
inline constexpr JsonNames kJsonNames<calendar::Entry> = JsonNames::kCamel;
template <>
inline constexpr JsonNames kJsonNames<calendar::EntryKind> = JsonNames::kKebab;

}  // namespace atrium
