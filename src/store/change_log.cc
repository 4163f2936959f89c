// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "store/change_log.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "store/row.h"

namespace atrium::store {

Append AppendChange(const Table& log, std::string topic, std::string document) {
  return {.table = &log,
          .partition = std::move(topic),
          .document = std::move(document),
          .keep = kChangesKept};
}

Result<std::uint64_t> LastChange(Engine& engine, const OpContext& op, const Table& log,
                                 std::string_view topic) {
  const std::string head = SequenceKey(0);
  ASSIGN_OR_RETURN(const std::optional<Row> row,
                   engine.Get(op, log, {.partition = topic, .sort = head}));
  return row ? static_cast<std::uint64_t>(CounterOf(row->counters, kSequenceCounter)) : 0;
}

Result<ChangePage> ReadChanges(Engine& engine, const OpContext& op, const ChangeRequest& request) {
  // The head first: what is appended between the two reads is then newer than `last`, not missing.
  ChangePage page;
  ASSIGN_OR_RETURN(page.last, LastChange(engine, op, *request.log, request.topic));
  if (request.after == page.last) {
    return page;
  }
  FunctionSink sink([&](const RowView& row) {
    page.changes.push_back({.id = SequenceOf(row.key.sort), .document = std::string(row.document)});
  });
  RETURN_IF_ERROR(engine.Scan(op,
                              {.table = request.log,
                               .partition = request.topic,
                               .range = {.from = SequenceKey(request.after + 1)},
                               .limit = request.limit},
                              sink));
  // Ids have no gaps, so a missing successor is one that was trimmed. A reader ahead of the log has
  // read from a store that was restored since.
  if (page.changes.empty() || page.changes.front().id != request.after + 1) {
    page.refresh_required = true;
    page.changes.clear();
    return page;
  }
  page.last = std::max(page.last, page.changes.back().id);
  return page;
}

}  // namespace atrium::store
