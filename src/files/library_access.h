// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "base/result.h"
#include "files/people.h"
#include "files/records.h"
#include "store/record.h"
#include "store/store.h"

namespace atrium::files {

/// What this person may do in the library: the one place that decides. nullopt: nothing, as if
/// there were no such library.
std::optional<Permission> PermissionOf(const Library& library, const Person& person);

/// Whether the library, as it is now, is still this person's: kNotFound otherwise.
Result<void> CheckOwner(const Library& library, const Person& person);

/// A library that somebody may use.
struct Entrance {
  store::Stored<Library> library{};
  Permission permission = Permission::kRead;
};

/// kNotFound to who may not see the library, as if there were none, and when it is in the trash;
/// kPermissionDenied to who may only read and wants more.
Result<Entrance> Enter(store::Store& store, const store::OpContext& op, const Person& person,
                       const LibraryId& library, Permission wanted);

/// The same for what only its owner may do.
Result<Entrance> EnterAsOwner(store::Store& store, const store::OpContext& op, const Person& person,
                              const LibraryId& library);

/// The same for libraries in the trash.
Result<Entrance> EnterTrashed(store::Store& store, const store::OpContext& op, const Person& person,
                              const LibraryId& library);

}  // namespace atrium::files
