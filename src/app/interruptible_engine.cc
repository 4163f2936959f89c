// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/interruptible_engine.h"

#include <optional>
#include <span>
#include <utility>

#include "base/error.h"
#include "base/result.h"
#include "store/engine.h"

namespace atrium::app {

Result<void> InterruptibleEngine::GoOn() const {
  if (stop_.stop_requested()) {
    return Fail(ErrorCode::kUnavailable, "broken off: the server is stopping");
  }
  return {};
}

Result<std::optional<store::Row>> InterruptibleEngine::Get(const store::OpContext& op,
                                                           const store::Table& table,
                                                           const store::KeyView& key) {
  RETURN_IF_ERROR(GoOn());
  return engine_.Get(op, table, key);
}

Result<store::ScanEnd> InterruptibleEngine::Scan(const store::OpContext& op,
                                                 const store::ScanRequest& request,
                                                 store::RowSink& sink) {
  RETURN_IF_ERROR(GoOn());
  return engine_.Scan(op, request, sink);
}

Result<store::Receipt> InterruptibleEngine::Commit(const store::OpContext& op,
                                                   store::WriteSet writes) {
  return engine_.Commit(op, std::move(writes));
}

Result<void> InterruptibleEngine::WriteImmutable(const store::OpContext& op,
                                                 const store::Table& table,
                                                 std::span<const store::ImmutableRow> rows) {
  return engine_.WriteImmutable(op, table, rows);
}

Result<store::WalkEnd> InterruptibleEngine::Walk(const store::OpContext& op,
                                                 const store::WalkRequest& request,
                                                 store::RowSink& sink) {
  RETURN_IF_ERROR(GoOn());
  return engine_.Walk(op, request, sink);
}

Result<void> InterruptibleEngine::Load(const store::OpContext& op, const store::Table& table,
                                       std::span<const store::KeyedRow> rows) {
  return engine_.Load(op, table, rows);
}

}  // namespace atrium::app
