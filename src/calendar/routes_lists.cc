// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "almanac/recurrence.h"
#include "base/json_write.h"
#include "calendar/agenda.h"
#include "calendar/entry_rules.h"
#include "calendar/kept_agendas.h"
#include "calendar/route_parts.h"
#include "calendar/routes.h"
#include "calendar/search.h"
#include "http/compressed.h"
#include "http/json_body.h"

namespace atrium::calendar {
namespace {

using api::Call;
using api::RouteOf;
using http::Method;
using http::Reply;

constexpr std::size_t kCalendarsAtOnce = 20;
constexpr int kDaysAtOnce = 400;
constexpr std::uint64_t kDaysAround = 365;
constexpr std::uint64_t kDaysAroundMax = 1000;
constexpr std::size_t kPreviewed = 10;
constexpr std::size_t kPreviewedMax = 100;

struct PreviewBody {
  LocalTime start{};
  std::string rule{};
  std::optional<std::string> time_zone{};
  std::optional<std::size_t> count{};
};
BOOST_DESCRIBE_STRUCT(PreviewBody, (), (start, rule, time_zone, count))

struct Preview {
  std::string rule{};
  std::vector<LocalTime> starts{};
};
BOOST_DESCRIBE_STRUCT(Preview, (), (rule, starts))

Result<Date> ReadDate(const http::Form& query, std::string_view name) {
  const auto text = query.Find(name);
  if (!text) {
    return Fail(ErrorCode::kInvalidArgument, std::string(name) + ": required");
  }
  const Result<Date> date = Date::Parse(*text);
  if (!date) {
    return Fail(ErrorCode::kInvalidArgument,
                std::string(name) + ": " + date.error().client_message);
  }
  return *date;
}

Result<int> ReadDays(const http::Form& query, std::string_view name) {
  ASSIGN_OR_RETURN(const auto days, api::ReadNumber(query, name));
  if (days.value_or(0) > kDaysAroundMax) {
    return Fail(ErrorCode::kInvalidArgument, std::string(name) + ": at most 1000 days");
  }
  return static_cast<int>(days.value_or(kDaysAround));
}

/// `?highlighted_day=&before=&after=`; today in UTC when none is highlighted.
Result<DayRange> ReadDaysAround(Room& room, const http::Form& query) {
  Date day;
  if (query.Find("highlighted_day")) {
    ASSIGN_OR_RETURN(day, ReadDate(query, "highlighted_day"));
  } else {
    day = almanac::Zone::Utc().In(room.ground.clock.Now()).date;
  }
  ASSIGN_OR_RETURN(const int before, ReadDays(query, "before"));
  ASSIGN_OR_RETURN(const int after, ReadDays(query, "after"));
  return DayRange{.from = day + -before, .to = day + after};
}

Result<DayRange> ReadDayRange(const http::Form& query) {
  ASSIGN_OR_RETURN(const Date from, ReadDate(query, "from"));
  ASSIGN_OR_RETURN(const Date to, ReadDate(query, "to"));
  if (to < from || to - from >= kDaysAtOnce) {
    return Fail(ErrorCode::kInvalidArgument, "to: 0 to 399 days after from");
  }
  return DayRange{.from = from, .to = to};
}

/// What takes place in some calendars, by start.
struct Agenda {
  std::vector<const AgendaItem*> items{};
  /// What the items are parts of.
  std::vector<KeptAgendas::Items> parts{};
};

/// [{"date":…,"entries":[…]}], an element for each day, an entry on every day it touches.
std::string RenderDays(const DayRange& days, const Agenda& agenda) {
  std::vector<std::vector<const AgendaItem*>> by_day(
      static_cast<std::size_t>(days.to - days.from + 1));
  for (const AgendaItem* item : agenda.items) {
    const int last = std::min(item->last, days.to) - days.from;
    for (int day = std::max(item->first - days.from, 0); day <= last; ++day) {
      by_day[static_cast<std::size_t>(day)].push_back(item);
    }
  }
  std::string json = "[";
  for (std::size_t i = 0; i < by_day.size(); ++i) {
    json += i == 0 ? R"({"date":")" : R"(,{"date":")";
    json += (days.from + static_cast<int>(i)).Render();
    json += R"(","entries":[)";
    for (const AgendaItem* item : by_day[i]) {
      json += json.back() == '[' ? "" : ",";
      json += item->json;
    }
    json += "]}";
  }
  return json + "]";
}

std::string RenderItems(const Agenda& agenda) {
  std::size_t bytes = 16;
  for (const AgendaItem* item : agenda.items) {
    bytes += item->json.size() + 1;
  }
  std::string json;
  json.reserve(bytes);
  json += R"({"entries":[)";
  for (const AgendaItem* item : agenda.items) {
    json += json.back() == '[' ? "" : ",";
    json += item->json;
  }
  return json + "]}";
}

Result<Agenda> ReadAll(Room& room, const Call& call, AgendaQuery query,
                       const std::vector<CalendarId>& calendars) {
  ASSIGN_OR_RETURN(const Visitor visitor, VisitorOf(room, call));
  almanac::ExpansionBudget budget = BudgetForAgenda();
  Agenda agenda;
  for (const CalendarId& calendar : calendars) {
    RETURN_IF_ERROR(room.readers.Enter(call.op, visitor, calendar));
    query.calendar = calendar;
    ASSIGN_OR_RETURN(const KeptAgendas::Items items, room.agendas.Read(call.op, query, budget));
    for (const AgendaItem& item : *items) {
      agenda.items.push_back(&item);
    }
    agenda.parts.push_back(items);
  }
  if (calendars.size() > 1) {
    std::ranges::sort(agenda.items, {},
                      [](const AgendaItem* item) { return std::tuple(item->start, item->id); });
  }
  return agenda;
}

Result<Reply> ListEntries(Room& room, const Call& call) {
  ASSIGN_OR_RETURN(const http::Form query, call.request.Query());
  ASSIGN_OR_RETURN(const auto calendars,
                   ReadCalendarIds(query.Find("calendar_id").value_or(""), kCalendarsAtOnce));
  AgendaQuery wanted;
  if (!query.Find("from") && !query.Find("to")) {
    ASSIGN_OR_RETURN(wanted.days, ReadDaysAround(room, query));
    ASSIGN_OR_RETURN(const Agenda agenda, ReadAll(room, call, wanted, calendars));
    return http::Compressed(http::JsonReply(RenderDays(wanted.days, agenda)), call.request);
  }
  ASSIGN_OR_RETURN(wanted.days, ReadDayRange(query));
  if (const auto zone = query.Find("time_zone")) {
    ASSIGN_OR_RETURN(wanted.zone, almanac::Zone::Find(*zone));
  }
  ASSIGN_OR_RETURN(const Agenda agenda, ReadAll(room, call, wanted, calendars));
  return http::Compressed(http::JsonReply(RenderItems(agenda)), call.request);
}

Result<Reply> PreviewRule(const Call& call) {
  ASSIGN_OR_RETURN(const PreviewBody body, http::JsonBody<PreviewBody>(call.request));
  almanac::RuleTerms terms;
  if (body.time_zone) {
    ASSIGN_OR_RETURN(terms.zone, almanac::Zone::Find(*body.time_zone));
  }
  Preview preview;
  ASSIGN_OR_RETURN(preview.rule, almanac::CanonicalRule(body.rule, terms));
  const std::size_t count = body.count.value_or(kPreviewed);
  if (count == 0 || count > kPreviewedMax) {
    return Fail(ErrorCode::kInvalidArgument, "count: 1 to 100");
  }
  almanac::ExpansionBudget budget = BudgetForOne();
  ASSIGN_OR_RETURN(preview.starts, almanac::NextStarts({.start = body.start, .rule = preview.rule},
                                                       body.start, count, budget));
  return http::JsonReply(ToJson(preview));
}

/// The calendars a search is about: those named, or all of the caller's.
Result<std::vector<CalendarId>> CalendarsFor(Room& room, const Call& call,
                                             const http::Form& query) {
  ASSIGN_OR_RETURN(const Visitor visitor, VisitorOf(room, call));
  std::vector<CalendarId> calendars;
  if (const auto named = query.Find("calendar_id")) {
    ASSIGN_OR_RETURN(calendars, ReadCalendarIds(*named, kCalendarsAtOnce));
    for (const CalendarId& calendar : calendars) {
      RETURN_IF_ERROR(Enter(room.ground.store, call.op, visitor, calendar, Need::kRead));
    }
    return calendars;
  }
  ASSIGN_OR_RETURN(const MyCalendars mine,
                   room.calendars.ListMine(call.op, visitor, kCalendarsOfOne, std::nullopt));
  for (const MyCalendar& one : mine.calendars) {
    if (one.member.status == MemberStatus::kActive) {
      calendars.push_back(one.calendar.record.id);
    }
  }
  return calendars;
}

Result<Reply> SearchEntries(Room& room, const Call& call) {
  ASSIGN_OR_RETURN(const http::Form query, call.request.Query());
  ASSIGN_OR_RETURN(const api::PageQuery page, api::ReadPageQuery(call.request));
  SearchQuery wanted{.limit = page.limit};
  ASSIGN_OR_RETURN(wanted.words, SearchWords::Parse(query.Find("q").value_or("")));
  ASSIGN_OR_RETURN(wanted.calendars, CalendarsFor(room, call, query));
  if (const auto after = query.Find("after")) {
    wanted.after = std::string(*after);
  }
  ASSIGN_OR_RETURN(const SearchPage found, Search(room.ground.store, call.op, wanted));
  std::string json = R"({"entries":[)";
  for (const store::Stored<Entry>& one : found.entries) {
    json += json.back() == '[' ? "" : ",";
    json += WithVersion(store::EncodeRecord(one.record, one.unknown), one.version);
  }
  json += "]";
  if (found.resume) {
    json += R"(,"after":")" + *found.resume + "\"";
  }
  return http::JsonReply(json + "}");
}

}  // namespace

void AddListRoutes(api::Api& api, Room& room, const http::AccessRule& member) {
  api.Add(RouteOf(Method::kGet, "/api/entries", member, "What takes place on some days"),
          [&room](const Call& call) { return ListEntries(room, call); });
  api.Add(RouteOf(Method::kPost, "/api/recurrence/preview", member, "When a rule comes next"),
          [](const Call& call) { return PreviewRule(call); });
  http::Route search =
      RouteOf(Method::kGet, "/api/search", member, "Entries by words, in one's calendars");
  search.work = http::Work::kBlocking;
  search.rate = http::RateClass::kCostly;
  api.Add(std::move(search), [&room](const Call& call) { return SearchEntries(room, call); });
}

}  // namespace atrium::calendar
