// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "engines/rocksdb/database.h"
#include "store/engine.h"

namespace atrium::rocks {

/// What an engine answers out of the database. Both outlive it.
class Reads {
 public:
  Reads(Database& database, const Clock& clock) : database_(database), clock_(clock) {}

  Result<std::optional<store::Row>> Get(const store::OpContext& op, const store::Table& table,
                                        const store::KeyView& key) const;
  Result<std::vector<std::optional<store::Row>>> GetMany(const store::OpContext& op,
                                                         const store::Table& table,
                                                         std::span<const store::Key> keys) const;
  Result<store::ScanEnd> Scan(const store::OpContext& op, const store::ScanRequest& request,
                              store::RowSink& sink) const;
  Result<store::WalkEnd> Walk(const store::OpContext& op, const store::WalkRequest& request,
                              store::RowSink& sink) const;

 private:
  Database& database_;
  const Clock& clock_;
};

/// kDeadlineExceeded when it is past.
Result<void> CheckDeadline(const store::OpContext& op, const Clock& clock);

}  // namespace atrium::rocks
