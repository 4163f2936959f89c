// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/calendar_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/describe/class.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "almanac/date.h"
#include "app/api_answers.h"
#include "app/api_door.h"
#include "app/calendar_actions.h"
#include "app/calendar_seed.h"
#include "app/document_text.h"
#include "app/event_watch.h"
#include "app/input_file.h"
#include "app/output_file.h"
#include "base/clock.h"
#include "base/instant.h"
#include "base/json_write.h"
#include "http/method.h"

namespace atrium::app {
namespace {

namespace json = boost::json;
using almanac::Date;
using http::Method;

constexpr std::size_t kBatch = 10;
constexpr int kDaysListed = 30;
constexpr std::size_t kCalendarsAtOnce = 20;
constexpr std::size_t kImportBytesMax = std::size_t{64} << 20U;
/// A large calendar comes or goes in minutes, over a slow line.
constexpr std::chrono::minutes kTransferTime{30};

constexpr std::array kCalendarColumns{
    Column{.title = "NAME", .member = "name"},          Column{.title = "ROLE", .member = "role"},
    Column{.title = "STATUS", .member = "status"},      Column{.title = "COLOR", .member = "color"},
    Column{.title = "DEFAULT", .member = "is_default"}, Column{.title = "ID", .member = "id"}};
constexpr std::array kEntryColumns{Column{.title = "DATE", .member = "startDate"},
                                   Column{.title = "FROM", .member = "startTime"},
                                   Column{.title = "TO", .member = "endTime"},
                                   Column{.title = "KIND", .member = "kind"},
                                   Column{.title = "DONE", .member = "completed"},
                                   Column{.title = "TITLE", .member = "title"},
                                   Column{.title = "WHERE", .member = "location"},
                                   Column{.title = "ID", .member = "id"},
                                   Column{.title = "OCCURRENCE", .member = "occurrence"}};

struct BatchChange {
  std::string deed = "create";
  EntryBody entry{};
};
BOOST_DESCRIBE_STRUCT(BatchChange, (), (deed, entry))

struct BatchBody {
  std::vector<BatchChange> changes{};
};
BOOST_DESCRIBE_STRUCT(BatchBody, (), (changes))

struct SeedReport {
  std::size_t created = 0;
};
BOOST_DESCRIBE_STRUCT(SeedReport, (), (created))

/// Here and now, where nothing else was said: in UTC.
Date Today() {
  return Date::Parse(RenderInstant(SystemClock().Now()).substr(0, 10)).value_or(Date());
}

Result<Date> ReadDay(const std::string& flag, const std::string& text) {
  const Result<Date> day = Date::Parse(text);
  if (!day) {
    return Fail(ErrorCode::kInvalidArgument, flag + ": " + day.error().client_message);
  }
  return *day;
}

std::string KindOf(const EntryBody& body) {
  if (body.start_time) {
    return "timed";
  }
  return body.end_date && body.end_date != body.start_date ? "multi-day" : "all-day";
}

std::size_t CountOf(const json::object& report, std::string_view name) {
  const json::value* count = report.if_contains(name);
  return count != nullptr && count->is_int64() ? static_cast<std::size_t>(count->get_int64()) : 0;
}

constexpr std::array kRefusedColumns{Column{.title = "LINE", .member = "line"},
                                     Column{.title = "UID", .member = "uid"},
                                     Column{.title = "REASON", .member = "reason"}};

constexpr std::array kZoneColumns{Column{.title = "TZID", .member = "tzid"},
                                  Column{.title = "TAKEN AS", .member = "zone"},
                                  Column{.title = "NOTE", .member = "note"}};

/// What became of a file, of what in it was refused, and of what was taken otherwise than it says.
std::string DescribeImport(const json::object& report) {
  std::string text = fmt::format("added {}, updated {}, unchanged {}\n", CountOf(report, "added"),
                                 CountOf(report, "updated"), CountOf(report, "unchanged"));
  const auto refused = ReadList(report, "refused");
  if (refused && !refused->empty()) {
    text += fmt::format("refused {}:\n", refused->size()) + RenderTable(kRefusedColumns, *refused);
  }
  const auto zones = ReadList(report, "zones");
  if (zones && !zones->empty()) {
    text += fmt::format("time zones {}:\n", zones->size()) + RenderTable(kZoneColumns, *zones);
  }
  const auto notes = ReadList(report, "notes");
  if (notes && !notes->empty()) {
    text += fmt::format("notes {}:\n", notes->size());
    for (const json::value& note : *notes) {
      text += note.is_string() ? std::string(note.get_string()) + "\n" : "";
    }
  }
  return text;
}

/// One command, by the kind of its action.
class Performer {
 public:
  Performer(ApiDoor& door, const CalendarCommand& command)
      : door_(door), format_(command.format), user_(command.user) {}

  Result<CommandOutput> operator()(const CalendarList& /*action*/) const {
    ASSIGN_OR_RETURN(const json::array calendars, ListCalendars());
    return PrintAll(calendars, kCalendarColumns, format_);
  }

  Result<CommandOutput> operator()(const CalendarCreate& action) const {
    return Send(Method::kPost, "/api/calendars", ToJson(action.body));
  }

  Result<CommandOutput> operator()(const CalendarInvite& action) const {
    return Send(Method::kPost, Under("/api/calendars", action.calendar) + "/members",
                ToJson(action.body));
  }

  Result<CommandOutput> operator()(const CalendarAccept& action) const {
    return Send(Method::kPost, Under("/api/calendars", action.calendar) + "/accept");
  }

  Result<CommandOutput> operator()(const CalendarSeed& action) const {
    SeedPlan plan{.calendar = action.calendar, .highlighted_day = Today(), .count = action.count};
    if (!action.highlighted_day.empty()) {
      ASSIGN_OR_RETURN(plan.highlighted_day, ReadDay("--highlighted-day", action.highlighted_day));
    }
    const std::vector<EntryBody> entries = MakeSeed(plan);
    for (std::size_t first = 0; first < entries.size(); first += kBatch) {
      BatchBody batch;
      for (std::size_t i = first; i < std::min(first + kBatch, entries.size()); ++i) {
        batch.changes.push_back({.entry = entries[i]});
      }
      RETURN_IF_ERROR(door_.Ask(
          {.method = Method::kPost, .target = Of("/api/entries/batch"), .body = ToJson(batch)}));
    }
    const SeedReport report{.created = entries.size()};
    return CommandOutput{.text = format_ == OutputFormat::kJson
                                     ? ToJson(report) + "\n"
                                     : fmt::format("{} entries\n", report.created)};
  }

  Result<CommandOutput> operator()(const CalendarImport& action) const {
    ASSIGN_OR_RETURN(std::string text, ReadInputFile(action.file, kImportBytesMax));
    ASSIGN_OR_RETURN(const ApiReply reply,
                     door_.Ask({.method = Method::kPost,
                                .target = Of(Under("/api/calendars", action.calendar) + "/import"),
                                .body = std::move(text),
                                .content_type = "text/calendar",
                                .timeout = kTransferTime}));
    if (format_ == OutputFormat::kJson) {
      return CommandOutput{.text = reply.body + "\n"};
    }
    ASSIGN_OR_RETURN(const json::object report, ReadObject(reply.body));
    return CommandOutput{.text = DescribeImport(report)};
  }

  Result<CommandOutput> operator()(const CalendarExport& action) const {
    // The file is made once the server has something to put into it.
    std::optional<Result<OutputFile>> file;
    Result<void> written;
    const auto receive = [&](std::string_view piece) {
      if (!file) {
        file = OutputFile::Open(action.file);
        written = *file ? written : std::unexpected(file->error());
      }
      written = written ? (*file)->Write(piece) : written;
    };
    RETURN_IF_ERROR(
        door_.Stream({.target = Of(Under("/api/calendars", action.calendar) + "/export"),
                      .timeout = kTransferTime},
                     receive));
    RETURN_IF_ERROR(written);
    return CommandOutput{};
  }

  Result<CommandOutput> operator()(const EntryList& action) const {
    Date from = Today();
    if (!action.from.empty()) {
      ASSIGN_OR_RETURN(from, ReadDay("--from", action.from));
    }
    const std::string to = action.to.empty() ? (from + kDaysListed).Render() : action.to;
    ASSIGN_OR_RETURN(const std::vector<std::string> calendars, CalendarsFor(action.calendar));
    json::array all;
    for (const std::string& some : calendars) {
      ASSIGN_OR_RETURN(const json::array entries,
                       AskForAll(door_, "/api/entries", "entries",
                                 {.fields = {{.name = "calendar_id", .value = some},
                                             {.name = "from", .value = from.Render()},
                                             {.name = "to", .value = to},
                                             {.name = "time_zone", .value = action.time_zone},
                                             {.name = "user", .value = user_}}}));
      all.insert(all.end(), entries.begin(), entries.end());
    }
    return PrintAll(all, kEntryColumns, format_);
  }

  Result<CommandOutput> operator()(const EntryAdd& action) const {
    EntryBody body = action.body;
    if (!body.kind) {
      body.kind = KindOf(body);
    }
    return Send(Method::kPost, "/api/entries", ToJson(body));
  }

  /// Not the toggle of the API: who says it twice means it twice.
  Result<CommandOutput> operator()(const EntryDone& action) const {
    const std::string target = PathOf(action.place, "this");
    ASSIGN_OR_RETURN(const ApiReply reply, door_.Ask({.target = PathOf(action.place, "")}));
    ASSIGN_OR_RETURN(const json::object entry, ReadObject(reply.body));
    const json::value* is_task = entry.if_contains("isTask");
    if (is_task == nullptr || !is_task->is_bool() || !is_task->get_bool()) {
      return Fail(ErrorCode::kInvalidArgument, "this entry is not a task");
    }
    ASSIGN_OR_RETURN(const ApiReply changed,
                     door_.Ask({.method = Method::kPut,
                                .target = target,
                                .body = ToJson(EntryBody{.completed = true})}));
    return PrintDocument(changed, format_);
  }

  Result<CommandOutput> operator()(const EntryRemove& action) const {
    ASSIGN_OR_RETURN(
        const ApiReply reply,
        door_.Ask({.method = Method::kDelete, .target = PathOf(action.place, action.scope)}));
    return PrintDocument(reply, format_);
  }

  Result<CommandOutput> operator()(const EventsWatch& action) const {
    RETURN_IF_ERROR(WatchEvents(
        door_, {.target = Of("/api/events", {{.name = "calendar_id", .value = action.calendar}}),
                .last_event_id = action.last_event_id,
                .format = format_}));
    return CommandOutput{};
  }

 private:
  /// On behalf of whom the operator asks, everywhere.
  std::string Of(std::string path, std::vector<http::FormField> fields = {}) const {
    fields.push_back({.name = "user", .value = user_});
    return Target(std::move(path), {.fields = std::move(fields)});
  }

  std::string PathOf(const EntryPlace& place, const std::string& scope) const {
    return Of(Under("/api/entries", place.id),
              {{.name = "occurrence", .value = place.occurrence},
               {.name = "scope", .value = place.occurrence.empty() ? "" : scope}});
  }

  Result<CommandOutput> Send(Method method, std::string path, std::string body = {}) const {
    ASSIGN_OR_RETURN(
        const ApiReply reply,
        door_.Ask({.method = method, .target = Of(std::move(path)), .body = std::move(body)}));
    return PrintDocument(reply, format_);
  }

  Result<json::array> ListCalendars() const {
    return AskForAll(door_, "/api/calendars", "calendars",
                     {.fields = {{.name = "user", .value = user_}}});
  }

  /// Those that were named, or all, as many together as the API takes.
  Result<std::vector<std::string>> CalendarsFor(const std::string& named) const {
    if (!named.empty()) {
      return std::vector{named};
    }
    ASSIGN_OR_RETURN(const json::array calendars, ListCalendars());
    std::vector<std::string> together;
    std::size_t count = 0;
    for (const json::value& calendar : calendars) {
      if (!calendar.is_object() || FindText(calendar.get_object(), "status") != "active") {
        continue;
      }
      if (count++ % kCalendarsAtOnce == 0) {
        together.emplace_back();
      }
      together.back() +=
          (together.back().empty() ? "" : ",") + FindText(calendar.get_object(), "id").value_or("");
    }
    return together;
  }

  ApiDoor& door_;
  const OutputFormat format_;
  const std::string user_;
};

}  // namespace

Result<CommandOutput> PerformCalendarCommand(const Config& config, const Catalog& /*catalog*/,
                                             const CalendarCommand& command) {
  ASSIGN_OR_RETURN(const std::unique_ptr<ApiDoor> door,
                   OpenApiDoor(config, command.access, NoStore::kRefuse));
  return std::visit(Performer(*door, command), command.action);
}

}  // namespace atrium::app
