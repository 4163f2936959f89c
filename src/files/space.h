// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/result.h"
#include "files/people.h"
#include "files/records.h"
#include "store/store.h"

namespace atrium::files {

/// How many bytes the libraries of this person hold, those in the trash among them.
Result<std::int64_t> SpaceUsedBy(store::Store& store, const store::OpContext& op,
                                 const UserId& user);

/// Whether so many more bytes would fit the quotas of the library, its owner and their
/// organisation, as they are now. The commit that brings them decides.
Result<bool> HasRoomFor(store::Store& store, const store::OpContext& op, const People& people,
                        const Library& library, std::int64_t bytes);

}  // namespace atrium::files
