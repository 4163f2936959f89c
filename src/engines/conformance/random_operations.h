// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "base/instant.h"
#include "store/engine.h"
#include "store/row.h"
#include "store/table.h"
#include "store/write_set.h"

namespace atrium::engines {

struct GetRow {
  const store::Table* table;
  store::Key key;
};
/// All pages from the first on.
struct ScanPages {
  const store::Table* table;
  std::string partition;
  store::Range range;
  std::size_t limit;
  store::Direction direction;
  std::optional<std::string> after;
};
struct WalkTable {
  const store::Table* table;
  std::size_t limit;
};
struct WriteObjects {
  std::vector<store::ImmutableRow> rows;
};
struct LoadRows {
  const store::Table* table;
  std::vector<store::KeyedRow> rows;
};
/// Forwards or backwards.
struct MoveTime {
  std::chrono::milliseconds by;
};
struct Reopen {};
/// Whatever an engine does to its files now and then, all of it at once.
struct Compact {};

using Operation = std::variant<store::WriteSet, GetRow, ScanPages, WalkTable, WriteObjects,
                               LoadRows, MoveTime, Reopen, Compact>;

/// On one line, for the message of a failure.
std::string Describe(const Operation& operation);

/// Operations without end, the same for the same seed as long as the model answers the same. Few
/// keys, so that they meet; awkward bytes in all of them.
class OperationSource {
 public:
  /// `model` and `clock` are asked what is there, so that most expectations hold. Both outlive
  /// this.
  OperationSource(std::uint64_t seed, store::Engine& model, const Clock& clock)
      : random_(seed), model_(model), clock_(clock) {}

  Operation Next();

  /// What the model and the other engine gave the same commit: expectations are made of the first,
  /// and rows are loaded with versions that neither has given yet.
  void Saw(store::Version model, store::Version other);

 private:
  std::size_t Below(std::size_t end);
  bool OneIn(std::size_t chances) { return Below(chances) == 0; }
  template <typename T>
  const T& OneOf(std::span<const T> choices) {
    return choices[Below(choices.size())];
  }

  store::WriteSet NextCommit();
  store::Mutation NextMutation();
  store::Mutation NextAppend();
  store::Mutation NextAdd(const store::Table* table);
  ScanPages NextScan();
  LoadRows NextLoad();
  WriteObjects NextObjects();
  MoveTime NextMove();

  std::string NextPartition();
  std::string NextSort();
  store::Key NextKey();
  std::string NextDocument();
  std::optional<Instant> NextExpiry();
  store::Expectation NextExpectation(const store::Table& table, const store::Key& key);

  std::mt19937_64 random_;
  store::Engine& model_;
  const Clock& clock_;
  std::vector<store::Version> seen_{};
  store::Version highest_{};
  std::uint64_t loaded_ = 0;
  std::uint64_t documents_ = 0;
  std::optional<Instant> latest_{};
};

}  // namespace atrium::engines
