// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/tables.h"

#include <span>
#include <string>
#include <vector>

#include "base/check.h"
#include "jobs/keys.h"
#include "store/change_log.h"
#include "store/collection.h"
#include "store/epoch.h"
#include "store/once_only.h"
#include "store/schema.h"
#include "store/table.h"

namespace atrium::app {
namespace {

store::Schema Collect() {
  std::vector<const store::Table*> tables{&store::kClaims, &store::kChanges, &store::kStoreFacts};
  tables.insert(tables.end(), jobs::kTables.begin(), jobs::kTables.end());
  store::Schema schema;
  for (const store::Table* table : tables) {
    Check(schema.Add(*table).has_value(),
          "names and numbers of tables are given once: " + std::string(table->name));
  }
  return schema;
}

}  // namespace

const store::Schema& AllTables() {
  static const store::Schema schema = Collect();
  return schema;
}

std::span<const store::AnyCollection* const> AllCollections() {
  static const std::vector<const store::AnyCollection*> collections;
  return collections;
}

}  // namespace atrium::app
