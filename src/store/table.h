// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace atrium::store {

/// What may be done with the rows of a table. The kinds exist because a cluster pays very
/// different prices for them; embedded engines treat them alike, but the rules hold everywhere.
enum class TableKind : std::uint8_t {
  /// Rows with expectations and counters. The kind of everything people change.
  kGuarded,
  /// Content-addressed rows, written once by WriteImmutable() before the commit that makes them
  /// reachable. A commit may only erase them.
  kImmutable,
  /// Rows that can be computed from others. Written without expectations; on a cluster they may
  /// follow their commit by a moment, so a reader takes them for hints.
  kDerived,
  /// Rows numbered from one within their partition, written by Append alone.
  kLog,
};

/// A logical table. Declared once, constexpr, in the room that owns it.
struct Table {
  /// Part of every key on disk: given once, never used again for anything else. Numbers below 10
  /// belong to the engines, those below 100 to the store.
  std::uint16_t number = 0;
  /// In exports, metrics and errors: [a-z_]+, as permanent as the number.
  std::string_view name{};
  TableKind kind = TableKind::kGuarded;
  /// Tables of one placement group share their partitions: rows of equal partition bytes lie
  /// together, and a commit within one of them is a single conditional write on a cluster. Zero: a
  /// group of its own.
  std::uint16_t group = 0;

  friend bool operator==(const Table&, const Table&) = default;
};

/// Where rows of a table lie on a cluster: two tables with equal answers share partitions.
constexpr std::uint16_t PlacementOf(const Table& table) {
  return table.group == 0 ? table.number : table.group;
}

}  // namespace atrium::store
