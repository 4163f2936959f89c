// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "almanac/recurrence.h"
#include "base/json_write.h"
#include "calendar/agenda.h"
#include "calendar/entry_rules.h"
#include "calendar/route_parts.h"
#include "calendar/routes.h"
#include "calendar/search.h"
#include "http/json_body.h"

namespace atrium::calendar {
namespace {

using api::Call;
using api::RouteOf;
using http::Method;
using http::Reply;

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
  api.Add(RouteOf(Method::kPost, "/api/recurrence/preview", member, "When a rule comes next"),
          [](const Call& call) { return PreviewRule(call); });
  http::Route search =
      RouteOf(Method::kGet, "/api/search", member, "Entries by words, in one's calendars");
  search.work = http::Work::kBlocking;
  search.rate = http::RateClass::kCostly;
  api.Add(std::move(search), [&room](const Call& call) { return SearchEntries(room, call); });
}

}  // namespace atrium::calendar
