// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/entry_views.h"

#include <boost/describe/class.hpp>
#include <cstdint>
#include <optional>

#include "base/json_write.h"
#include "files/route_parts.h"

namespace atrium::files {
namespace {

/// A file has all of it, a folder what has a meaning for it.
struct EntryView {
  std::string type{};
  std::string id{};
  std::string name{};
  std::int64_t mtime = 0;
  std::string permission{};
  std::optional<std::string> parent_dir{};
  std::optional<std::int64_t> size{};
  std::optional<std::string> modifier_email{};
  std::optional<std::string> modifier_name{};
  std::optional<std::string> modifier_contact_email{};
  std::optional<bool> is_locked{};
  std::optional<bool> locked_by_me{};
  std::optional<std::int64_t> lock_time{};
  std::optional<std::string> lock_owner{};
  bool starred = false;
};
BOOST_DESCRIBE_STRUCT(EntryView, (),
                      (type, id, name, mtime, permission, parent_dir, size, modifier_email,
                       modifier_name, modifier_contact_email, is_locked, locked_by_me, lock_time,
                       lock_owner, starred))

struct ChangedEntryView {
  std::string type{};
  std::string repo_id{};
  std::string parent_dir{};
  std::string obj_name{};
  std::string obj_id{};
  std::int64_t size = 0;
  std::string mtime{};
  bool is_locked = false;
};
BOOST_DESCRIBE_STRUCT(ChangedEntryView, (),
                      (type, repo_id, parent_dir, obj_name, obj_id, size, mtime, is_locked))

std::string KindOf(const Dirent& entry) {
  return entry.IsDirectory() ? "dir" : "file";
}

EntryView EntryViewOf(const EntryViewer& viewer, const Dirent& entry) {
  EntryView view{.type = KindOf(entry),
                 .id = entry.id.Render(),
                 .name = entry.name,
                 .mtime = entry.mtime,
                 .permission = std::string(PermissionWord(viewer.permission))};
  if (!entry.IsDirectory()) {
    view.size = entry.size;
    view.modifier_email = entry.modifier;
    view.modifier_name = viewer.names.Of(viewer.op, entry.modifier);
    view.modifier_contact_email = entry.modifier;
    view.is_locked = false;
    view.locked_by_me = false;
    view.lock_time = 0;
    view.lock_owner = "";
  }
  return view;
}

}  // namespace

void AppendEntry(std::string& out, const EntryViewer& viewer, const Dirent& entry,
                 std::string_view folder) {
  EntryView view = EntryViewOf(viewer, entry);
  if (!folder.empty()) {
    view.parent_dir = std::string(folder);
  }
  AppendJson(out, view);
}

void AppendEntry21(std::string& out, const EntryViewer& viewer, const Dirent& entry,
                   std::string_view folder) {
  EntryView view = EntryViewOf(viewer, entry);
  view.parent_dir = WithSlash(folder);
  AppendJson(out, view);
}

std::string ChangedView(const LibraryId& library, std::string_view folder, const Dirent& entry) {
  return ToJson(ChangedEntryView{.type = KindOf(entry),
                                 .repo_id = library.Render(),
                                 .parent_dir = std::string(folder),
                                 .obj_name = entry.name,
                                 .obj_id = entry.id.Render(),
                                 .size = entry.size,
                                 .mtime = IsoTime(entry.mtime)});
}

std::string WithSlash(std::string_view folder) {
  return std::string(folder) + (folder.ends_with('/') ? "" : "/");
}

}  // namespace atrium::files
