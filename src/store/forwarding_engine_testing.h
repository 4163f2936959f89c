// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/result.h"
#include "store/engine.h"

namespace atrium::store {

/// Passes every call on to another engine, which outlives it. Tests override the calls in which
/// something is to happen.
class ForwardingEngine : public Engine {
 public:
  explicit ForwardingEngine(Engine& engine) : engine_(engine) {}

  Result<std::optional<Row>> Get(const OpContext& op, const Table& table,
                                 const KeyView& key) override {
    return engine_.Get(op, table, key);
  }
  Result<std::vector<std::optional<Row>>> GetMany(const OpContext& op, const Table& table,
                                                  std::span<const Key> keys) override {
    return engine_.GetMany(op, table, keys);
  }
  Result<ScanEnd> Scan(const OpContext& op, const ScanRequest& request, RowSink& sink) override {
    return engine_.Scan(op, request, sink);
  }
  Result<Receipt> Commit(const OpContext& op, WriteSet writes) override {
    return engine_.Commit(op, std::move(writes));
  }
  Result<void> WriteImmutable(const OpContext& op, const Table& table,
                              std::span<const ImmutableRow> rows) override {
    return engine_.WriteImmutable(op, table, rows);
  }
  Result<WalkEnd> Walk(const OpContext& op, const WalkRequest& request, RowSink& sink) override {
    return engine_.Walk(op, request, sink);
  }
  Result<void> Load(const OpContext& op, const Table& table,
                    std::span<const KeyedRow> rows) override {
    return engine_.Load(op, table, rows);
  }
  std::vector<Statistic> Statistics() override { return engine_.Statistics(); }
  bool IsSoleWriter() const override { return engine_.IsSoleWriter(); }

 private:
  Engine& engine_;
};

}  // namespace atrium::store
