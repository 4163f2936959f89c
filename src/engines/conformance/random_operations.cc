// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/conformance/random_operations.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "engines/conformance/tables.h"
#include "store/limits.h"

namespace atrium::engines {
namespace {

using std::chrono::milliseconds;
using store::Expectation;
using store::Key;
using store::Table;

constexpr std::array<const Table*, 4> kGuarded = {&kThings, &kOthers, &kLowByte, &kHighByte};
constexpr std::array<const Table*, 2> kLogs = {&kLog, &kOtherLog};
constexpr std::array<std::string_view, 5> kPartitions = {
    "p", {"p\0", 2}, {"p\0\xff", 3}, "pp", "\xff"};
constexpr std::array<std::string_view, 9> kSorts = {
    "", {"\0", 1}, {"\0\0", 2}, "a", {"a\0", 2}, "ab", "b", "\xff", "\xff\xff"};
constexpr std::array<std::string_view, 3> kCounters = {"x", "y", "z"};
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
constexpr std::array<std::int64_t, 10> kDeltas = {1, 1, 1, -1, -1, 0, 7, -7, kMax, kMin};

/// An engine may destroy what has been expired for long, so the clock never runs back that far.
constexpr milliseconds kBackMax = std::chrono::minutes(30);
/// How many versions an outdated expectation is taken from.
constexpr std::size_t kSeenMax = 200;

}  // namespace

std::size_t OperationSource::Below(std::size_t end) {
  // Not a distribution of the library: those differ between libraries, and a seed is for ever.
  return static_cast<std::size_t>(random_() % end);
}

Operation OperationSource::Next() {
  const std::size_t dice = Below(10'000);
  if (dice < 5500) {
    return NextCommit();
  }
  if (dice < 7500) {
    return GetRow{.table = OneOf<const Table*>(kTables), .key = NextKey()};
  }
  if (dice < 8800) {
    return NextScan();
  }
  if (dice < 8850) {
    return WalkTable{.table = OneOf<const Table*>(kTables), .limit = 1 + Below(20)};
  }
  if (dice < 9100) {
    return NextObjects();
  }
  if (dice < 9180) {
    return NextLoad();
  }
  if (dice < 9995) {
    return NextMove();
  }
  return dice < 9998 ? Operation(Reopen{}) : Operation(Compact{});
}

void OperationSource::Saw(store::Version model, store::Version other) {
  highest_ = std::max({highest_, model, other});
  if (seen_.size() == kSeenMax) {
    seen_.erase(seen_.begin());
  }
  seen_.push_back(model);
}

store::WriteSet OperationSource::NextCommit() {
  // What the layer above the engines would refuse is not for them to see.
  while (true) {
    store::WriteSet writes;
    const std::size_t mutations = 1 + Below(OneIn(10) ? 12 : 4);
    for (std::size_t i = 0; i < mutations; ++i) {
      writes.mutations.push_back(NextMutation());
    }
    if (store::CheckLimits(writes)) {
      return writes;
    }
  }
}

store::Mutation OperationSource::NextMutation() {
  const Table* guarded = OneOf<const Table*>(kGuarded);
  const Key key = NextKey();
  switch (Below(12)) {
    case 0:
    case 1:
    case 2:
      return store::Put{.table = guarded,
                        .key = key,
                        .document = NextDocument(),
                        .expect = NextExpectation(*guarded, key),
                        .expires_at = NextExpiry()};
    case 3:
      return store::Put{
          .table = &kList, .key = key, .document = NextDocument(), .expires_at = NextExpiry()};
    case 4:
      return store::Erase{.table = &kList, .key = key};
    case 5:
      return store::Erase{.table = &kObjects, .key = key};
    case 6:
    case 7:
      return store::Erase{.table = guarded, .key = key, .expect = NextExpectation(*guarded, key)};
    case 8:
    case 9:
      return NextAdd(guarded);
    case 10:
      return NextAppend();
    default:
      return store::Check{.table = guarded, .key = key, .expect = NextExpectation(*guarded, key)};
  }
}

store::Mutation OperationSource::NextAdd(const Table* table) {
  const Key key = NextKey();
  store::Add add{.table = table,
                 .key = key,
                 .counter = std::string(OneOf<std::string_view>(kCounters)),
                 .delta = OneOf<std::int64_t>(kDeltas),
                 .expect = NextExpectation(*table, key)};
  if (OneIn(3)) {
    add.at_most = static_cast<std::int64_t>(Below(20));
  }
  if (OneIn(3)) {
    add.at_least = -static_cast<std::int64_t>(Below(20));
  }
  return add;
}

store::Mutation OperationSource::NextAppend() {
  store::Append append{.table = OneOf<const Table*>(kLogs),
                       .partition = NextPartition(),
                       .document = NextDocument(),
                       .expires_at = NextExpiry(),
                       .keep = 6};
  if (OneIn(8)) {
    append.keep = Below(10);
  }
  return append;
}

ScanPages OperationSource::NextScan() {
  ScanPages scan{.table = OneOf<const Table*>(kTables),
                 .partition = NextPartition(),
                 .range = {},
                 .limit = 1 + Below(6),
                 .direction = OneIn(2) ? store::Direction::kForward : store::Direction::kBackward,
                 .after = {}};
  if (OneIn(2)) {
    scan.range.from = NextSort();
  }
  if (OneIn(2)) {
    scan.range.before = NextSort();
  }
  if (OneIn(4)) {
    scan.after = NextSort();
  }
  return scan;
}

LoadRows OperationSource::NextLoad() {
  LoadRows load{.table = OneOf<const Table*>(kGuarded), .rows = {}};
  const std::size_t rows = 1 + Below(3);
  for (std::size_t i = 0; i < rows; ++i) {
    // Old rows of an export mostly, and now and then one of a server whose clock was ahead.
    const store::Version version{OneIn(4) ? highest_.number + 1 + Below(5000) : ++loaded_};
    highest_ = std::max(highest_, version);
    store::Row row{.document = NextDocument(), .version = version, .expires_at = NextExpiry()};
    if (OneIn(2)) {
      row.counters = {{.name = "x", .value = static_cast<std::int64_t>(Below(5))},
                      {.name = "y", .value = -1}};
    }
    load.rows.push_back({.key = NextKey(), .row = std::move(row)});
  }
  return load;
}

WriteObjects OperationSource::NextObjects() {
  WriteObjects objects;
  const std::size_t rows = 1 + Below(4);
  for (std::size_t i = 0; i < rows; ++i) {
    store::ImmutableRow row{.key = NextKey(), .document = NextDocument()};
    // Of equal keys with unequal documents, in one call, nothing is said.
    if (std::ranges::find(objects.rows, row.key, &store::ImmutableRow::key) == objects.rows.end()) {
      objects.rows.push_back(std::move(row));
    }
  }
  return objects;
}

MoveTime OperationSource::NextMove() {
  const Instant now = clock_.Now();
  latest_ = std::max(latest_.value_or(now), now);
  const auto some = milliseconds(Below(20));
  if (OneIn(200)) {
    return {.by = std::chrono::hours(2)};
  }
  if (OneIn(4) && now - some > *latest_ - kBackMax) {
    return {.by = -some};
  }
  return {.by = some};
}

std::string OperationSource::NextPartition() {
  return std::string(OneOf<std::string_view>(kPartitions));
}

std::string OperationSource::NextSort() {
  // Numbers too, for logs.
  return OneIn(10) ? store::SequenceKey(Below(300)) : std::string(OneOf<std::string_view>(kSorts));
}

Key OperationSource::NextKey() {
  return {.partition = NextPartition(), .sort = NextSort()};
}

std::string OperationSource::NextDocument() {
  std::string document = "{" + std::to_string(++documents_) + "}";
  document.resize(document.size() + Below(OneIn(100) ? 20'000 : 40), ' ');
  return document;
}

std::optional<Instant> OperationSource::NextExpiry() {
  if (!OneIn(3)) {
    return std::nullopt;
  }
  return clock_.Now() + milliseconds(Below(80)) - milliseconds(3);
}

Expectation OperationSource::NextExpectation(const Table& table, const Key& key) {
  if (OneIn(2)) {
    return Expectation::None();
  }
  const auto row = model_.Get(store::OpContext::ForWork("test"), table, key);
  const bool there = row && row->has_value();
  if (OneIn(12)) {
    return there ? Expectation::Absent() : Expectation::Present();
  }
  if (OneIn(12) && !seen_.empty()) {
    return Expectation::At(seen_[Below(seen_.size())]);
  }
  if (!there) {
    return Expectation::Absent();
  }
  return OneIn(2) ? Expectation::Present() : Expectation::At((*row)->version);
}

}  // namespace atrium::engines
