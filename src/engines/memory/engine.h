// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "store/engine.h"

namespace atrium::engines {

/// A sorted map under one mutex, gone with its process. It is what tests stand on, and the model
/// that other engines are compared with: it does everything in the plainest way there is.
///
/// `clock` outlives the engine.
class MemoryEngine final : public store::Engine {
 public:
  /// Names a row among those of all tables.
  struct Place {
    std::uint16_t table = 0;
    store::Key key{};

    friend auto operator<=>(const Place&, const Place&) = default;
  };
  using Rows = std::map<Place, store::Row>;

  explicit MemoryEngine(const Clock& clock) : clock_(clock) {}

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
  std::vector<store::Statistic> Statistics() override;

 private:
  Result<void> CheckDeadline(const store::OpContext& op) const;
  store::Version NextVersion() const;

  const Clock& clock_;
  std::mutex mutex_;
  // Guarded by mutex_. Expired rows stay until something is written in their place.
  Rows rows_;
  store::Version last_version_;
};

}  // namespace atrium::engines
