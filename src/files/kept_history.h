// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "base/instant.h"
#include "base/result.h"
#include "files/content.h"
#include "files/records.h"
#include "store/ground.h"
#include "store/store.h"

namespace atrium::files {

/// The state of that number; nullopt when there is none, or not any more.
Result<std::optional<Move>> FindMove(store::Store& store, const store::OpContext& op,
                                     const LibraryId& library, std::uint64_t number);

/// The number of the state that the library had at that time: of the newest one that is not later.
/// The oldest there is, when all are later. A few reads, however long the history is.
Result<std::uint64_t> MoveAt(store::Store& store, const store::OpContext& op,
                             const Library& library, Instant at);

/// The number of the first state that is kept, by keep_days and by what was emptied: the one place
/// that decides. That state and all later ones are within reach of people, and nothing that they
/// name may be removed. Earlier ones are out of reach, and what they alone name is garbage. Never
/// more than Library::moves: the head is always kept.
Result<std::uint64_t> FirstKept(store::Store& store, const store::OpContext& op,
                                const Library& library, Instant now);

/// The state that the head was in with this commit. kNotFound when it never was, or is not kept.
Result<Move> LoadState(const store::Ground& ground, const store::OpContext& op,
                       const Content& content, const Library& library, const CommitId& commit);

}  // namespace atrium::files
