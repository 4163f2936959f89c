// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/describe/class.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/json_shape.h"

namespace atrium::app {

// What `atrium calendar`, `entry` and `events` can be told. What ends in Body is the body of a
// request of docs/api/calendar.md; what was not given is left out of it.

struct CalendarBody {
  std::string name{};
  std::string color = "#3B82F6";
  std::optional<std::string> description{};
};
BOOST_DESCRIBE_STRUCT(CalendarBody, (), (name, color, description))

struct InvitationBody {
  std::string email{};
  std::string role = "reader";
};
BOOST_DESCRIBE_STRUCT(InvitationBody, (), (email, role))

struct RecurrenceBody {
  std::string rule{};
  std::vector<std::string> additions{};
};
BOOST_DESCRIBE_STRUCT(RecurrenceBody, (), (rule, additions))

struct EntryBody {
  std::optional<std::string> calendar_id{};
  std::optional<std::string> kind{};
  std::optional<std::string> title{};
  std::optional<std::string> description{};
  std::optional<std::string> location{};
  std::optional<std::string> color{};
  std::optional<std::string> start_date{};
  std::optional<std::string> end_date{};
  std::optional<std::string> start_time{};
  std::optional<std::string> end_time{};
  std::optional<std::string> time_zone{};
  std::optional<RecurrenceBody> recurrence{};
  std::optional<bool> completed{};
};
BOOST_DESCRIBE_STRUCT(EntryBody, (),
                      (calendar_id, kind, title, description, location, color, start_date, end_date,
                       start_time, end_time, time_zone, recurrence, completed))

struct CalendarList {};

struct CalendarCreate {
  CalendarBody body{};
};

struct CalendarInvite {
  std::string calendar{};
  InvitationBody body{};
};

struct CalendarAccept {
  std::string calendar{};
};

struct CalendarSeed {
  std::string calendar{};
  /// Empty: today.
  std::string highlighted_day{};
  std::size_t count = 15;
};

struct CalendarImport {
  std::string calendar{};
  /// "-" is standard input.
  std::string file{};
};

struct CalendarExport {
  std::string calendar{};
  /// "-" is standard output.
  std::string file = "-";
};

struct EntryList {
  /// Several with commas between; empty: all.
  std::string calendar{};
  /// Empty: today.
  std::string from{};
  /// Empty: 30 days after that.
  std::string to{};
  std::string time_zone{};
};

struct EntryAdd {
  EntryBody body{};
};

/// One entry, or one occurrence of a series.
struct EntryPlace {
  std::string id{};
  std::string occurrence{};
};

struct EntryDone {
  EntryPlace place{};
};

struct EntryRemove {
  EntryPlace place{};
  /// "this", "following" or "all"; empty: as the server has it.
  std::string scope{};
};

struct EventsWatch {
  /// Empty: all.
  std::string calendar{};
  std::string last_event_id{};
};

using CalendarAction = std::variant<CalendarList, CalendarCreate, CalendarInvite, CalendarAccept,
                                    CalendarSeed, CalendarImport, CalendarExport, EntryList,
                                    EntryAdd, EntryDone, EntryRemove, EventsWatch>;

}  // namespace atrium::app

namespace atrium {

template <>
inline constexpr JsonNames kJsonNames<app::EntryBody> = JsonNames::kCamel;

}  // namespace atrium
