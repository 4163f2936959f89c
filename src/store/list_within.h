// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "base/result.h"
#include "store/engine.h"
#include "store/record.h"
#include "store/row.h"
#include "store/store.h"

namespace atrium::store {

/// What the documents of one page that somebody is shown may take together, a last one besides.
inline constexpr std::size_t kPageBytesMax = std::size_t{4} << 20;

/// List() for tables whose documents may be long: the page also ends with the record that reaches
/// `bytes_max`, and goes on behind it.
template <typename T>
Result<RecordPage<T>> ListWithin(Engine& engine, const OpContext& op, const ScanRequest& request,
                                 std::size_t bytes_max = kPageBytesMax) {
  RecordPage<T> page;
  Result<void> outcome;
  std::size_t bytes = 0;
  std::string last;
  bool is_cut = false;
  FunctionSink sink([&](const RowView& row) {
    is_cut = is_cut || bytes >= bytes_max;
    if (is_cut || !outcome) {
      return;
    }
    Result<Stored<T>> stored = DecodeRecord<T>(row.document, row.version);
    if (!stored) {
      outcome = std::unexpected(std::move(stored).error());
      return;
    }
    page.records.push_back(*std::move(stored));
    bytes += row.document.size();
    last = row.key.sort;
  });
  ASSIGN_OR_RETURN(ScanEnd end, engine.Scan(op, request, sink));
  RETURN_IF_ERROR(outcome);
  page.resume = is_cut ? std::optional(std::move(last)) : std::move(end.resume);
  return page;
}

}  // namespace atrium::store
