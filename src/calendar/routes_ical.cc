// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json_write.h"
#include "base/memory_budget.h"
#include "calendar/export.h"
#include "calendar/free_busy.h"
#include "calendar/import.h"
#include "calendar/route_parts.h"
#include "calendar/routes.h"
#include "http/body.h"
#include "http/body_memory.h"
#include "http/content_type.h"

namespace atrium::calendar {
namespace {

using api::Call;
using api::RouteOf;
using http::Method;
using http::Reply;

constexpr std::size_t kFileBytesMax = std::size_t{64} << 20;
constexpr std::size_t kItemsPerLine = 250;

struct ProgressLine {
  std::size_t done = 0;
  std::size_t of = 0;
};
BOOST_DESCRIBE_STRUCT(ProgressLine, (), (done, of))

/// Does an import while its progress is sent: a line for some entries each, the report last. Who
/// stops listening ends it.
class ImportProgress final : public http::BodySource {
 public:
  ImportProgress(std::unique_ptr<EntryImport> import, MemoryLease memory)
      : memory_(std::move(memory)), import_(std::move(import)) {}

  Result<std::optional<std::string>> Next() override {
    if (stage_ == Stage::kOver) {
      return std::nullopt;
    }
    if (stage_ == Stage::kReport) {
      stage_ = Stage::kOver;
      return ToJson(import_->Report()) + "\n";
    }
    const std::size_t before = import_->Done();
    bool goes_on = true;
    while (goes_on && import_->Done() < before + kItemsPerLine) {
      goes_on = import_->Step();
    }
    stage_ = goes_on ? Stage::kWork : Stage::kReport;
    return ToJson(ProgressLine{.done = import_->Done(), .of = import_->Of()}) + "\n";
  }

 private:
  enum class Stage : std::uint8_t { kWork, kReport, kOver };

  MemoryLease memory_;
  std::unique_ptr<EntryImport> import_;
  Stage stage_ = Stage::kWork;
};

Result<void> ExpectCalendar(const http::Request& request) {
  const Result<http::ContentType> type =
      http::ParseContentType(request.headers.Get("Content-Type"));
  if (!type || !type->Is("text/calendar")) {
    return Fail(ErrorCode::kInvalidArgument, "expected a body of type text/calendar");
  }
  return {};
}

bool WantsProgress(const http::Request& request) {
  return request.headers.Join("Accept").find("application/x-ndjson") != std::string::npos;
}

Result<Reply> Import(Room& room, const Call& call, const CalendarId& id) {
  RETURN_IF_ERROR(ExpectCalendar(call.request));
  ASSIGN_OR_RETURN(const Visitor visitor, WriterOf(room, call));
  // Asked again long after the request has used up its own time.
  const auto enter = [&ground = room.ground, visitor, id,
                      trace = std::string(call.request.id)]() -> Result<store::Stored<Calendar>> {
    const store::OpContext op{.deadline = ground.clock.Steady() + api::kTimeForStore,
                              .trace = trace};
    ASSIGN_OR_RETURN(Seat seat, Enter(ground.store, op, visitor, id, Need::kWriteEntries));
    return std::move(seat.calendar);
  };
  RETURN_IF_ERROR(enter());
  RETURN_IF_ERROR(call.op.warrant->StillHolds(call.op));
  // A copy of the file, and what must be known of the whole.
  const std::size_t bytes = call.request.body.size();
  ASSIGN_OR_RETURN(MemoryLease memory,
                   http::TakeMemory(call.request.memory, bytes + OutlineBytesMax(bytes)));
  ASSIGN_OR_RETURN(auto import,
                   EntryImport::Open(room.ground,
                                     {.calendar = id,
                                      .author = {.user = visitor.user, .label = "import"},
                                      .home_zone = visitor.time_zone,
                                      .trace = std::string(call.request.id),
                                      .warrant = call.op.warrant->Keep(),
                                      .enter = enter},
                                     std::string(call.request.body)));
  if (WantsProgress(call.request)) {
    return Reply{.content_type = "application/x-ndjson",
                 .body = std::make_unique<ImportProgress>(std::move(import), std::move(memory))};
  }
  while (import->Step()) {
  }
  return http::JsonReply(ToJson(import->Report()));
}

Result<Reply> Export(Room& room, const Call& call, const CalendarId& id) {
  ASSIGN_OR_RETURN(const Visitor visitor, VisitorOf(room, call));
  ASSIGN_OR_RETURN(const Seat seat, Enter(room.ground.store, call.op, visitor, id, Need::kRead));
  const Calendar& calendar = seat.calendar.record;
  return Reply{.content_type = "text/calendar; charset=utf-8",
               .body = StreamCalendar(room.ground, {.calendar = id, .head = HeadOf(calendar)}),
               .headers = {{"Content-Disposition", DispositionFor(calendar.name)}}};
}

Result<Instant> ReadInstant(const http::Form& query, std::string_view name) {
  const Result<Instant> instant = ParseInstant(query.Find(name).value_or(""));
  if (!instant) {
    return Fail(ErrorCode::kInvalidArgument,
                std::string(name) + ": expected an instant as 2026-03-01T09:00:00Z");
  }
  return *instant;
}

std::vector<std::string> SplitNames(std::string_view text) {
  std::vector<std::string> names;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    if (comma > 0) {
      names.emplace_back(text.substr(0, comma));
    }
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return names;
}

Result<Reply> ShowFreeBusy(Room& room, const Call& call) {
  ASSIGN_OR_RETURN(const http::Form query, call.request.Query());
  FreeBusyQuery wanted{.users = SplitNames(query.Find("users").value_or(""))};
  ASSIGN_OR_RETURN(wanted.from, ReadInstant(query, "from"));
  ASSIGN_OR_RETURN(wanted.to, ReadInstant(query, "to"));
  ASSIGN_OR_RETURN(const Visitor visitor, VisitorOf(room, call));
  ASSIGN_OR_RETURN(const FreeBusy found,
                   FindFreeBusy(room.ground, room.people, call.op, visitor, wanted));
  return http::JsonReply(ToJson(found));
}

/// What takes a while, and therefore may not be asked for all the time.
http::Route CostlyRoute(Method method, std::string path, const http::AccessRule& member,
                        std::string summary) {
  http::Route route = RouteOf(method, std::move(path), member, std::move(summary));
  route.work = http::Work::kBlocking;
  route.rate = http::RateClass::kCostly;
  return route;
}

}  // namespace

void AddIcalRoutes(api::Api& api, Room& room, const http::AccessRule& member) {
  const std::string one = "/api/calendars/{calendar}";
  http::Route import =
      CostlyRoute(Method::kPost, one + "/import", member, "Bring in an iCalendar file");
  import.body_bytes_max = kFileBytesMax;
  api.Add(std::move(import),
          [&room](const Call& call, const CalendarId& id) { return Import(room, call, id); });
  api.Add(CostlyRoute(Method::kGet, one + "/export", member, "The calendar as iCalendar file"),
          [&room](const Call& call, const CalendarId& id) { return Export(room, call, id); });
  api.Add(CostlyRoute(Method::kGet, "/api/freebusy", member, "When people have no time"),
          [&room](const Call& call) { return ShowFreeBusy(room, call); });
}

}  // namespace atrium::calendar
