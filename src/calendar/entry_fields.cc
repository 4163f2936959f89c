// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/entry_fields.h"

#include <array>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <span>
#include <string_view>
#include <utility>

#include "base/json_read.h"
#include "http/content_type.h"

namespace atrium::calendar {
namespace {

/// What the server alone says of an entry.
constexpr auto kServersOwn = std::to_array<std::string_view>(
    {"id", "isMultiDay", "isAllDay", "isTimed", "isTask", "uid", "sequence", "createdAt",
     "createdBy", "updatedBy", "deletedAt", "version", "occurrence", "organizer", "attendees"});
constexpr auto kServersOwnOfSeries =
    std::to_array<std::string_view>({"overrides", "last", "countedUntil"});

std::unexpected<Error> Wrong(std::string_view field, const Error& error) {
  return Fail(ErrorCode::kInvalidArgument, std::string(field) + ": " + error.client_message);
}

/// The field as a value with a text form; absent when it is empty.
template <typename T>
Result<void> ReadParsed(const http::Form& form, std::string_view name, std::optional<T>& out) {
  const auto text = form.Find(name);
  if (!text || text->empty()) {
    return {};
  }
  Result<T> value = T::Parse(*text);
  if (!value) {
    return Wrong(name, value.error());
  }
  out = *std::move(value);
  return {};
}

void ReadText(const http::Form& form, std::string_view name, std::optional<std::string>& out) {
  if (const auto text = form.Find(name)) {
    out = std::string(*text);
  }
}

Result<void> ReadKind(const http::Form& form, std::optional<EntryKind>& out) {
  constexpr std::string_view kName = "entry_type";
  const auto text = form.Find(kName);
  if (!text || text->empty()) {
    return {};
  }
  constexpr auto kKinds =
      std::to_array<std::pair<std::string_view, EntryKind>>({{"all_day", EntryKind::kAllDay},
                                                             {"timed", EntryKind::kTimed},
                                                             {"task", EntryKind::kTask},
                                                             {"multi_day", EntryKind::kMultiDay}});
  for (const auto& [name, kind] : kKinds) {
    if (name == *text) {
      out = kind;
      return {};
    }
  }
  return Fail(ErrorCode::kInvalidArgument,
              "entry_type: expected one of: all_day, timed, task, multi_day");
}

Result<void> ReadCompleted(const http::Form& form, std::optional<bool>& out) {
  const auto text = form.Find("completed");
  if (!text || text->empty()) {
    return {};
  }
  if (*text != "true" && *text != "false") {
    return Fail(ErrorCode::kInvalidArgument, "completed: expected true or false");
  }
  out = *text == "true";
  return {};
}

Result<void> ReadStamp(const http::Form& form, std::optional<Instant>& out) {
  const auto text = form.Find("updated_at");
  if (!text || text->empty()) {
    return {};
  }
  Result<Instant> stamp = ParseInstant(*text);
  if (!stamp) {
    return Wrong("updated_at", stamp.error());
  }
  out = *stamp;
  return {};
}

void ReadRule(const http::Form& form, EntryFields& fields) {
  const auto rule = form.Find("rule");
  if (!rule) {
    return;
  }
  fields.recurrence.emplace();
  if (!rule->empty()) {
    *fields.recurrence = RecurrenceFields{.rule = std::string(*rule)};
  }
}

Result<EntryFields> ReadEntryJson(const http::Request& request) {
  ASSIGN_OR_RETURN(boost::json::value json, ParseJson(request.body));
  DropServersOwn(json);
  return FromJsonValue<EntryFields>(json, {.missing = OnMissing::kKeepDefault});
}

/// No entry is without a title, so an empty one says nothing.
void ReadTitle(const http::Form& form, std::optional<std::string>& out) {
  if (const auto text = form.Find("title"); text && !text->empty()) {
    out = std::string(*text);
  }
}

void Drop(boost::json::object& object, std::span<const std::string_view> names) {
  for (const std::string_view name : names) {
    object.erase(boost::json::string_view(name.data(), name.size()));
  }
}

}  // namespace

void DropServersOwn(boost::json::value& entry) {
  boost::json::object* object = entry.if_object();
  if (object == nullptr) {
    return;
  }
  Drop(*object, kServersOwn);
  boost::json::value* series = object->if_contains("recurrence");
  if (series != nullptr && series->is_object()) {
    Drop(series->as_object(), kServersOwnOfSeries);
  }
}

Result<EntryFields> ReadEntryForm(const http::Form& form) {
  EntryFields fields;
  RETURN_IF_ERROR(ReadParsed(form, "calendar_id", fields.calendar_id));
  RETURN_IF_ERROR(ReadKind(form, fields.kind));
  RETURN_IF_ERROR(ReadCompleted(form, fields.completed));
  ReadTitle(form, fields.title);
  ReadText(form, "description", fields.description);
  ReadText(form, "location", fields.location);
  ReadText(form, "url", fields.url);
  ReadText(form, "color", fields.color);
  RETURN_IF_ERROR(ReadParsed(form, "start_date", fields.start_date));
  RETURN_IF_ERROR(ReadParsed(form, "end_date", fields.end_date));
  std::optional<TimeOfDay> start_time;
  RETURN_IF_ERROR(ReadParsed(form, "start_time", start_time));
  if (start_time) {
    fields.start_time = start_time;
  }
  RETURN_IF_ERROR(ReadParsed(form, "end_time", fields.end_time));
  if (const auto zone = form.Find("time_zone"); zone && !zone->empty()) {
    fields.time_zone = std::string(*zone);
  }
  RETURN_IF_ERROR(ReadStamp(form, fields.updated_at));
  ReadRule(form, fields);
  return fields;
}

Result<EntryFields> ReadEntryFields(const http::Request& request) {
  const Result<http::ContentType> type =
      http::ParseContentType(request.headers.Get("Content-Type"));
  if (type && type->Is("application/json")) {
    return ReadEntryJson(request);
  }
  ASSIGN_OR_RETURN(const http::Form form, request.FormBody());
  return ReadEntryForm(form);
}

}  // namespace atrium::calendar
