// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "files/file_changes.h"
#include "files/object_id.h"
#include "files/people.h"
#include "files/room.h"
#include "store/op_context.h"

namespace atrium::files {

enum class Relocating : std::uint8_t { kMove, kCopy };

/// Entries that go to another folder, be it of the same library.
struct RelocationBetween {
  LibraryId from{};
  LibraryId to{};
  Relocating how = Relocating::kCopy;
  Relocation entries{};
};

/// Moves or copies while the caller waits. Where each is now, in this order, without those that
/// were left out. What goes to another library is a transfer (transfers.h), in two commits: an
/// error is kRefusedByState with its reason.
Result<std::vector<ChangedEntry>> RelocateBetween(Room& room, const store::OpContext& op,
                                                  const Person& person,
                                                  const RelocationBetween& order);

}  // namespace atrium::files
