// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>
#include <vector>

#include "base/json_write.h"
#include "calendar/agenda.h"
#include "calendar/route_parts.h"
#include "calendar/routes.h"
#include "http/json_body.h"

namespace atrium::calendar {
namespace {

using api::Call;
using api::RouteOf;
using http::Method;
using http::Reply;

struct HistoryView {
  std::vector<EntryChange> changes{};
};
BOOST_DESCRIBE_STRUCT(HistoryView, (), (changes))

struct RevertBody {
  std::uint32_t number = 0;
};
BOOST_DESCRIBE_STRUCT(RevertBody, (), (number))

Result<Reply> ShowHistory(Room& room, const Call& call, const EntryId& id) {
  ASSIGN_OR_RETURN(const Visitor visitor, VisitorOf(room, call));
  HistoryView view;
  ASSIGN_OR_RETURN(view.changes, room.memory.History(call.op, visitor, id));
  return http::JsonReply(ToJson(view));
}

Result<Reply> Revert(Room& room, const Call& call, const EntryId& id) {
  ASSIGN_OR_RETURN(const RevertBody body, http::JsonBody<RevertBody>(call.request));
  ASSIGN_OR_RETURN(const Visitor visitor, VisitorOf(room, call));
  ASSIGN_OR_RETURN(const auto entry,
                   room.memory.Revert(call.op, visitor, id, body.number, CheckOf(call)));
  return EntryReply(entry);
}

Result<Reply> Undo(Room& room, const Call& call, const EntryId& id) {
  ASSIGN_OR_RETURN(const Visitor visitor, VisitorOf(room, call));
  ASSIGN_OR_RETURN(const auto entry, room.memory.Undo(call.op, visitor, id, CheckOf(call)));
  return EntryReply(entry);
}

Result<Reply> Restore(Room& room, const Call& call, const EntryId& id) {
  ASSIGN_OR_RETURN(const Visitor visitor, VisitorOf(room, call));
  ASSIGN_OR_RETURN(const auto entry, room.memory.Restore(call.op, visitor, id, CheckOf(call)));
  return EntryReply(entry);
}

Result<Reply> ShowTrash(Room& room, const Call& call, const CalendarId& id) {
  ASSIGN_OR_RETURN(const Visitor visitor, VisitorOf(room, call));
  ASSIGN_OR_RETURN(const api::PageQuery page, api::ReadPageQuery(call.request));
  ASSIGN_OR_RETURN(const auto trash,
                   room.memory.Trash(call.op, visitor, id, page.limit, page.after));
  std::string json = R"({"entries":[)";
  for (const store::Stored<Entry>& one : trash.entries) {
    json += json.back() == '[' ? "" : ",";
    json += WithVersion(store::EncodeRecord(one.record, one.unknown), one.version);
  }
  json += "]";
  if (trash.resume) {
    json += R"(,"after":")" + api::RenderAfter(*trash.resume) + "\"";
  }
  return http::JsonReply(json + "}");
}

}  // namespace

void AddMemoryRoutes(api::Api& api, Room& room, const http::AccessRule& member) {
  const std::string one = "/api/entries/{entry}";
  api.Add(api::ListRoute(one + "/history", member, "Who changed what when"),
          [&room](const Call& call, const EntryId& id) { return ShowHistory(room, call, id); });
  api.Add(RouteOf(Method::kPost, one + "/revert", member, "As it was after a change"),
          [&room](const Call& call, const EntryId& id) { return Revert(room, call, id); });
  api.Add(RouteOf(Method::kPost, one + "/undo", member, "As it was before the last change"),
          [&room](const Call& call, const EntryId& id) { return Undo(room, call, id); });
  api.Add(RouteOf(Method::kPost, one + "/restore", member, "Out of the trash"),
          [&room](const Call& call, const EntryId& id) { return Restore(room, call, id); });
  api.Add(api::ListRoute("/api/calendars/{calendar}/trash", member, "Entries that can be restored"),
          [&room](const Call& call, const CalendarId& id) { return ShowTrash(room, call, id); });
}

}  // namespace atrium::calendar
