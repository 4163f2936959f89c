// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/library_access.h"

#include <utility>

#include "files/keys.h"

namespace atrium::files {
namespace {

std::unexpected<Error> NoSuchLibrary() {
  return Fail(ErrorCode::kNotFound, "there is no such library");
}

Result<Entrance> FindEntrance(store::Store& store, const store::OpContext& op, const Person& person,
                              const LibraryId& id) {
  ASSIGN_OR_RETURN(auto library, store::Find(store, op, Libraries(), LibraryRowKey(id)));
  if (!library) {
    return NoSuchLibrary();
  }
  const std::optional<Permission> permission = PermissionOf(library->record, person);
  if (!permission) {
    return NoSuchLibrary();
  }
  return Entrance{.library = *std::move(library), .permission = *permission};
}

}  // namespace

std::optional<Permission> PermissionOf(const Library& library, const Person& person) {
  if (!person.is_active || library.org != person.org || library.owner != person.id) {
    return std::nullopt;
  }
  return person.may_write ? Permission::kWrite : Permission::kRead;
}

Result<void> CheckOwner(const Library& library, const Person& person) {
  return library.owner == person.id ? Result<void>() : NoSuchLibrary();
}

Result<Entrance> Enter(store::Store& store, const store::OpContext& op, const Person& person,
                       const LibraryId& library, Permission wanted) {
  ASSIGN_OR_RETURN(Entrance entrance, FindEntrance(store, op, person, library));
  if (entrance.library.record.deleted_at) {
    return NoSuchLibrary();
  }
  if (entrance.permission < wanted) {
    return Fail(ErrorCode::kPermissionDenied, "you may read this library, and not change it");
  }
  return entrance;
}

Result<Entrance> EnterAsOwner(store::Store& store, const store::OpContext& op, const Person& person,
                              const LibraryId& library) {
  ASSIGN_OR_RETURN(Entrance entrance, Enter(store, op, person, library, Permission::kWrite));
  if (entrance.library.record.owner != person.id) {
    return Fail(ErrorCode::kPermissionDenied, "this needs the owner of the library");
  }
  return entrance;
}

Result<Entrance> EnterTrashed(store::Store& store, const store::OpContext& op, const Person& person,
                              const LibraryId& library) {
  ASSIGN_OR_RETURN(Entrance entrance, FindEntrance(store, op, person, library));
  if (entrance.library.record.owner != person.id) {
    return NoSuchLibrary();
  }
  if (!entrance.library.record.deleted_at) {
    return Fail(ErrorCode::kRefusedByState, "the library is not in the trash");
  }
  return entrance;
}

}  // namespace atrium::files
