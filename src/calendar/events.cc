// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/events.h"

#include <string_view>

#include "base/json_write.h"
#include "store/change_kind.h"

namespace atrium::calendar {
namespace {

std::string Event(std::string_view name, const std::string& json) {
  return R"({"event":")" + std::string(name) + R"(","data":)" + json + "}";
}

}  // namespace

std::string DescribeEntry(const store::RecordChange<Entry>& change) {
  const Entry& entry = change.record;
  const std::string date = R"("date":")" + entry.start_date.Render() + "\"}";
  if (change.kind == store::ChangeKind::kErased || entry.deleted_at) {
    return Event("entry_deleted", R"({"entry_id":")" + entry.id.Render() + "\"," + date);
  }
  const bool is_new = change.before == nullptr || change.before->deleted_at ||
                      change.before->calendar_id != entry.calendar_id;
  return Event(is_new ? "entry_added" : "entry_updated",
               R"({"entry":)" + ToJson(entry) + "," + date);
}

std::string DescribeCalendar(const store::RecordChange<Calendar>& change) {
  const Calendar& calendar = change.record;
  if (change.kind == store::ChangeKind::kErased || calendar.deleted_at) {
    return Event("calendar_deleted", R"({"calendar_id":")" + calendar.id.Render() + "\"}");
  }
  const bool is_new = change.before == nullptr || change.before->deleted_at;
  return Event(is_new ? "calendar_added" : "calendar_updated",
               R"({"calendar":)" + ToJson(calendar) + "}");
}

std::string DescribeMember(const store::RecordChange<Membership>& change) {
  const Membership& member = change.record;
  std::string_view name = "member_updated";
  if (change.kind == store::ChangeKind::kErased || member.status == MemberStatus::kRemoved) {
    name = "member_removed";
  } else if (change.before == nullptr || change.before->status == MemberStatus::kRemoved) {
    name = "member_added";
  }
  return Event(name, R"({"member":)" + ToJson(member) + "}");
}

}  // namespace atrium::calendar
