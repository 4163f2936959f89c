// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/instant.h"
#include "calendar/records.h"
#include "store/batch.h"
#include "store/record.h"

namespace atrium::calendar {

// How entries get into a batch: with their stamps and a line of their history. Everybody who writes
// entries does it here. Entries are settled before.

/// Who a change is put down to.
struct Author {
  std::optional<UserId> user{};
  /// An address; or what it was: "import", "feed".
  std::string label{};
};

/// How many changes of an entry are remembered.
inline constexpr std::uint32_t kHistoryKept = 50;

/// A new entry, whose id and calendar are set. Answers it as it will be stored.
Entry WriteNew(store::Batch& batch, const Author& author, Instant now, Entry entry);

struct EntryEdit {
  const store::Stored<Entry>& before;
  Entry after{};
  EntryDeed deed = EntryDeed::kUpdated;
};
/// The entry as it is to be from now on; its stamp is later than the one before whatever the clock
/// says. Answers it as it will be stored.
Entry WriteChanged(store::Batch& batch, const Author& author, Instant now, EntryEdit edit);

/// Into the trash.
Entry WriteDeleted(store::Batch& batch, const Author& author, Instant now,
                   const store::Stored<Entry>& entry);

/// For good, with its history. Whoever listens hears once more that it is gone.
void WriteErased(store::Batch& batch, const store::Stored<Entry>& entry);

}  // namespace atrium::calendar
