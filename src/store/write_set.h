// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/instant.h"
#include "store/row.h"
#include "store/table.h"

namespace atrium::store {

/// How a row must be for the commit to happen. An expired row is absent.
class Expectation {
 public:
  enum class Kind : std::uint8_t { kNone, kAbsent, kFresh, kPresent, kAtVersion };

  static constexpr Expectation None() { return {Kind::kNone, {}}; }
  static constexpr Expectation Absent() { return {Kind::kAbsent, {}}; }
  /// Absent, which whoever says so vouches for: the key has an id in it that was made for this very
  /// commit, or a number that a row which this commit also expects has not reached yet. An engine
  /// need not look, which saves a read here and a round of agreement on a cluster.
  static constexpr Expectation Fresh() { return {Kind::kFresh, {}}; }
  static constexpr Expectation Present() { return {Kind::kPresent, {}}; }
  static constexpr Expectation At(Version version) { return {Kind::kAtVersion, version}; }

  constexpr Kind GetKind() const { return kind_; }
  constexpr Version GetVersion() const { return version_; }

  /// `found` is the version of the row there is, if there is one.
  constexpr bool HoldsFor(const std::optional<Version>& found) const {
    switch (kind_) {
      case Kind::kNone:
        return true;
      case Kind::kAbsent:
      case Kind::kFresh:
        return !found.has_value();
      case Kind::kPresent:
        return found.has_value();
      case Kind::kAtVersion:
        return found == version_;
    }
    return false;
  }

 private:
  constexpr Expectation(Kind kind, Version version) : kind_(kind), version_(version) {}

  Kind kind_;
  Version version_;
};

// Tables are constexpr objects and outlive every write set.

/// Writes the document and the expiry. Counters of the row stay as they are.
struct Put {
  const Table* table;
  Key key;
  std::string document;
  Expectation expect = Expectation::None();
  std::optional<Instant> expires_at{};
};

/// Removes the row with its counters. Of a row that is absent, and not expected: nothing.
struct Erase {
  const Table* table;
  Key key;
  Expectation expect = Expectation::None();
};

/// Adds to a counter. A row that is absent, and not expected, is made, with the document "{}". The
/// document and the expiry of a row that is there stay as they are, its version grows.
struct Add {
  const Table* table;
  Key key;
  std::string counter;
  std::int64_t delta = 0;
  /// kLimitExceeded, and nothing is written, when the sum would leave these bounds in the direction
  /// of `delta`: a quota that was lowered below what is used still lets people give back.
  std::int64_t at_least = std::numeric_limits<std::int64_t>::min();
  std::int64_t at_most = std::numeric_limits<std::int64_t>::max();
  Expectation expect = Expectation::None();
};

/// Holds the commit to a row that was only read. Writes nothing.
struct Check {
  const Table* table;
  Key key;
  Expectation expect;
};

/// Adds a row to a log. Its sort key is SequenceKey() of a number one higher than the last one ever
/// given in the partition, so numbers have no gaps but those of rows that are gone.
struct Append {
  const Table* table;
  std::string partition;
  std::string document;
  std::optional<Instant> expires_at{};
  /// The row this many numbers further back is erased: a log keeps no more than that. Zero: all.
  std::uint64_t keep = 0;
};

using Mutation = std::variant<Put, Erase, Add, Check, Append>;

/// All of it happens at one instant, or none of it. Expectations are about the state before the
/// commit, and they are all looked at before any bound of a counter. A row is named once; only
/// several counters of one row may be added to.
struct WriteSet {
  std::vector<Mutation> mutations{};
};

/// What a commit answers.
struct Receipt {
  /// Of every row the commit wrote.
  Version version{};
  /// The numbers that Append gave, in the order of the mutations.
  std::vector<std::uint64_t> appended{};
};

/// A row that is written as it is: content-addressed, or coming from an export.
struct ImmutableRow {
  Key key;
  std::string document;
};

/// The sort key of a row in a log. Zero is the head of the log: its counter kSequenceCounter is
/// the last number given.
std::string SequenceKey(std::uint64_t number);
/// The number in such a key; zero when it is none.
std::uint64_t SequenceOf(std::string_view sort);
inline constexpr std::string_view kSequenceCounter = "last";

}  // namespace atrium::store
