// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/space.h"

#include "files/keys.h"

namespace atrium::files {

Result<std::int64_t> SpaceUsedBy(store::Store& store, const store::OpContext& op,
                                 const UserId& user) {
  ASSIGN_OR_RETURN(const auto row, store.Get(op, kSpaceTable, SpaceKey(user)));
  return row ? store::CounterOf(row->counters, kBytesCounter) : 0;
}

Result<bool> HasRoomFor(store::Store& store, const store::OpContext& op, const People& people,
                        const Library& library, std::int64_t bytes) {
  if (bytes <= 0) {
    return true;
  }
  if (library.quota_bytes && bytes > *library.quota_bytes - library.bytes) {
    return false;
  }
  ASSIGN_OR_RETURN(const auto owner, people.Find(op, library.owner));
  if (owner && owner->quota_bytes) {
    ASSIGN_OR_RETURN(const std::int64_t used, SpaceUsedBy(store, op, library.owner));
    if (bytes > *owner->quota_bytes - used) {
      return false;
    }
  }
  return people.OrgHasRoomFor(op, library.org, bytes);
}

}  // namespace atrium::files
