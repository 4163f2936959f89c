// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "almanac/recurrence.h"
#include "calendar/agenda.h"
#include "calendar/kept_agendas.h"
#include "calendar/merged_agenda.h"
#include "calendar/route_parts.h"
#include "calendar/routes.h"
#include "http/compressed.h"

namespace atrium::calendar {
namespace {

using api::Call;
using http::Reply;

constexpr int kDaysAtOnce = 400;
constexpr std::uint64_t kDaysAround = 365;
constexpr std::uint64_t kDaysAroundMax = 1000;
/// A list by day cannot go on in a second answer, so it may be longer than a page.
constexpr std::size_t kDaysBytesMax = std::size_t{6} << 20;
/// What an I/O thread renders.
constexpr std::size_t kAtOnceBytesMax = std::size_t{64} << 10;

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

/// What a client asks for.
struct ListOrder {
  std::vector<CalendarId> calendars{};
  AgendaQuery query{};
  bool is_by_day = false;
};

Result<ListOrder> ReadOrder(Room& room, const Call& call) {
  ASSIGN_OR_RETURN(const http::Form query, call.request.Query());
  ListOrder order;
  ASSIGN_OR_RETURN(order.calendars,
                   ReadCalendarIds(query.Find("calendar_id").value_or(""), kCalendarsAtOnce));
  order.is_by_day = !query.Find("from") && !query.Find("to");
  if (order.is_by_day) {
    ASSIGN_OR_RETURN(order.query.days, ReadDaysAround(room, query));
    return order;
  }
  ASSIGN_OR_RETURN(order.query.days, ReadDayRange(query));
  if (const auto zone = query.Find("time_zone")) {
    ASSIGN_OR_RETURN(order.query.zone, almanac::Zone::Find(*zone));
  }
  if (query.Find("after")) {
    ASSIGN_OR_RETURN(const api::PageQuery page, api::ReadPageQuery(call.request));
    ASSIGN_OR_RETURN(order.query.after, AgendaPlace::Parse(*page.after));
  }
  return order;
}

std::unexpected<Error> TooMuch() {
  return Fail(ErrorCode::kLimitExceeded, "there is too much on these days: ask for fewer");
}

using Days = std::vector<std::vector<const AgendaItem*>>;

/// An entry stands on every day it touches. kLimitExceeded when that is too long, found before any
/// of it is rendered.
Result<Days> ByDay(const DayRange& days, MergedAgenda& agenda) {
  if (agenda.End()) {
    return TooMuch();
  }
  Days by_day(static_cast<std::size_t>(days.to - days.from + 1));
  std::size_t bytes = 0;
  for (const AgendaItem* item : agenda.Items()) {
    const int last = std::min(item->last, days.to) - days.from;
    for (int day = std::max(item->first - days.from, 0); day <= last; ++day) {
      by_day[static_cast<std::size_t>(day)].push_back(item);
      bytes += item->json.size();
    }
    if (bytes > kDaysBytesMax) {
      return TooMuch();
    }
  }
  return by_day;
}

/// [{"date":…,"entries":[…]}], an element for each day.
Result<std::string> RenderDays(const DayRange& days, MergedAgenda& agenda) {
  ASSIGN_OR_RETURN(const Days by_day, ByDay(days, agenda));
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

/// {"entries":[…],"after":…}, the latter when there is more.
std::string RenderItems(MergedAgenda& agenda) {
  constexpr std::size_t kBesides = 200;
  const std::vector<const AgendaItem*>& items = agenda.Items();
  std::string json;
  json.reserve(agenda.Bytes() + items.size() + kBesides);
  json += R"({"entries":[)";
  for (const AgendaItem* item : items) {
    json += json.back() == '[' ? "" : ",";
    json += item->json;
  }
  json += "]";
  if (agenda.End() && !items.empty()) {
    json += R"(,"after":")" + api::RenderAfter(items.back()->place.Render()) + "\"";
  }
  return json + "}";
}

Result<Reply> ReplyWith(const ListOrder& order, MergedAgenda& agenda, const Call& call) {
  std::string json;
  if (order.is_by_day) {
    ASSIGN_OR_RETURN(json, RenderDays(order.query.days, agenda));
  } else {
    json = RenderItems(agenda);
  }
  return http::Compressed(http::JsonReply(std::move(json)), call.request);
}

/// What was read a moment ago and is short. Whatever else has to be done is for a worker.
Result<std::optional<Reply>> ListAtOnce(Room& room, const Call& call) {
  ASSIGN_OR_RETURN(ListOrder order, ReadOrder(room, call));
  if (order.is_by_day) {
    return std::nullopt;
  }
  ASSIGN_OR_RETURN(const Visitor visitor, VisitorOf(room, call));
  MergedAgenda agenda(kAgendaBytesMax);
  for (const CalendarId& calendar : order.calendars) {
    RETURN_IF_ERROR(room.readers.Enter(call.op, visitor, calendar));
    order.query.calendar = calendar;
    ASSIGN_OR_RETURN(std::optional<KeptAgendas::Page> kept,
                     room.agendas.Find(call.op, order.query));
    if (!kept || agenda.Bytes() + (*kept)->bytes > kAtOnceBytesMax) {
      return std::nullopt;
    }
    agenda.Add(*std::move(kept));
  }
  if (!http::IsQuicklyCompressed(agenda.Bytes(), call.request)) {
    return std::nullopt;
  }
  return ReplyWith(order, agenda, call);
}

Result<Reply> ListEntries(Room& room, const Call& call) {
  ASSIGN_OR_RETURN(ListOrder order, ReadOrder(room, call));
  ASSIGN_OR_RETURN(const Visitor visitor, VisitorOf(room, call));
  almanac::ExpansionBudget budget = BudgetForAgenda();
  order.query.bytes_max = order.is_by_day ? kDaysBytesMax : kAgendaBytesMax;
  order.query.is_all_or_nothing = order.is_by_day;
  MergedAgenda agenda(order.query.bytes_max);
  for (const CalendarId& calendar : order.calendars) {
    RETURN_IF_ERROR(room.readers.Enter(call.op, visitor, calendar));
    order.query.calendar = calendar;
    order.query.before = agenda.End();
    ASSIGN_OR_RETURN(KeptAgendas::Page page, room.agendas.Read(call.op, order.query, budget));
    agenda.Add(std::move(page));
    if (order.is_by_day && agenda.End()) {
      return TooMuch();
    }
  }
  return ReplyWith(order, agenda, call);
}

}  // namespace

void AddAgendaRoutes(api::Api& api, Room& room, const http::AccessRule& member) {
  api.AddTwoStep(
      api::RouteOf(http::Method::kGet, "/api/entries", member, "What takes place on some days"),
      [&room](const Call& call) { return ListAtOnce(room, call); },
      [&room](const Call& call) { return ListEntries(room, call); });
}

}  // namespace atrium::calendar
