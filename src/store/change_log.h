// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/engine.h"
#include "store/table.h"
#include "store/write_set.h"

namespace atrium::store {

/// The log of everybody who needs none of their own; a partition is a topic.
inline constexpr Table kChanges{.number = 11, .name = "changes", .kind = TableKind::kLog};

/// How many changes of a topic are kept, so that a reader who was away can catch up.
inline constexpr std::uint64_t kChangesKept = 10'000;

/// A line of the log, to be committed with what it tells of.
Append AppendChange(const Table& log, std::string topic, std::string document);

struct Change {
  /// From 1, without gaps, in the order of the commits of the topic.
  std::uint64_t id = 0;
  std::string document{};

  friend bool operator==(const Change&, const Change&) = default;
};

struct ChangePage {
  /// Oldest first, each behind the one before.
  std::vector<Change> changes{};
  /// Some of what the reader has not seen is gone, or it knows of changes this store never had: it
  /// must load everything anew and go on from `last`. There are no changes on such a page.
  bool refresh_required = false;
  /// The newest id of the topic; zero when there never was one.
  std::uint64_t last = 0;
};

struct ChangeRequest {
  const Table* log = &kChanges;
  std::string_view topic{};
  /// The last id the reader has seen.
  std::uint64_t after = 0;
  std::size_t limit = 100;
};

/// What happened behind `after`. A reader that has never read begins with LastChange() and loads
/// the state afterwards: it may see a change twice, and never misses one.
Result<ChangePage> ReadChanges(Engine& engine, const OpContext& op, const ChangeRequest& request);

/// The newest id of the topic; zero when there never was one.
Result<std::uint64_t> LastChange(Engine& engine, const OpContext& op, const Table& log,
                                 std::string_view topic);

}  // namespace atrium::store
