// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/error.h"
#include "base/result.h"
#include "files/people.h"
#include "files/records.h"
#include "store/store.h"

namespace atrium::files {

/// kLimitExceeded for want of space: a quota is used up. Other limits have the same code, and words
/// of their own.
std::unexpected<Error> NoSpaceLeft();
bool IsAboutSpace(const Error& error);

/// How many bytes the libraries of this person hold, those in the trash among them, and blocks that
/// no state names yet (loose_space.h).
Result<std::int64_t> SpaceUsedBy(store::Store& store, const store::OpContext& op,
                                 const UserId& user);

/// Bytes that are to come, beside those that the store counts: into one library, into all of its
/// owner, and into all of their organisation.
struct SpaceWanted {
  std::int64_t of_library = 0;
  std::int64_t of_owner = 0;
  std::int64_t of_org = 0;
};

/// Whether they would fit the quotas of the library, its owner and their organisation, as they are
/// now. The commit that brings them decides.
Result<bool> HasRoomFor(store::Store& store, const store::OpContext& op, const People& people,
                        const Library& library, const SpaceWanted& wanted);

}  // namespace atrium::files
