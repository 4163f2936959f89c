// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/entry_writes.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "base/json_write.h"
#include "calendar/keys.h"
#include "store/write_set.h"

namespace atrium::calendar {
namespace {

void AddHistory(store::Batch& batch, const Author& author, EntryDeed deed, const Entry& entry,
                std::optional<Entry> before) {
  EntryTrace trace;
  trace.number = entry.sequence;
  trace.at = entry.updated_at;
  trace.by = author.user;
  trace.label = author.label;
  trace.deed = deed;
  trace.before = std::move(before);
  batch.Add(store::Put{.table = &kEntryHistory,
                       .key = HistoryKey(entry.id, entry.sequence),
                       .document = ToJson(trace),
                       .expect = store::Expectation::Fresh()});
  if (entry.sequence >= kHistoryKept) {
    batch.Add(store::Erase{.table = &kEntryHistory,
                           .key = HistoryKey(entry.id, entry.sequence - kHistoryKept)});
  }
}

}  // namespace

Entry WriteNew(store::Batch& batch, const Author& author, Instant now, Entry entry) {
  entry.sequence = 0;
  entry.created_at = now;
  entry.updated_at = now;
  entry.created_by = author.user;
  entry.updated_by = author.user;
  batch.CreateFresh(Entries(), entry);
  AddHistory(batch, author, EntryDeed::kCreated, entry, std::nullopt);
  return entry;
}

Entry WriteChanged(store::Batch& batch, const Author& author, Instant now, EntryEdit edit) {
  const Entry& before = edit.before.record;
  Entry entry = std::move(edit.after);
  entry.updated_at = std::max(now, before.updated_at + std::chrono::milliseconds(1));
  entry.updated_by = author.user;
  entry.sequence = before.sequence + 1;
  batch.Replace(Entries(), edit.before, entry);
  AddHistory(batch, author, edit.deed, entry, before);
  return entry;
}

Entry WriteDeleted(store::Batch& batch, const Author& author, Instant now,
                   const store::Stored<Entry>& entry) {
  Entry deleted = entry.record;
  deleted.deleted_at = now;
  return WriteChanged(batch, author, now,
                      {.before = entry, .after = std::move(deleted), .deed = EntryDeed::kDeleted});
}

void WriteErased(store::Batch& batch, const store::Stored<Entry>& entry) {
  batch.Erase(Entries(), entry);
  const std::uint32_t newest = entry.record.sequence;
  // Many rows, which is why each entry is a commit of its own.
  for (std::uint32_t back = 0; back < kHistoryKept && back <= newest; ++back) {
    batch.Add(
        store::Erase{.table = &kEntryHistory, .key = HistoryKey(entry.record.id, newest - back)});
  }
}

}  // namespace atrium::calendar
