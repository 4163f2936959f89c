// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "store/engine.h"

namespace atrium::store {

Result<std::vector<std::optional<Row>>> Engine::GetMany(const OpContext& op, const Table& table,
                                                        std::span<const Key> keys) {
  std::vector<std::optional<Row>> rows;
  rows.reserve(keys.size());
  for (const Key& key : keys) {
    ASSIGN_OR_RETURN(rows.emplace_back(), Get(op, table, key));
  }
  return rows;
}

Result<Page> CollectPage(Engine& engine, const OpContext& op, const ScanRequest& request) {
  Page page;
  FunctionSink sink([&](const RowView& row) { page.rows.push_back(Copy(row)); });
  ASSIGN_OR_RETURN(ScanEnd end, engine.Scan(op, request, sink));
  page.resume = std::move(end.resume);
  return page;
}

}  // namespace atrium::store
