// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/instant.h"

namespace atrium::store {

/// Grows with each write of a row, also across erasing and creating it again; equal for all rows
/// that one commit wrote. Microseconds of a clock that never runs back, so versions of one server
/// and of a cluster can follow each other. It is the ETag.
struct Version {
  std::uint64_t number = 0;

  friend auto operator<=>(const Version&, const Version&) = default;
};

/// Names a row within its table. Both parts are bytes, compared bytewise.
struct KeyView {
  std::string_view partition{};
  std::string_view sort{};

  friend auto operator<=>(const KeyView&, const KeyView&) = default;
};

struct Key {
  std::string partition{};
  std::string sort{};

  friend auto operator<=>(const Key&, const Key&) = default;
  // NOLINTNEXTLINE(google-explicit-constructor): a key is a view of itself, as a string is.
  operator KeyView() const { return {.partition = partition, .sort = sort}; }
};

/// An exact number beside the document of a row, changed only by adding to it.
struct Counter {
  std::string name;
  std::int64_t value = 0;

  friend bool operator==(const Counter&, const Counter&) = default;
};

/// All of a row but its key.
struct Row {
  /// JSON in the form the API returns; "{}" in a row made by a counter.
  std::string document{};
  Version version{};
  /// From this instant on the row does not exist.
  std::optional<Instant> expires_at{};
  /// In the order of their names.
  std::vector<Counter> counters{};

  friend bool operator==(const Row&, const Row&) = default;
};

/// The value of a counter; one that was never added to is zero.
std::int64_t CounterOf(std::span<const Counter> counters, std::string_view name);

/// A row as a scan shows it. The views die when the sink returns.
struct RowView {
  KeyView key;
  std::string_view document;
  Version version;
  std::optional<Instant> expires_at;
  std::span<const Counter> counters;
};

/// A row that owns itself, with its key.
struct KeyedRow {
  Key key;
  Row row;

  friend bool operator==(const KeyedRow&, const KeyedRow&) = default;
};

KeyedRow Copy(const RowView& view);

/// Where a scan puts its rows.
class RowSink {
 public:
  RowSink() = default;
  RowSink(const RowSink&) = delete;
  RowSink& operator=(const RowSink&) = delete;
  virtual ~RowSink() = default;
  virtual void Take(const RowView& row) = 0;
};

/// A sink made of a function.
template <typename Function>
class FunctionSink final : public RowSink {
 public:
  explicit FunctionSink(Function function) : function_(std::move(function)) {}
  void Take(const RowView& row) override { function_(row); }

 private:
  Function function_;
};

}  // namespace atrium::store
