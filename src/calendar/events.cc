// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/events.h"

#include <initializer_list>
#include <string_view>

#include "store/change_kind.h"

namespace atrium::calendar {
namespace {

/// `parts` make up the JSON of what is told.
std::string Event(std::string_view name, std::initializer_list<std::string_view> parts) {
  std::string json = R"({"event":")";
  json.append(name).append(R"(","data":)");
  for (const std::string_view part : parts) {
    json.append(part);
  }
  json += '}';
  return json;
}

}  // namespace

std::string DescribeEntry(const store::RecordChange<Entry>& change) {
  const Entry& entry = change.record;
  const std::string date = R"("date":")" + entry.start_date.Render() + "\"}";
  if (change.kind == store::ChangeKind::kErased || entry.deleted_at) {
    return Event("entry_deleted", {R"({"entry_id":")", entry.id.Render(), "\",", date});
  }
  const bool is_new = change.before == nullptr || change.before->deleted_at ||
                      change.before->calendar_id != entry.calendar_id;
  return Event(is_new ? "entry_added" : "entry_updated",
               {R"({"entry":)", change.document, ",", date});
}

std::string DescribeCalendar(const store::RecordChange<Calendar>& change) {
  const Calendar& calendar = change.record;
  if (change.kind == store::ChangeKind::kErased || calendar.deleted_at) {
    return Event("calendar_deleted", {R"({"calendar_id":")", calendar.id.Render(), "\"}"});
  }
  const bool is_new = change.before == nullptr || change.before->deleted_at;
  return Event(is_new ? "calendar_added" : "calendar_updated",
               {R"({"calendar":)", change.document, "}"});
}

std::string DescribeMember(const store::RecordChange<Membership>& change) {
  const Membership& member = change.record;
  std::string_view name = "member_updated";
  if (change.kind == store::ChangeKind::kErased || member.status == MemberStatus::kRemoved) {
    name = "member_removed";
  } else if (change.before == nullptr || change.before->status == MemberStatus::kRemoved) {
    name = "member_added";
  }
  return Event(name, {R"({"member":)", change.document, "}"});
}

}  // namespace atrium::calendar
