// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/space.h"

#include <string>
#include <string_view>

#include "files/keys.h"
#include "files/loose_space.h"

namespace atrium::files {
namespace {

constexpr std::string_view kNoSpaceLeft = "there is no space left";

}  // namespace

std::unexpected<Error> NoSpaceLeft() {
  return Fail(ErrorCode::kLimitExceeded, std::string(kNoSpaceLeft));
}

bool IsAboutSpace(const Error& error) {
  return error.code == ErrorCode::kLimitExceeded && error.client_message == kNoSpaceLeft;
}

Result<std::int64_t> SpaceUsedBy(store::Store& store, const store::OpContext& op,
                                 const UserId& user) {
  ASSIGN_OR_RETURN(const auto row, store.Get(op, kSpaceTable, SpaceKey(user)));
  return row ? store::CounterOf(row->counters, kBytesCounter) : 0;
}

Result<bool> HasRoomFor(store::Store& store, const store::OpContext& op, const People& people,
                        const Library& library, const SpaceWanted& wanted) {
  if (library.quota_bytes && wanted.of_library > 0) {
    ASSIGN_OR_RETURN(const LooseCount loose, FindLoose(store, op, library.id));
    if (wanted.of_library > *library.quota_bytes - library.bytes - loose.bytes) {
      return false;
    }
  }
  ASSIGN_OR_RETURN(const auto owner, people.Find(op, library.owner));
  if (owner && owner->quota_bytes && wanted.of_owner > 0) {
    ASSIGN_OR_RETURN(const std::int64_t used, SpaceUsedBy(store, op, library.owner));
    if (wanted.of_owner > *owner->quota_bytes - used) {
      return false;
    }
  }
  return wanted.of_org > 0 ? people.OrgHasRoomFor(op, library.org, wanted.of_org)
                           : Result<bool>(true);
}

}  // namespace atrium::files
