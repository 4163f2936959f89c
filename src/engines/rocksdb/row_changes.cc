// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/rocksdb/row_changes.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "engines/rocksdb/layout.h"
#include "engines/rocksdb/status.h"

namespace atrium::rocks {
namespace {

/// A change of more rows would keep commits waiting behind it.
constexpr std::size_t kChangeBytes = std::size_t{512} << 10;

std::string EncodeRow(const store::Row& row) {
  std::vector<store::Counter> counters = row.counters;
  std::ranges::sort(counters, {}, &store::Counter::name);
  std::string encoded;
  if (!counters.empty()) {
    EncodeCounters(counters, encoded);
  }
  return EncodeValue({.version = row.version,
                      .expires_at = row.expires_at,
                      .counters = encoded,
                      .document = row.document});
}

}  // namespace

ImmutableChange::ImmutableChange(const store::Table& table,
                                 std::span<const store::ImmutableRow>& rows) {
  while (!rows.empty() && bytes_ < kChangeBytes) {
    const store::ImmutableRow& row = rows.front();
    std::string key = EncodeKey(table.number, row.key);
    const std::uint64_t hash = HashOf(key);
    const Target& target = targets_.emplace_back(NamedRow{.key = std::move(key), .hash = hash},
                                                 EncodeValue({.document = row.document}));
    bytes_ += sizeof(Target) + 2 * target.named.key.size() + 2 * target.value.size();
    rows = rows.subspan(1);
  }
}

Result<void> ImmutableChange::Prepare(const Database& database, std::uint64_t batch) {
  for (Target& target : targets_) {
    RETURN_IF_ERROR(ReadAhead(database, batch, target.named));
  }
  return {};
}

Result<store::Receipt> ImmutableChange::Decide(Batch& batch) {
  for (auto& [named, value] : targets_) {
    ASSIGN_OR_RETURN(const std::optional<std::string_view> found, batch.Find(named));
    const std::optional<ValueView> row = found ? DecodeValue(*found) : std::nullopt;
    if (found && !row) {
      return CorruptRow(named.key);
    }
    if (row && Exists(row->expires_at, batch.Now())) {
      continue;
    }
    SetVersion(value, batch.GetVersion());
    batch.Stage({.key = named.key, .hash = named.hash, .value = value});
  }
  return store::Receipt{.version = batch.GetVersion()};
}

LoadChange::LoadChange(const store::Table& table, std::span<const store::KeyedRow>& rows) {
  while (!rows.empty() && bytes_ < kChangeBytes) {
    const auto& [key, row] = rows.front();
    const Target& target = targets_.emplace_back(EncodeKey(table.number, key), EncodeRow(row));
    highest_ = std::max(highest_, row.version);
    bytes_ += sizeof(Target) + 2 * target.key.size() + 2 * target.value.size();
    rows = rows.subspan(1);
  }
}

Result<store::Receipt> LoadChange::Decide(Batch& batch) {
  batch.RaiseVersion(highest_);
  for (const auto& [key, value] : targets_) {
    batch.Stage({.key = key, .hash = HashOf(key), .value = value});
  }
  return store::Receipt{.version = batch.GetVersion()};
}

}  // namespace atrium::rocks
