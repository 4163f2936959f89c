// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/library_documents.h"

#include <boost/describe/class.hpp>
#include <cstdint>

#include "base/json_write.h"
#include "files/route_parts.h"

namespace atrium::files {
namespace {

struct LibraryDocument {
  std::string type = "mine";
  std::string repo_id{};
  std::string repo_name{};
  std::string repo_desc{};
  std::string owner_email{};
  std::string owner_name{};
  std::string owner_contact_email{};
  std::string last_modified{};
  std::string modifier_email{};
  std::string modifier_name{};
  std::string modifier_contact_email{};
  std::int64_t size = 0;
  std::int64_t file_count = 0;
  int encrypted = 0;
  bool lib_need_decrypt = false;
  std::string permission{};
  bool starred = false;
  bool monitored = false;
  std::string status = "normal";
  std::string head_commit_id{};
  std::string salt{};
};
BOOST_DESCRIBE_STRUCT(LibraryDocument, (),
                      (type, repo_id, repo_name, repo_desc, owner_email, owner_name,
                       owner_contact_email, last_modified, modifier_email, modifier_name,
                       modifier_contact_email, size, file_count, encrypted, lib_need_decrypt,
                       permission, starred, monitored, status, head_commit_id, salt))

struct TrashDocument {
  std::string repo_id{};
  std::string repo_name{};
  std::string owner{};
  std::string owner_email{};
  std::string owner_name{};
  std::string head_commit_id{};
  std::string del_time{};
  std::int64_t size = 0;
  bool encrypted = false;
};
BOOST_DESCRIBE_STRUCT(TrashDocument, (),
                      (repo_id, repo_name, owner, owner_email, owner_name, head_commit_id, del_time,
                       size, encrypted))

}  // namespace

Person OwnerOf(const Viewer& viewer, const Library& library) {
  const auto owner = viewer.people.Find(viewer.op, library.owner);
  return owner && *owner ? **owner : Person{.id = library.owner, .org = library.org};
}

std::string DocumentOf(const Viewer& viewer, const Entrance& entrance, bool is_unlocked) {
  const Library& library = entrance.library.record;
  const Person owner = OwnerOf(viewer, library);
  return ToJson(LibraryDocument{.repo_id = library.id.Render(),
                                .repo_name = library.name,
                                .repo_desc = library.description,
                                .owner_email = owner.email,
                                .owner_name = owner.name,
                                .owner_contact_email = owner.email,
                                .last_modified = IsoTime(SecondsSince1970(library.updated_at)),
                                .modifier_email = library.updated_by,
                                .modifier_name = viewer.names.Of(viewer.op, library.updated_by),
                                .modifier_contact_email = library.updated_by,
                                .size = library.bytes,
                                .file_count = library.files,
                                .encrypted = library.lock ? 1 : 0,
                                .lib_need_decrypt = library.lock.has_value() && !is_unlocked,
                                .permission = std::string(PermissionWord(entrance.permission)),
                                .head_commit_id = library.head.Render(),
                                .salt = library.lock ? library.lock->salt : ""});
}

std::string TrashDocumentOf(const Viewer& viewer, const Library& library) {
  const Person owner = OwnerOf(viewer, library);
  return ToJson(TrashDocument{
      .repo_id = library.id.Render(),
      .repo_name = library.name,
      .owner = owner.email,
      .owner_email = owner.email,
      .owner_name = owner.name,
      .head_commit_id = library.head.Render(),
      .del_time = IsoTime(SecondsSince1970(library.deleted_at.value_or(library.updated_at))),
      .size = library.bytes,
      .encrypted = library.lock.has_value()});
}

}  // namespace atrium::files
