// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/config_spelling.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "app/config_keys.h"

namespace atrium::app {
namespace {

constexpr std::size_t kNameBytesMax = 64;

char Folded(char letter) {
  if (letter == '-') {
    return '_';
  }
  return static_cast<char>(letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : letter);
}

/// Letters to insert, drop or replace to make one name of the other (Levenshtein).
std::size_t EditDistance(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::size_t replaced = diagonal + (Folded(from[i]) == Folded(to[j]) ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

/// How far `name` is from a known one; a right name in a wrong section is two letters away.
std::size_t Distance(std::string_view name, std::string_view known) {
  const std::size_t edits = EditDistance(name, known);
  return LeafOf(name) == LeafOf(known) ? std::min<std::size_t>(edits, 2) : edits;
}

}  // namespace

std::string DidYouMean(std::string_view name, std::span<const std::string_view> known) {
  if (name.empty() || name.size() > kNameBytesMax) {
    return {};
  }
  const auto nearest = std::ranges::min_element(
      known, {}, [name](std::string_view candidate) { return Distance(name, candidate); });
  const std::size_t tolerated = std::max<std::size_t>(2, name.size() / 5);
  if (nearest == known.end() || Distance(name, *nearest) > tolerated) {
    return {};
  }
  return fmt::format("; did you mean \"{}\"?", *nearest);
}

}  // namespace atrium::app
