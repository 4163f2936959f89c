// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

#include "base/result.h"
#include "store/engine.h"

namespace atrium::app {

/// An engine whose reads fail with kUnavailable once a stop is asked for: how work that goes
/// through a whole store is ended without its help.
class InterruptibleEngine final : public store::Engine {
 public:
  InterruptibleEngine(store::Engine& engine, std::stop_token stop)
      : engine_(engine), stop_(std::move(stop)) {}

  Result<std::optional<store::Row>> Get(const store::OpContext& op, const store::Table& table,
                                        const store::KeyView& key) override;
  Result<store::ScanEnd> Scan(const store::OpContext& op, const store::ScanRequest& request,
                              store::RowSink& sink) override;
  Result<store::Receipt> Commit(const store::OpContext& op, store::WriteSet writes) override;
  Result<void> WriteImmutable(const store::OpContext& op, const store::Table& table,
                              std::span<const store::ImmutableRow> rows) override;
  Result<store::WalkEnd> Walk(const store::OpContext& op, const store::WalkRequest& request,
                              store::RowSink& sink) override;
  Result<void> Load(const store::OpContext& op, const store::Table& table,
                    std::span<const store::KeyedRow> rows) override;
  std::vector<store::Statistic> Statistics() override { return engine_.Statistics(); }

 private:
  Result<void> GoOn() const;

  store::Engine& engine_;
  const std::stop_token stop_;
};

}  // namespace atrium::app
