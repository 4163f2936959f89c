// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/entry_walk.h"

#include <utility>

#include "calendar/keys.h"
#include "calendar/time_index.h"
#include "store/row.h"

namespace atrium::calendar {
namespace {

constexpr std::size_t kPage = 100;
/// Whoever walks works with one page at a time, and has no more than that in memory.
constexpr std::size_t kPageBytes = std::size_t{1} << 20;

}  // namespace

EntryWalk::EntryWalk(store::Engine& engine, const CalendarId& calendar)
    : engine_(engine), partition_(PartitionOf(calendar)) {}

Result<std::vector<store::Stored<Entry>>> EntryWalk::Next(const store::OpContext& op) {
  std::vector<store::Stored<Entry>> entries;
  while (entries.empty() && !at_end_) {
    Result<void> outcome;
    std::size_t bytes = 0;
    std::optional<std::string> cut;
    store::FunctionSink sink([&](const store::RowView& row) {
      if (bytes >= kPageBytes) {
        return;
      }
      bytes += row.document.size();
      if (bytes >= kPageBytes) {
        cut = row.key.sort;
      }
      auto stored = store::DecodeRecord<Entry>(row.document, row.version);
      if (!stored) {
        outcome = std::unexpected(std::move(stored).error());
      } else if (IsFirstRow(row.key.sort, stored->record)) {
        entries.push_back(*std::move(stored));
      }
    });
    ASSIGN_OR_RETURN(store::ScanEnd end, engine_.Scan(op,
                                                      {.table = &kEntriesByTime,
                                                       .partition = partition_,
                                                       .limit = kPage,
                                                       .after = std::move(after_)},
                                                      sink));
    RETURN_IF_ERROR(outcome);
    after_ = cut ? std::move(cut) : std::move(end.resume);
    at_end_ = !after_;
  }
  return entries;
}

}  // namespace atrium::calendar
