// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/events.h"

#include <string_view>

#include "store/change_kind.h"

namespace atrium::files {
namespace {

std::string_view EventOf(const store::RecordChange<Library>& change) {
  if (change.kind == store::ChangeKind::kErased || change.record.deleted_at) {
    return "library_deleted";
  }
  const bool is_new = change.before == nullptr || change.before->deleted_at;
  return is_new ? "library_added" : "library_updated";
}

}  // namespace

std::string DescribeLibrary(const store::RecordChange<Library>& change) {
  return R"({"event":")" + std::string(EventOf(change)) + R"(","data":{"library_id":")" +
         change.record.id.Render() + R"(","commit_id":")" + change.record.head.Render() + "\"}}";
}

}  // namespace atrium::files
