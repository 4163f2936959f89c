// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/catalog.h"

#include <string>

#include "base/check.h"
#include "blobs/keys.h"
#include "calendar/keys.h"
#include "files/keys.h"
#include "gauges/keys.h"
#include "identity/keys.h"
#include "jobs/keys.h"
#include "mail/keys.h"
#include "store/change_log.h"
#include "store/epoch.h"
#include "store/once_only.h"
#include "store/table.h"

namespace atrium::app {

Catalog::Catalog(const Collections& more) : collections_(identity::Collections()) {
  collections_.push_back(&mail::Outgoing());
  collections_.push_back(&gauges::Points());
  for (const store::AnyCollection* collection : calendar::Collections()) {
    collections_.push_back(collection);
  }
  for (const store::AnyCollection* collection : files::Collections()) {
    collections_.push_back(collection);
  }
  collections_.insert(collections_.end(), more.begin(), more.end());
  for (const store::Table* table : {&store::kClaims, &store::kChanges, &store::kStoreFacts}) {
    Add(*table);
  }
  for (const store::Table* table : jobs::kTables) {
    Add(*table);
  }
  for (const store::Table* table : mail::kTables) {
    Add(*table);
  }
  for (const store::Table* table : identity::BareTables()) {
    Add(*table);
  }
  for (const store::Table* table : calendar::BareTables()) {
    Add(*table);
  }
  for (const store::Table* table : blobs::kTables) {
    Add(*table);
  }
  for (const store::Table* table : files::BareTables()) {
    Add(*table);
  }
  for (const store::AnyCollection* collection : collections_) {
    Add(collection->Base());
    for (const store::Table* index : collection->Indexes()) {
      Add(*index);
    }
  }
}

void Catalog::Add(const store::Table& table) {
  Check(tables_.Add(table).has_value(),
        "names and numbers of tables are given once: " + std::string(table.name));
}

}  // namespace atrium::app
