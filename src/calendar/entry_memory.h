// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/instant.h"
#include "base/result.h"
#include "calendar/access.h"
#include "calendar/entries.h"
#include "calendar/records.h"
#include "jobs/job.h"
#include "store/ground.h"

namespace atrium::calendar {

/// How long what was deleted can be had back.
inline constexpr std::chrono::days kTrashKept{30};

/// What is remembered of entries: their history, and what was deleted.
class EntryMemory {
 public:
  using Found = store::Stored<Entry>;

  explicit EntryMemory(const store::Ground& ground) : ground_(ground) {}

  /// Newest first; also of an entry in the trash.
  Result<std::vector<EntryChange>> History(const store::OpContext& op, const Visitor& visitor,
                                           const EntryId& id) const;

  /// As it was after the change of that number, in the calendar where it is now. kNotFound when
  /// that is not remembered.
  Result<Found> Revert(const store::OpContext& op, const Visitor& visitor, const EntryId& id,
                       std::uint32_t number, const VersionCheck& check);

  /// As it was before the last change: a deleted entry comes back, a moved one goes back.
  /// kRefusedByState when there is nothing before, or no way back into the other calendar.
  Result<Found> Undo(const store::OpContext& op, const Visitor& visitor, const EntryId& id,
                     const VersionCheck& check);

  /// Out of the trash. kRefusedByState when it is not in there.
  Result<Found> Restore(const store::OpContext& op, const Visitor& visitor, const EntryId& id,
                        const VersionCheck& check);

  struct TrashPage {
    std::vector<Found> entries{};
    std::optional<std::string> resume{};
  };
  Result<TrashPage> Trash(const store::OpContext& op, const Visitor& visitor,
                          const CalendarId& calendar, std::size_t limit,
                          std::optional<std::string> after) const;

  /// Erases for good what has lain in the trash for long enough, with its history.
  Result<std::size_t> Purge(jobs::JobContext& context);

 private:
  Result<Found> LoadAny(const store::OpContext& op, const Visitor& visitor, const EntryId& id,
                        Need need) const;
  Result<std::vector<EntryTrace>> Traces(const store::OpContext& op, const EntryId& id) const;
  Result<std::optional<Entry>> StateAfter(const store::OpContext& op, const Entry& now,
                                          std::uint32_t number) const;
  Result<Found> Become(const store::OpContext& op, const Visitor& visitor, const Found& now,
                       Entry then);
  Result<void> CheckWayBack(const store::OpContext& op, const Visitor& visitor, const Entry& now,
                            const Entry& then) const;
  Result<void> CheckUid(const store::OpContext& op, const Entry& entry) const;
  Result<bool> PurgeOne(const store::Key& key, Instant before);

  const store::Ground ground_;
};

}  // namespace atrium::calendar
