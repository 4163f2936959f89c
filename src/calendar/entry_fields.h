// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/describe/class.hpp>
#include <boost/json/value.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/json_shape.h"
#include "base/result.h"
#include "calendar/records.h"
#include "http/request.h"

namespace atrium::calendar {

/// What a client says of how an entry comes again.
struct RecurrenceFields {
  std::string rule{};
  std::vector<LocalTime> additions{};
  /// nullopt: those that are there stay.
  std::optional<std::vector<LocalTime>> exceptions{};
};
BOOST_DESCRIBE_STRUCT(RecurrenceFields, (), (rule, additions, exceptions))

/// What a client says of an entry. What is absent stays as it is, or is as usual; an empty text
/// clears description, location, address and colour.
struct EntryFields {
  std::optional<CalendarId> calendar_id{};
  std::optional<EntryKind> kind{};
  std::optional<bool> completed{};
  std::optional<std::string> title{};
  std::optional<std::string> description{};
  std::optional<std::string> location{};
  std::optional<std::string> url{};
  std::optional<std::string> color{};
  std::optional<Date> start_date{};
  std::optional<Date> end_date{};
  /// null: a task without a time.
  std::optional<std::optional<TimeOfDay>> start_time{};
  std::optional<TimeOfDay> end_time{};
  std::optional<std::string> time_zone{};
  /// null: it comes once.
  std::optional<std::optional<RecurrenceFields>> recurrence{};
  std::optional<std::vector<Reminder>> reminders{};
  std::optional<bool> transparent{};
  /// By whom the later writer is found; not stored as it comes.
  std::optional<Instant> updated_at{};
};
BOOST_DESCRIBE_STRUCT(EntryFields, (),
                      (calendar_id, kind, completed, title, description, location, url, color,
                       start_date, end_date, start_time, end_time, time_zone, recurrence, reminders,
                       transparent, updated_at))

/// The body of a request, as JSON or as the form that clients of calendsync send. kInvalidArgument
/// names the field.
Result<EntryFields> ReadEntryFields(const http::Request& request);
/// The form alone.
Result<EntryFields> ReadEntryForm(const http::Form& form);

/// Takes out of the JSON of an entry what the server alone says: a client may send back what it was
/// given.
void DropServersOwn(boost::json::value& entry);

}  // namespace atrium::calendar

namespace atrium {

template <>
inline constexpr JsonNames kJsonNames<calendar::EntryFields> = JsonNames::kCamel;

}  // namespace atrium
