// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/instant.h"
#include "base/result.h"
#include "store/change_kind.h"
#include "store/record.h"
#include "store/row.h"
#include "store/table.h"

namespace atrium::store {

/// What a row of a list index holds.
enum class Projection : std::uint8_t {
  /// The whole document, so that a list is answered from one partition by joining bytes.
  kDocument,
  /// The key of the record; for long documents and rare lists.
  kKey,
};

/// One record has at most one row in a unique index, and no other record has the same.
template <typename T>
struct UniqueIndex {
  /// Guarded.
  const Table* table;
  /// nullopt: the record is not in the index.
  std::function<std::optional<Key>(const T&)> key;
};

/// A record has any number of rows in a list index. Keys hold the record's id, so that two records
/// never share one.
template <typename T>
struct ListIndex {
  /// Derived; or guarded where the rows lie in the record's own partition.
  const Table* table;
  Projection projection = Projection::kDocument;
  std::function<std::vector<Key>(const T&)> keys;
};

/// A log that is told of changes of records.
template <typename T>
struct ChangeTopic {
  /// kLog: change_log.h has one for everybody.
  const Table* log;
  /// The partition of the log; nullopt: nobody watches this record.
  std::function<std::optional<std::string>(const T&)> topic;
};

/// What happened to a record, as whoever watches it is told.
template <typename T>
struct RecordChange {
  ChangeKind kind;
  /// As it is now; of an erased record, as it was.
  const T& record;
  /// The same as it is stored, or was.
  std::string_view document{};
  /// As it was before it was replaced; null when it was made or erased.
  const T* before = nullptr;
};

/// A row that follows from a record.
struct IndexRow {
  const Table* table;
  Key key;
  std::string document;
  Projection projection = Projection::kKey;
  /// No other record may have it.
  bool unique = false;

  friend bool operator==(const IndexRow&, const IndexRow&) = default;
};

/// The one with this place; null when there is none.
const IndexRow* FindRow(std::span<const IndexRow> rows, const Table& table, const KeyView& key);

/// The document of an index row that points to its record: {"partition":"…","sort":"…"} in
/// base64url.
std::string EncodePointer(const KeyView& key);
Result<Key> DecodePointer(std::string_view document);

/// A collection without its type, as verification sees it.
class AnyCollection {
 public:
  AnyCollection() = default;
  AnyCollection(const AnyCollection&) = delete;
  AnyCollection& operator=(const AnyCollection&) = delete;
  virtual ~AnyCollection() = default;

  virtual const Table& Base() const = 0;
  virtual std::vector<const Table*> Indexes() const = 0;
  /// Everything that must stand in the indexes for this record. kCorrupt when it does not decode.
  virtual Result<std::vector<IndexRow>> RowsFor(std::string_view document) const = 0;
  /// The key under which the record itself says it is stored.
  virtual Result<Key> KeyFor(std::string_view document) const = 0;
  /// The key of the record to which a row of an index belongs.
  virtual Result<Key> OwnerOf(const Table& index, std::string_view document) const = 0;
};

/// Where records of one kind are stored and what follows from them. Made once, in the room's
/// keys.h, and never changed; every change of a record goes through Batch, which keeps all of it
/// right.
template <typename T>
class Collection final : public AnyCollection {
 public:
  struct Description {
    const Table* table;
    std::function<Key(const T&)> key;
    std::vector<UniqueIndex<T>> unique{};
    std::vector<ListIndex<T>> lists{};
    std::vector<ChangeTopic<T>> topics{};
    std::function<std::optional<Instant>(const T&)> expires_at{};
    /// What the change log says of a change; nullptr: DescribeChange().
    std::function<std::string(const RecordChange<T>&)> describe_change{};
  };

  explicit Collection(Description description) : description_(std::move(description)) {}

  const Table& Base() const override { return *description_.table; }
  const Description& Describe() const { return description_; }
  Key KeyOf(const T& record) const { return description_.key(record); }

  std::optional<Instant> ExpiryOf(const T& record) const {
    return description_.expires_at ? description_.expires_at(record) : std::nullopt;
  }

  std::vector<IndexRow> RowsOf(const T& record, std::string_view document) const {
    std::vector<IndexRow> rows;
    const std::string pointer = EncodePointer(KeyOf(record));
    for (const UniqueIndex<T>& index : description_.unique) {
      if (std::optional<Key> key = index.key(record)) {
        rows.push_back(
            {.table = index.table, .key = *std::move(key), .document = pointer, .unique = true});
      }
    }
    for (const ListIndex<T>& index : description_.lists) {
      for (Key& key : index.keys(record)) {
        rows.push_back({.table = index.table,
                        .key = std::move(key),
                        .document = index.projection == Projection::kDocument
                                        ? std::string(document)
                                        : pointer,
                        .projection = index.projection});
      }
    }
    return rows;
  }

  std::string ChangeOf(const RecordChange<T>& change) const {
    return description_.describe_change ? description_.describe_change(change)
                                        : DescribeChange(change.kind, Base().name, change.document);
  }

  std::vector<const Table*> Indexes() const override {
    std::vector<const Table*> tables;
    tables.reserve(description_.unique.size() + description_.lists.size());
    for (const UniqueIndex<T>& index : description_.unique) {
      tables.push_back(index.table);
    }
    for (const ListIndex<T>& index : description_.lists) {
      tables.push_back(index.table);
    }
    return tables;
  }

  Result<std::vector<IndexRow>> RowsFor(std::string_view document) const override {
    ASSIGN_OR_RETURN(const Stored<T> stored, DecodeRecord<T>(document, {}));
    return RowsOf(stored.record, document);
  }

  Result<Key> KeyFor(std::string_view document) const override {
    ASSIGN_OR_RETURN(const Stored<T> stored, DecodeRecord<T>(document, {}));
    return KeyOf(stored.record);
  }

  Result<Key> OwnerOf(const Table& index, std::string_view document) const override {
    for (const ListIndex<T>& list : description_.lists) {
      if (*list.table == index && list.projection == Projection::kDocument) {
        return KeyFor(document);
      }
    }
    return DecodePointer(document);
  }

 private:
  const Description description_;
};

}  // namespace atrium::store
