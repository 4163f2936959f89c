// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "store/collection.h"
#include "store/schema.h"

namespace atrium::app {

/// Everything the program stores: the tables of the store itself, of the jobs, and of each room,
/// and the collections whose index rows can be verified.
class Catalog {
 public:
  using Collections = std::vector<const store::AnyCollection*>;

  /// `more` comes on top of what the product has. Ends the process when two tables have the same
  /// name or number.
  explicit Catalog(const Collections& more = {});

  const store::Schema& Tables() const { return tables_; }
  std::span<const store::AnyCollection* const> All() const { return collections_; }

 private:
  void Add(const store::Table& table);

  store::Schema tables_;
  Collections collections_;
};

}  // namespace atrium::app
