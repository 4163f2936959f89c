// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

namespace atrium::rocks {

/// Which of the rows comes first by its key, which next; of those with the same key, the earlier.
/// `key_of` is a member or a function.
template <typename Rows, typename KeyOf>
std::vector<std::size_t> OrderByKey(const Rows& rows, KeyOf key_of) {
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) {
    return std::pair<std::string_view, std::size_t>(std::invoke(key_of, rows[i]), i);
  });
  return order;
}

}  // namespace atrium::rocks
