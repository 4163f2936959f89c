// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/op_context.h"
#include "store/row.h"
#include "store/table.h"
#include "store/write_set.h"

namespace atrium::store {

enum class Direction : std::uint8_t { kForward, kBackward };

/// Sort keys from `from` on and before `before`; an empty bound is open.
struct Range {
  std::string from{};
  std::string before{};
};

/// One page of one partition.
struct ScanRequest {
  const Table* table;
  std::string_view partition{};
  Range range{};
  std::size_t limit = 100;
  Direction direction = Direction::kForward;
  /// The sort key with which the page before this one ended: this one begins behind it.
  std::optional<std::string> after{};
};

/// How a page ended. `resume` is the sort key to go on behind, nullopt when there is no more. A
/// page may be shorter than its limit and have a successor all the same: expired rows are passed
/// over, and no call passes over more of them than is quickly done.
struct ScanEnd {
  std::optional<std::string> resume{};
};

/// A scan that was collected.
struct Page {
  std::vector<KeyedRow> rows{};
  std::optional<std::string> resume{};
};

/// One page of a whole table, in an order of the engine's own choice that does not change.
struct WalkRequest {
  const Table* table;
  std::size_t limit = 1000;
  /// WalkEnd::resume of the page before this one.
  std::optional<std::string> after{};
};

/// `resume` is opaque, and means something to the same engine only.
struct WalkEnd {
  std::optional<std::string> resume{};
};

/// A figure about the engine, for /metrics and `atrium store stats`.
struct Statistic {
  enum class Kind : std::uint8_t { kGauge, kCounter };
  /// Prometheus spelling without prefix: "block_cache_bytes".
  std::string name;
  std::string help;
  Kind kind = Kind::kGauge;
  double value = 0;
};

/// An ordered map of rows, cut into partitions. Engines differ in speed, never in meaning;
/// src/engines/conformance/ says what each of them must do. All members may be called from
/// any thread, and may block.
///
/// Errors: kConflict (an expectation does not hold), kLimitExceeded (a counter's bound),
/// kUnavailable (nothing happened, may succeed later), kDeadlineExceeded (nothing happened),
/// kOutcomeUnknown (a commit may or may not have happened), kCorrupt (stored bytes do not decode).
/// An error never means absence.
///
/// Reads see what was committed, never a part of a commit: whoever has seen one row of a commit
/// sees all of it from then on. A page is one instant of its partition; two calls are two instants.
/// A commit is strictly serialisable over the rows it names.
///
/// Engines take what they are given: the limits of limits.h and the rules of TableKind are kept by
/// the Store above them.
class Engine {
 public:
  Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  virtual ~Engine() = default;

  virtual Result<std::optional<Row>> Get(const OpContext& op, const Table& table,
                                         const KeyView& key) = 0;

  /// Get() of several rows, in the order of their keys, at most kScanRowsMax of them. Not one
  /// instant. For those who must know of many at once; engines override it that can do better than
  /// one after the other.
  virtual Result<std::vector<std::optional<Row>>> GetMany(const OpContext& op, const Table& table,
                                                          std::span<const Key> keys);

  virtual Result<ScanEnd> Scan(const OpContext& op, const ScanRequest& request, RowSink& sink) = 0;

  /// Durable when it returns. By value, because an engine that cannot wait any longer goes on
  /// without its caller.
  virtual Result<Receipt> Commit(const OpContext& op, WriteSet writes) = 0;

  /// Writes rows of a kImmutable table, without regard to the limits of a commit, and not as one
  /// instant. A row that is there already stays as it is, so a repetition is harmless; the caller
  /// vouches that equal keys have equal documents. Durable no later than any commit that begins
  /// afterwards.
  virtual Result<void> WriteImmutable(const OpContext& op, const Table& table,
                                      std::span<const ImmutableRow> rows) = 0;

  /// Every row of a table. For export, verification and clean-up only.
  virtual Result<WalkEnd> Walk(const OpContext& op, const WalkRequest& request, RowSink& sink) = 0;

  /// Writes rows as they are, with their versions and counters, replacing what is there. Later
  /// commits have higher versions than any row loaded. For import and repair only; durable when it
  /// returns, not one instant.
  virtual Result<void> Load(const OpContext& op, const Table& table,
                            std::span<const KeyedRow> rows) = 0;

  virtual std::vector<Statistic> Statistics() = 0;

  /// Whether nobody but this process can write to it: then what was counted here (WriteCounts) is
  /// all that was written.
  virtual bool IsSoleWriter() const { return false; }

  /// Whether it is putting its files in order at the moment, which takes a processor and the disk.
  virtual bool IsTidying() { return false; }

  /// Why nothing can be written at the moment, in words for people; nullopt: it can. Does not
  /// block, and may be a second old.
  virtual std::optional<std::string> Obstacle() { return std::nullopt; }
};

/// Scan() into a page.
Result<Page> CollectPage(Engine& engine, const OpContext& op, const ScanRequest& request);

}  // namespace atrium::store
