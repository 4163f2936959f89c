// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/table.h"

namespace atrium::store {

/// Numbers below this one belong to the engines.
inline constexpr std::uint16_t kTableNumberMin = 10;

/// All tables of this program, collected by app from what each room declares. Keeps addresses: a
/// table outlives the schema it was added to. Filled by one thread; then any may read.
class Schema {
 public:
  /// kInvalidArgument for a name that is not [a-z_]+ or a number of the engines, kAlreadyExists for
  /// a name or a number that is taken. A refused table leaves the schema as it was.
  Result<void> Add(const Table& table);

  /// The table, or null.
  const Table* Find(std::uint16_t number) const;
  const Table* FindByName(std::string_view name) const;

  /// In the order of their numbers.
  std::span<const Table* const> Tables() const { return tables_; }

 private:
  std::vector<const Table*> tables_;
};

}  // namespace atrium::store
