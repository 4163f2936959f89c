// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "store/row.h"

#include <algorithm>

namespace atrium::store {

std::int64_t CounterOf(std::span<const Counter> counters, std::string_view name) {
  const auto found = std::ranges::find(counters, name, &Counter::name);
  return found == counters.end() ? 0 : found->value;
}

KeyedRow Copy(const RowView& view) {
  return {.key = {.partition = std::string(view.key.partition), .sort = std::string(view.key.sort)},
          .row = {.document = std::string(view.document),
                  .version = view.version,
                  .expires_at = view.expires_at,
                  .counters = {view.counters.begin(), view.counters.end()}}};
}

}  // namespace atrium::store
