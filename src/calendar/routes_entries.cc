// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json_read.h"
#include "base/json_write.h"
#include "calendar/agenda.h"
#include "calendar/occurrences.h"
#include "calendar/route_parts.h"
#include "calendar/routes.h"
#include "http/json_body.h"

namespace atrium::calendar {
namespace {

using api::Call;
using api::RouteOf;
using http::Method;
using http::Reply;

struct MoveBody {
  CalendarId calendar_id{};
};
BOOST_DESCRIBE_STRUCT(MoveBody, (), (calendar_id))

enum class OrderDeed : std::uint8_t { kCreate, kUpdate, kDelete };
BOOST_DESCRIBE_ENUM(OrderDeed, kCreate, kUpdate, kDelete)

/// One change of a batch. "do" is no name for a member in C++.
struct OrderBody {
  OrderDeed deed = OrderDeed::kCreate;
  std::optional<EntryId> id{};
  EntryFields entry{};
};
BOOST_DESCRIBE_STRUCT(OrderBody, (), (deed, id, entry))

struct BatchBody {
  std::vector<OrderBody> changes{};
};
BOOST_DESCRIBE_STRUCT(BatchBody, (), (changes))

Result<Scope> ReadScope(std::string_view text) {
  if (text == "this") {
    return Scope::kThis;
  }
  if (text == "following") {
    return Scope::kFollowing;
  }
  if (text == "all") {
    return Scope::kAll;
  }
  return Fail(ErrorCode::kInvalidArgument, "scope: expected one of: this, following, all");
}

/// `?occurrence=` and `?scope=`.
Result<EntryTarget> ReadTarget(const http::Request& request, const EntryId& id) {
  ASSIGN_OR_RETURN(const http::Form query, request.Query());
  EntryTarget target{.id = id};
  if (const auto at = query.Find("occurrence")) {
    const Result<LocalTime> time = LocalTime::Parse(*at);
    if (!time) {
      return Fail(ErrorCode::kInvalidArgument, "occurrence: expected a date or 2026-03-01T09:00");
    }
    target.occurrence = *time;
  }
  if (const auto scope = query.Find("scope")) {
    ASSIGN_OR_RETURN(target.scope, ReadScope(*scope));
  }
  return target;
}

Result<Reply> Create(Room& room, const Call& call) {
  ASSIGN_OR_RETURN(const EntryFields fields, ReadEntryFields(call.request));
  ASSIGN_OR_RETURN(const Visitor visitor, WriterOf(room, call));
  ASSIGN_OR_RETURN(const auto entry, room.entries.Create(call.op, visitor, fields));
  return EntryReply(entry, 201);
}

/// The entry as it is stored. One occurrence of it must be worked out first.
Result<std::optional<Reply>> ShowAtOnce(Room& room, const Call& call, const EntryId& id) {
  if (!call.request.query.empty()) {
    return std::nullopt;
  }
  ASSIGN_OR_RETURN(const Visitor visitor, VisitorOf(room, call));
  ASSIGN_OR_RETURN(store::Row row, room.entries.LoadDocument(call.op, visitor, id));
  return api::Tagged(std::move(row.document), row.version);
}

Result<Reply> Show(Room& room, const Call& call, const EntryId& id) {
  ASSIGN_OR_RETURN(const Visitor visitor, VisitorOf(room, call));
  ASSIGN_OR_RETURN(const auto entry, room.entries.Load(call.op, visitor, id, Need::kRead));
  ASSIGN_OR_RETURN(const EntryTarget target, ReadTarget(call.request, id));
  if (!target.occurrence) {
    return EntryReply(entry);
  }
  ASSIGN_OR_RETURN(const Occurrence one, OccurrenceAt(entry.record, *target.occurrence));
  std::string json = ToJson(one.entry);
  json.pop_back();
  json += R"(,"occurrence":")" + target.occurrence->Render() + "\"}";
  return api::Tagged(std::move(json), entry.version);
}

Result<Reply> Update(Room& room, const Call& call, const EntryId& id) {
  ASSIGN_OR_RETURN(const EntryTarget target, ReadTarget(call.request, id));
  ASSIGN_OR_RETURN(const EntryFields fields, ReadEntryFields(call.request));
  ASSIGN_OR_RETURN(const Visitor visitor, WriterOf(room, call));
  ASSIGN_OR_RETURN(const auto entry,
                   room.entries.Update(call.op, visitor, target, fields, CheckOf(call)));
  return EntryReply(entry);
}

Result<Reply> Delete(Room& room, const Call& call, const EntryId& id) {
  ASSIGN_OR_RETURN(const EntryTarget target, ReadTarget(call.request, id));
  ASSIGN_OR_RETURN(const Visitor visitor, VisitorOf(room, call));
  RETURN_IF_ERROR(room.entries.Delete(call.op, visitor, target, CheckOf(call)));
  return DoneReply();
}

Result<Reply> Toggle(Room& room, const Call& call, const EntryId& id) {
  ASSIGN_OR_RETURN(const EntryTarget target, ReadTarget(call.request, id));
  ASSIGN_OR_RETURN(const Visitor visitor, VisitorOf(room, call));
  ASSIGN_OR_RETURN(const auto entry, room.entries.Toggle(call.op, visitor, target, CheckOf(call)));
  return EntryReply(entry);
}

Result<Reply> Move(Room& room, const Call& call, const EntryId& id) {
  ASSIGN_OR_RETURN(const MoveBody body, http::JsonBody<MoveBody>(call.request));
  ASSIGN_OR_RETURN(const Visitor visitor, VisitorOf(room, call));
  ASSIGN_OR_RETURN(const auto entry,
                   room.entries.Move(call.op, visitor, id, body.calendar_id, CheckOf(call)));
  return EntryReply(entry);
}

EntryOrder OrderOf(const OrderBody& body) {
  using Deed = EntryOrder::Deed;
  const Deed deed = body.deed == OrderDeed::kCreate   ? Deed::kCreate
                    : body.deed == OrderDeed::kUpdate ? Deed::kUpdate
                                                      : Deed::kDelete;
  return {.deed = deed, .id = body.id.value_or(EntryId()), .fields = body.entry};
}

Result<BatchBody> ReadBatch(const http::Request& request) {
  RETURN_IF_ERROR(request.ExpectJson());
  ASSIGN_OR_RETURN(boost::json::value json, ParseJson(request.body));
  boost::json::value* changes =
      json.is_object() ? json.as_object().if_contains("changes") : nullptr;
  if (changes == nullptr || !changes->is_array()) {
    return Fail(ErrorCode::kInvalidArgument, "changes: a list is required");
  }
  for (boost::json::value& one : changes->as_array()) {
    boost::json::value* entry = one.is_object() ? one.as_object().if_contains("entry") : nullptr;
    if (entry != nullptr) {
      DropServersOwn(*entry);
    }
  }
  return FromJsonValue<BatchBody>(json, {.missing = OnMissing::kKeepDefault});
}

Result<Reply> ApplyAll(Room& room, const Call& call) {
  ASSIGN_OR_RETURN(const BatchBody body, ReadBatch(call.request));
  std::vector<EntryOrder> orders;
  for (const OrderBody& one : body.changes) {
    if (one.deed != OrderDeed::kCreate && !one.id) {
      return Fail(ErrorCode::kInvalidArgument, "changes: an entry is named by its id");
    }
    orders.push_back(OrderOf(one));
  }
  ASSIGN_OR_RETURN(const Visitor visitor, WriterOf(room, call));
  ASSIGN_OR_RETURN(const auto changed, room.entries.ApplyAll(call.op, visitor, orders));
  std::string json = R"({"entries":[)";
  for (const store::Stored<Entry>& one : changed) {
    json +=
        (json.back() == '[' ? "" : ",") + WithVersion(store::EncodeRecord(one.record), one.version);
  }
  return http::JsonReply(json + "]}");
}

}  // namespace

void AddEntryRoutes(api::Api& api, Room& room, const http::AccessRule& member) {
  const std::string one = "/api/entries/{entry}";
  api.Add(RouteOf(Method::kPost, "/api/entries", member, "Make an entry"),
          [&room](const Call& call) { return Create(room, call); });
  http::Route batch =
      RouteOf(Method::kPost, "/api/entries/batch", member, "Several changes, all or none");
  batch.body_bytes_max = std::size_t{1} << 20;
  api.Add(std::move(batch), [&room](const Call& call) { return ApplyAll(room, call); });
  api.AddTwoStep(
      RouteOf(Method::kGet, one, member, "An entry"),
      [&room](const Call& call, const EntryId& id) { return ShowAtOnce(room, call, id); },
      [&room](const Call& call, const EntryId& id) { return Show(room, call, id); });
  api.Add(RouteOf(Method::kPut, one, member, "Change an entry, or a part of a series"),
          [&room](const Call& call, const EntryId& id) { return Update(room, call, id); });
  api.Add(RouteOf(Method::kDelete, one, member, "Put it into the trash"),
          [&room](const Call& call, const EntryId& id) { return Delete(room, call, id); });
  api.Add(RouteOf(Method::kPatch, one + "/toggle", member, "Check a task off, or on again"),
          [&room](const Call& call, const EntryId& id) { return Toggle(room, call, id); });
  api.Add(RouteOf(Method::kPost, one + "/move", member, "To another calendar"),
          [&room](const Call& call, const EntryId& id) { return Move(room, call, id); });
}

}  // namespace atrium::calendar
