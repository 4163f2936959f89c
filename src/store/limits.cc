// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "store/limits.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

namespace atrium::store {
namespace {

std::unexpected<Error> TooMuch(std::string what) {
  return FailPrivately(ErrorCode::kLimitExceeded, std::move(what));
}

std::unexpected<Error> Wrong(const Table& table, const std::string& what) {
  return FailPrivately(ErrorCode::kInvalidArgument,
                       "table " + std::string(table.name) + ": " + what);
}

Result<void> CheckDocument(const Table& table, std::size_t bytes) {
  if (bytes > kDocumentBytesMax) {
    return TooMuch("a document of " + std::to_string(bytes) + " bytes for table " +
                   std::string(table.name));
  }
  return {};
}

/// Why this mutation does not suit this kind of table; empty when it does.
struct KindRule {
  TableKind kind;

  std::string operator()(const Put& put) const {
    switch (kind) {
      case TableKind::kGuarded:
        return {};
      case TableKind::kDerived:
        return put.expect.GetKind() == Expectation::Kind::kNone ? ""
                                                                : "derived rows expect nothing";
      case TableKind::kImmutable:
        return "immutable rows are written before the commit";
      case TableKind::kLog:
        return "a log is only appended to";
    }
    return {};
  }
  std::string operator()(const Erase& erase) const {
    if (kind == TableKind::kLog) {
      return "a log is only appended to";
    }
    return kind == TableKind::kGuarded || erase.expect.GetKind() == Expectation::Kind::kNone
               ? ""
               : "only guarded rows have expectations";
  }
  std::string operator()(const Add& add) const {
    if (add.counter.empty() || add.counter.size() > kCounterNameBytesMax) {
      return "the name of a counter has 1 to 64 bytes";
    }
    return kind == TableKind::kGuarded ? "" : "only guarded rows have counters";
  }
  std::string operator()(const Check& /*check*/) const {
    return kind == TableKind::kGuarded ? "" : "only guarded rows have expectations";
  }
  std::string operator()(const Append& /*append*/) const {
    return kind == TableKind::kLog ? "" : "only a log is appended to";
  }
};

/// One row that a write set names, and how large what it writes is.
struct Named {
  const Table* table;
  KeyView key;
  std::size_t bytes;
  std::string_view counter;

  auto Place() const { return std::tuple(PlacementOf(*table), key.partition); }
  auto Row() const { return std::tuple(table->number, key.partition, key.sort, counter); }
};

Named NamedBy(const Mutation& mutation) {
  return std::visit(
      [](const auto& of) -> Named {
        using Of = std::decay_t<decltype(of)>;
        if constexpr (std::same_as<Of, Append>) {
          return {of.table, {.partition = of.partition}, of.document.size(), {}};
        } else if constexpr (std::same_as<Of, Put>) {
          return {of.table, of.key, of.document.size(), {}};
        } else if constexpr (std::same_as<Of, Add>) {
          return {of.table, of.key, of.counter.size() + sizeof(of.delta), of.counter};
        } else {
          return {of.table, of.key, 0, {}};
        }
      },
      mutation);
}

/// Sorted by row: an Add beside another mutation of its row, or two of one counter, is a row named
/// twice. Several appends to one log are several rows.
bool NamesTwice(const Named& one, const Named& other) {
  if (one.table->kind == TableKind::kLog || one.table->number != other.table->number ||
      one.key != other.key) {
    return false;
  }
  return one.counter.empty() || other.counter.empty() || one.counter == other.counter;
}

Result<void> CheckDistinct(std::vector<Named>& named) {
  std::ranges::sort(named, {}, &Named::Row);
  const auto twice = std::ranges::adjacent_find(named, NamesTwice);
  return twice == named.end() ? Result<void>() : Wrong(*twice->table, "a row is named twice");
}

/// Rows that expect nothing may lie anywhere: a cluster writes them without asking.
Result<void> CheckPartitions(std::vector<Named>& named) {
  std::erase_if(named, [](const Named& one) { return one.table->kind == TableKind::kDerived; });
  std::ranges::sort(named, {}, &Named::Place);
  const auto rest = std::ranges::unique(named, {}, &Named::Place);
  const auto partitions = static_cast<std::size_t>(rest.begin() - named.begin());
  return partitions <= kPartitionsMax
             ? Result<void>()
             : TooMuch("a commit over " + std::to_string(partitions) + " partitions");
}

}  // namespace

Result<void> CheckKey(const KeyView& key) {
  if (key.partition.empty()) {
    return FailPrivately(ErrorCode::kInvalidArgument, "an empty partition key");
  }
  if (std::max(key.partition.size(), key.sort.size()) > kKeyPartBytesMax) {
    return TooMuch("a key part of more than " + std::to_string(kKeyPartBytesMax) + " bytes");
  }
  return {};
}

Result<void> CheckKeys(std::span<const Key> keys) {
  if (keys.size() > kScanRowsMax) {
    return FailPrivately(ErrorCode::kLimitExceeded, "too many rows are asked for at once");
  }
  for (const Key& key : keys) {
    RETURN_IF_ERROR(CheckKey(key));
  }
  return {};
}

Result<void> CheckLimits(const WriteSet& writes) {
  if (writes.mutations.empty()) {
    return FailPrivately(ErrorCode::kInvalidArgument, "a commit of nothing");
  }
  if (writes.mutations.size() > kRowsMax) {
    return TooMuch("a commit of " + std::to_string(writes.mutations.size()) + " rows");
  }
  std::vector<Named> named;
  named.reserve(writes.mutations.size());
  std::size_t bytes = 0;
  for (const Mutation& mutation : writes.mutations) {
    const Named& row = named.emplace_back(NamedBy(mutation));
    RETURN_IF_ERROR(CheckKey(row.key));
    RETURN_IF_ERROR(CheckDocument(*row.table, row.bytes));
    if (const std::string wrong = std::visit(KindRule{row.table->kind}, mutation); !wrong.empty()) {
      return Wrong(*row.table, wrong);
    }
    bytes += row.bytes + row.key.partition.size() + row.key.sort.size();
  }
  if (bytes > kCommitBytesMax) {
    return TooMuch("a commit of " + std::to_string(bytes) + " bytes");
  }
  RETURN_IF_ERROR(CheckDistinct(named));
  return CheckPartitions(named);
}

Result<void> CheckImmutable(const Table& table, std::span<const ImmutableRow> rows) {
  if (table.kind != TableKind::kImmutable) {
    return Wrong(table, "its rows are not immutable");
  }
  for (const ImmutableRow& row : rows) {
    RETURN_IF_ERROR(CheckKey(row.key));
    RETURN_IF_ERROR(CheckDocument(table, row.document.size()));
  }
  return {};
}

Result<void> CheckScan(const ScanRequest& request) {
  if (request.limit == 0 || request.limit > kScanRowsMax) {
    return FailPrivately(ErrorCode::kInvalidArgument,
                         "a page of " + std::to_string(request.limit) + " rows");
  }
  return CheckKey({.partition = request.partition});
}

Result<void> CheckWalk(const WalkRequest& request) {
  if (request.limit == 0 || request.limit > kWalkRowsMax) {
    return FailPrivately(ErrorCode::kInvalidArgument,
                         "a page of " + std::to_string(request.limit) + " rows");
  }
  return {};
}

}  // namespace atrium::store
