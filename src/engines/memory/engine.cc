// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/memory/engine.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <iterator>
#include <string_view>
#include <utility>

#include "engines/memory/attempt.h"
#include "store/key_bytes.h"

namespace atrium::engines {
namespace {

using store::KeyedRow;
using store::Row;
using Place = MemoryEngine::Place;
using Rows = MemoryEngine::Rows;

/// As many rows as a page holds, and whether there is one more.
struct Collected {
  std::vector<KeyedRow> rows{};
  bool more = false;
};

/// The first `limit` rows between two places of a map that exist at `now`.
template <typename Iterator>
Collected Collect(Iterator from, const Iterator& end, std::size_t limit, Instant now) {
  Collected collected;
  for (; from != end; ++from) {
    if (!Exists(from->second, now)) {
      continue;
    }
    if (collected.rows.size() == limit) {
      collected.more = true;
      return collected;
    }
    collected.rows.push_back({.key = from->first.key, .row = from->second});
  }
  return collected;
}

/// All rows of a partition within the bounds of the request; `after` is not looked at.
auto Bounds(const Rows& rows, const store::ScanRequest& request) {
  const auto at = [&](std::string partition, const std::string& sort) {
    return rows.lower_bound(
        {.table = request.table->number, .key = {.partition = std::move(partition), .sort = sort}});
  };
  const std::string partition(request.partition);
  const auto& [from, before] = request.range;
  const auto first = at(partition, from);
  if (!before.empty() && before <= from) {
    return std::pair(first, first);
  }
  // No bytes lie between a partition and the same with a 00 behind it.
  return std::pair(first, before.empty() ? at(partition + '\0', "") : at(partition, before));
}

Collected CollectScan(const Rows& rows, const store::ScanRequest& request, Instant now) {
  auto [first, last] = Bounds(rows, request);
  if (request.direction == store::Direction::kForward) {
    while (request.after && first != last && first->first.key.sort <= *request.after) {
      ++first;
    }
    return Collect(first, last, request.limit, now);
  }
  while (request.after && first != last && std::prev(last)->first.key.sort >= *request.after) {
    --last;
  }
  return Collect(std::reverse_iterator(last), std::reverse_iterator(first), request.limit, now);
}

void Deliver(const std::vector<KeyedRow>& rows, store::RowSink& sink) {
  for (const auto& [key, row] : rows) {
    sink.Take({.key = key,
               .document = row.document,
               .version = row.version,
               .expires_at = row.expires_at,
               .counters = row.counters});
  }
}

// Where a walk goes on: the partition as a KeyBytes text, then the sort key.

std::string WalkToken(const store::Key& key) {
  return store::KeyBytes().Text(key.partition).Raw(key.sort).Take();
}

Result<store::Key> ReadWalkToken(std::string_view token) {
  store::KeyReader reader(token);
  store::Key key;
  key.partition = reader.Text();
  key.sort = reader.Rest();
  if (reader.Failed()) {
    return FailPrivately(ErrorCode::kInvalidArgument, "a walk cannot go on from there");
  }
  return key;
}

std::size_t BytesOf(const Place& place, const Row& row) {
  std::size_t bytes = place.key.partition.size() + place.key.sort.size() + row.document.size();
  for (const store::Counter& counter : row.counters) {
    bytes += counter.name.size() + sizeof(counter.value);
  }
  return bytes;
}

}  // namespace

Result<void> MemoryEngine::CheckDeadline(const store::OpContext& op) const {
  if (op.deadline.HasPassed(clock_)) {
    return FailPrivately(ErrorCode::kDeadlineExceeded, "the deadline passed before the store");
  }
  return {};
}

store::Version MemoryEngine::NextVersion() const {
  const auto now = std::chrono::microseconds(clock_.Now().time_since_epoch()).count();
  return {std::max(last_version_.number + 1,
                   static_cast<std::uint64_t>(std::max<std::int64_t>(now, 0)))};
}

Result<std::optional<Row>> MemoryEngine::Get(const store::OpContext& op, const store::Table& table,
                                             const store::KeyView& key) {
  RETURN_IF_ERROR(CheckDeadline(op));
  const Place place{
      .table = table.number,
      .key = {.partition = std::string(key.partition), .sort = std::string(key.sort)}};
  const std::scoped_lock lock(mutex_);
  const auto found = rows_.find(place);
  if (found == rows_.end() || !Exists(found->second, clock_.Now())) {
    return std::nullopt;
  }
  return found->second;
}

Result<store::ScanEnd> MemoryEngine::Scan(const store::OpContext& op,
                                          const store::ScanRequest& request, store::RowSink& sink) {
  RETURN_IF_ERROR(CheckDeadline(op));
  // Copied first: a sink may ask the engine.
  Collected page;
  {
    const std::scoped_lock lock(mutex_);
    page = CollectScan(rows_, request, clock_.Now());
  }
  Deliver(page.rows, sink);
  if (!page.more) {
    return store::ScanEnd{};
  }
  return store::ScanEnd{.resume = page.rows.empty() ? request.after : page.rows.back().key.sort};
}

Result<store::Receipt> MemoryEngine::Commit(const store::OpContext& op, store::WriteSet writes) {
  RETURN_IF_ERROR(CheckDeadline(op));
  const std::scoped_lock lock(mutex_);
  Attempt attempt(rows_, {.version = NextVersion(), .now = clock_.Now()});
  RETURN_IF_ERROR(attempt.Run(writes));
  attempt.ApplyTo(rows_);
  last_version_ = attempt.GetReceipt().version;
  return attempt.GetReceipt();
}

Result<void> MemoryEngine::WriteImmutable(const store::OpContext& op, const store::Table& table,
                                          std::span<const store::ImmutableRow> rows) {
  RETURN_IF_ERROR(CheckDeadline(op));
  const std::scoped_lock lock(mutex_);
  const store::Version version = NextVersion();
  for (const store::ImmutableRow& row : rows) {
    const Place place{.table = table.number, .key = row.key};
    const auto found = rows_.find(place);
    if (found == rows_.end() || !Exists(found->second, clock_.Now())) {
      rows_[place] = {.document = row.document, .version = version};
      last_version_ = version;
    }
  }
  return {};
}

Result<store::WalkEnd> MemoryEngine::Walk(const store::OpContext& op,
                                          const store::WalkRequest& request, store::RowSink& sink) {
  RETURN_IF_ERROR(CheckDeadline(op));
  Place from{.table = request.table->number};
  if (request.after) {
    ASSIGN_OR_RETURN(from.key, ReadWalkToken(*request.after));
  }
  Collected page;
  {
    const std::scoped_lock lock(mutex_);
    const auto first = request.after ? rows_.upper_bound(from) : rows_.lower_bound(from);
    const auto last = std::find_if(first, rows_.end(), [&](const auto& entry) {
      return entry.first.table != request.table->number;
    });
    page = Collect(first, last, request.limit, clock_.Now());
  }
  Deliver(page.rows, sink);
  if (!page.more) {
    return store::WalkEnd{};
  }
  return store::WalkEnd{.resume =
                            page.rows.empty() ? request.after : WalkToken(page.rows.back().key)};
}

Result<void> MemoryEngine::Load(const store::OpContext& op, const store::Table& table,
                                std::span<const KeyedRow> rows) {
  RETURN_IF_ERROR(CheckDeadline(op));
  const std::scoped_lock lock(mutex_);
  for (const auto& [key, row] : rows) {
    Row& there = rows_[{.table = table.number, .key = key}];
    there = row;
    std::ranges::sort(there.counters, {}, &store::Counter::name);
    last_version_ = std::max(last_version_, row.version);
  }
  return {};
}

std::vector<store::Statistic> MemoryEngine::Statistics() {
  const std::scoped_lock lock(mutex_);
  std::size_t bytes = 0;
  for (const auto& [place, row] : rows_) {
    bytes += BytesOf(place, row);
  }
  return {{.name = "rows",
           .help = "Rows held, with those that expired and were not replaced.",
           .value = static_cast<double>(rows_.size())},
          {.name = "row_bytes",
           .help = "Bytes of keys, documents and counters held.",
           .value = static_cast<double>(bytes)}};
}

}  // namespace atrium::engines
