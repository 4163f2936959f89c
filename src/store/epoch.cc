// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "store/epoch.h"

#include <string>

#include "store/collection.h"
#include "store/record.h"

namespace atrium::store {
namespace {

const Key& EpochKey() {
  static const Key key{.partition = "epoch"};
  return key;
}

Result<void> Write(Engine& engine, const OpContext& op, const Epoch& epoch, Expectation expect) {
  WriteSet writes;
  writes.mutations.emplace_back(Put{
      .table = &kStoreFacts, .key = EpochKey(), .document = EncodeRecord(epoch), .expect = expect});
  RETURN_IF_ERROR(engine.Commit(op, std::move(writes)));
  return {};
}

}  // namespace

Result<std::optional<Epoch>> FindEpoch(Engine& engine, const OpContext& op) {
  ASSIGN_OR_RETURN(const std::optional<Row> row, engine.Get(op, kStoreFacts, EpochKey()));
  if (!row) {
    return std::nullopt;
  }
  ASSIGN_OR_RETURN(const Stored<Epoch> stored, DecodeRecord<Epoch>(row->document, row->version));
  return stored.record;
}

Result<Epoch> EnsureEpoch(Engine& engine, const OpContext& op, IdSource& ids, const Clock& clock) {
  ASSIGN_OR_RETURN(const std::optional<Epoch> found, FindEpoch(engine, op));
  if (found) {
    return *found;
  }
  const Epoch first{.id = ids.NewUlid(), .since = clock.Now(), .reason = EpochReason::kCreated};
  const Result<void> written = Write(engine, op, first, Expectation::Absent());
  if (!written && written.error().code != ErrorCode::kConflict) {
    return std::unexpected(written.error());
  }
  // Of two servers that start at once on a new cluster one was quicker.
  ASSIGN_OR_RETURN(const std::optional<Epoch> now, FindEpoch(engine, op));
  return now.value_or(first);
}

Result<Epoch> RenewEpoch(Engine& engine, const OpContext& op, IdSource& ids,
                         const EpochStart& start) {
  const Epoch next{.id = ids.NewUlid(), .since = start.now, .reason = start.reason};
  RETURN_IF_ERROR(Write(engine, op, next, Expectation::None()));
  return next;
}

}  // namespace atrium::store
