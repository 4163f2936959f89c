// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/rocksdb/reads.h"

#include <rocksdb/iterator.h>
#include <rocksdb/slice.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engines/rocksdb/key_order.h"
#include "engines/rocksdb/layout.h"
#include "engines/rocksdb/overlay.h"
#include "engines/rocksdb/recent_rows.h"
#include "engines/rocksdb/status.h"
#include "store/key_bytes.h"

namespace atrium::rocks {
namespace {

using rocksdb::Slice;

/// A page ends early when it had to pass over so many expired rows.
constexpr std::size_t kExpiredMax = 10'000;

/// The keys of a page: from `lower` on and before `upper`.
struct Stretch {
  std::string lower;
  std::string upper;

  bool Empty() const { return lower >= upper; }
};

Stretch StretchOf(const store::ScanRequest& request) {
  const std::string prefix = EncodeKey(request.table->number, {.partition = request.partition});
  Stretch stretch{.lower = prefix + request.range.from,
                  .upper = request.range.before.empty() ? store::PrefixEnd(prefix)
                                                        : prefix + request.range.before};
  if (!request.after) {
    return stretch;
  }
  if (request.direction == store::Direction::kForward) {
    // No key lies between one and the same with a 00 behind it.
    stretch.lower = std::max(stretch.lower, prefix + *request.after + '\0');
  } else {
    stretch.upper = std::min(stretch.upper, prefix + *request.after);
  }
  return stretch;
}

Stretch StretchOf(const store::WalkRequest& request) {
  const std::string prefix = TablePrefix(request.table->number);
  return {.lower = request.after ? prefix + *request.after + '\0' : prefix,
          .upper = store::PrefixEnd(prefix)};
}

/// Hands the rows under an iterator to a sink, until there are enough of them.
class Delivery {
 public:
  Delivery(store::RowSink& sink, std::size_t limit, const Clock& clock)
      : sink_(sink), limit_(limit), now_(clock.Now()) {}

  enum class Next : std::uint8_t { kGoOn, kEnough, kCorrupt };

  Next Take(Slice key, Slice value) {
    const std::optional<store::KeyView> name = DecodeKey(key.ToStringView());
    const std::optional<ValueView> row = DecodeValue(value.ToStringView());
    if (!name || !row || !DecodeCounters(row->counters, counters_)) {
      return Next::kCorrupt;
    }
    if (!Exists(row->expires_at, now_)) {
      return ++expired_ == kExpiredMax ? Remember(key), Next::kEnough : Next::kGoOn;
    }
    if (taken_ == limit_) {
      return Next::kEnough;
    }
    sink_.Take({.key = *name,
                .document = row->document,
                .version = row->version,
                .expires_at = row->expires_at,
                .counters = counters_});
    if (++taken_ == limit_) {
      Remember(key);
    }
    return Next::kGoOn;
  }

  /// The key to go on behind, once Take() said kEnough.
  std::string_view Last() const { return last_; }

 private:
  void Remember(Slice key) { last_.assign(key.data(), key.size()); }

  store::RowSink& sink_;
  std::size_t limit_;
  Instant now_;
  std::size_t taken_ = 0;
  std::size_t expired_ = 0;
  std::string last_;
  std::vector<store::Counter> counters_;
};

/// Whether it ended because there are enough.
Result<bool> Deliver(rocksdb::Iterator& rows, store::Direction direction, Delivery& delivery) {
  while (rows.Valid()) {
    switch (delivery.Take(rows.key(), rows.value())) {
      case Delivery::Next::kGoOn:
        break;
      case Delivery::Next::kEnough:
        return true;
      case Delivery::Next::kCorrupt:
        return CorruptRow(rows.key().ToStringView());
    }
    direction == store::Direction::kForward ? rows.Next() : rows.Prev();
  }
  RETURN_IF_ERROR(ToResult(rows.status(), "scan"));
  return false;
}

/// Filters know the partition of the key a scan begins at. Forwards that is a key of the partition;
/// backwards it may be the first key behind it, which they would not find.
rocksdb::ReadOptions ScanOptions(store::Direction direction, const Slice& lower,
                                 const Slice& upper) {
  rocksdb::ReadOptions options;
  if (direction == store::Direction::kForward) {
    options.iterate_upper_bound = &upper;
  } else {
    options.iterate_lower_bound = &lower;
    options.total_order_seek = true;
  }
  return options;
}

Result<void> CheckLimit(std::size_t limit) {
  if (limit == 0) {
    return FailPrivately(ErrorCode::kInvalidArgument, "a page of no rows");
  }
  return {};
}

void SeekFirst(rocksdb::Iterator& rows, store::Direction direction, const Stretch& stretch) {
  if (direction == store::Direction::kForward) {
    rows.Seek(stretch.lower);
    return;
  }
  rows.SeekForPrev(stretch.upper);
  if (rows.Valid() && rows.key() == Slice(stretch.upper)) {
    rows.Prev();
  }
}

/// The row of a value; nullopt when it expired.
Result<std::optional<store::Row>> ToRow(std::string_view key, std::string_view value,
                                        const Clock& clock) {
  const std::optional<ValueView> found = DecodeValue(value);
  store::Row row;
  if (!found || !DecodeCounters(found->counters, row.counters)) {
    return CorruptRow(key);
  }
  if (found->expires_at && !Exists(found->expires_at, clock.Now())) {
    return std::nullopt;
  }
  row.document = found->document;
  row.version = found->version;
  row.expires_at = found->expires_at;
  return row;
}

}  // namespace

Result<void> CheckDeadline(const store::OpContext& op, const Clock& clock) {
  if (op.deadline.HasPassed(clock)) {
    return FailPrivately(ErrorCode::kDeadlineExceeded, "the deadline passed before the store");
  }
  return {};
}

Result<std::optional<store::Row>> Reads::Get(const store::OpContext& op, const store::Table& table,
                                             const store::KeyView& key) const {
  RETURN_IF_ERROR(CheckDeadline(op, clock_));
  ASSIGN_OR_RETURN(const Gate::Pass pass, Enter(database_));
  const KeyBuffer bytes(table.number, key);
  const std::uint64_t hash = HashOf(bytes.View());
  Result<std::optional<store::Row>> recent = std::nullopt;
  const bool is_recent = database_.recent->Find(bytes.View(), hash, [&](RecentRows::Value value) {
    if (value) {
      recent = ToRow(bytes.View(), *value, clock_);
    }
  });
  if (is_recent) {
    return recent;
  }
  const RecentRows::Ticket ticket = database_.recent->Draw(hash);
  rocksdb::DB& db = *database_.db;
  rocksdb::PinnableSlice value;
  const rocksdb::Status status = db.Get({}, db.DefaultColumnFamily(), Slice(bytes.View()), &value);
  if (status.IsNotFound()) {
    // Of what is content-addressed, clients ask for thousands that are not there, and once.
    if (table.kind != store::TableKind::kImmutable) {
      database_.recent->Offer(bytes.View(), hash, std::nullopt, ticket);
    }
    return std::nullopt;
  }
  RETURN_IF_ERROR(ToResult(status, "get"));
  database_.recent->Offer(bytes.View(), hash, value.ToStringView(), ticket);
  return ToRow(bytes.View(), value.ToStringView(), clock_);
}

/// Past the rows that were read lately: one pass over filters and files is what makes many cheap.
Result<std::vector<std::optional<store::Row>>> Reads::GetMany(
    const store::OpContext& op, const store::Table& table, std::span<const store::Key> keys) const {
  RETURN_IF_ERROR(CheckDeadline(op, clock_));
  ASSIGN_OR_RETURN(const Gate::Pass pass, Enter(database_));
  std::vector<std::string> names;
  names.reserve(keys.size());
  for (const store::Key& key : keys) {
    names.push_back(EncodeKey(table.number, key));
  }
  // The database would sort them, too, but it compares more than bytes.
  const std::vector<std::size_t> order = OrderByKey(names, std::identity());
  std::vector<Slice> slices;
  slices.reserve(names.size());
  for (const std::size_t i : order) {
    slices.emplace_back(names[i]);
  }
  std::vector<rocksdb::PinnableSlice> values(names.size());
  std::vector<rocksdb::Status> statuses(names.size());
  rocksdb::DB& db = *database_.db;
  db.MultiGet({}, db.DefaultColumnFamily(), slices.size(), slices.data(), values.data(),
              statuses.data(), /*sorted_input=*/true);
  std::vector<std::optional<store::Row>> rows(names.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (statuses[i].IsNotFound()) {
      continue;
    }
    RETURN_IF_ERROR(ToResult(statuses[i], "get"));
    ASSIGN_OR_RETURN(rows[order[i]], ToRow(names[order[i]], values[i].ToStringView(), clock_));
  }
  return rows;
}

Result<store::ScanEnd> Reads::Scan(const store::OpContext& op, const store::ScanRequest& request,
                                   store::RowSink& sink) const {
  RETURN_IF_ERROR(CheckDeadline(op, clock_));
  RETURN_IF_ERROR(CheckLimit(request.limit));
  ASSIGN_OR_RETURN(const Gate::Pass pass, Enter(database_));
  const Stretch stretch = StretchOf(request);
  if (stretch.Empty()) {
    return store::ScanEnd{};
  }
  const Slice lower(stretch.lower);
  const Slice upper(stretch.upper);
  const std::unique_ptr<rocksdb::Iterator> rows(
      database_.db->NewIterator(ScanOptions(request.direction, lower, upper)));
  SeekFirst(*rows, request.direction, stretch);
  Delivery delivery(sink, request.limit, clock_);
  ASSIGN_OR_RETURN(const bool more, Deliver(*rows, request.direction, delivery));
  if (!more) {
    return store::ScanEnd{};
  }
  return store::ScanEnd{
      .resume = std::string(delivery.Last().substr(kPrefixHeadBytes + request.partition.size()))};
}

Result<store::WalkEnd> Reads::Walk(const store::OpContext& op, const store::WalkRequest& request,
                                   store::RowSink& sink) const {
  RETURN_IF_ERROR(CheckDeadline(op, clock_));
  RETURN_IF_ERROR(CheckLimit(request.limit));
  ASSIGN_OR_RETURN(const Gate::Pass pass, Enter(database_));
  const Stretch stretch = StretchOf(request);
  const Slice upper(stretch.upper);
  rocksdb::ReadOptions options;
  options.total_order_seek = true;
  // Whoever reads everything must not push out what others read often.
  options.fill_cache = false;
  if (!stretch.upper.empty()) {
    options.iterate_upper_bound = &upper;
  }
  const std::unique_ptr<rocksdb::Iterator> rows(database_.db->NewIterator(options));
  rows->Seek(stretch.lower);
  Delivery delivery(sink, request.limit, clock_);
  ASSIGN_OR_RETURN(const bool more, Deliver(*rows, store::Direction::kForward, delivery));
  if (!more) {
    return store::WalkEnd{};
  }
  return store::WalkEnd{.resume = std::string(delivery.Last().substr(kTableBytes))};
}

}  // namespace atrium::rocks
