// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/copier.h"

#include <span>
#include <utility>
#include <vector>

#include "calendar/entry_walk.h"
#include "calendar/entry_writes.h"
#include "calendar/room.h"
#include "store/once_only.h"

namespace atrium::calendar {
namespace {

/// As many as fit into a commit, each with its rows and a partition of its own; large ones do not.
constexpr std::size_t kAtOnce = 8;

Result<void> CopyEntries(Room& room, const store::OpContext& op, const Visitor& visitor,
                         const CalendarId& to, std::span<const store::Stored<Entry>> entries) {
  store::Batch batch;
  for (const store::Stored<Entry>& one : entries) {
    Entry entry = one.record;
    entry.id = EntryId(room.ground.ids.NewTimeUuid());
    entry.calendar_id = to;
    WriteNew(batch, AuthorFor(visitor), room.ground.clock.Now(), std::move(entry));
  }
  const Result<store::Receipt> receipt = room.ground.store.Commit(op, std::move(batch));
  if (receipt) {
    return {};
  }
  if (receipt.error().code != ErrorCode::kLimitExceeded || entries.size() == 1) {
    return std::unexpected(receipt.error());
  }
  const std::size_t half = entries.size() / 2;
  RETURN_IF_ERROR(CopyEntries(room, op, visitor, to, entries.first(half)));
  return CopyEntries(room, op, visitor, to, entries.subspan(half));
}

}  // namespace

Result<store::Stored<Calendar>> CopyCalendar(Room& room, const store::OpContext& op,
                                             const Visitor& visitor, const CalendarId& from,
                                             const std::optional<std::string>& name) {
  ASSIGN_OR_RETURN(const Seat seat, Enter(room.ground.store, op, visitor, from, Need::kRead));
  const Calendar& original = seat.calendar.record;
  ASSIGN_OR_RETURN(auto copy, room.calendars.Create(op, visitor,
                                                    {.name = name.value_or(original.name),
                                                     .color = original.color,
                                                     .description = original.description}));
  const store::OpContext rest = store::Unnamed(op);
  EntryWalk walk(room.ground.store, from);
  while (true) {
    ASSIGN_OR_RETURN(const auto page, walk.Next(rest));
    if (page.empty()) {
      return copy;
    }
    for (std::size_t at = 0; at < page.size(); at += kAtOnce) {
      const std::size_t count = std::min(kAtOnce, page.size() - at);
      RETURN_IF_ERROR(
          CopyEntries(room, rest, visitor, copy.record.id, std::span(page).subspan(at, count)));
    }
  }
}

}  // namespace atrium::calendar
