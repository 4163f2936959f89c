// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "store/answer.h"
#include "store/change_kind.h"
#include "store/collection.h"
#include "store/record.h"
#include "store/write_set.h"

namespace atrium::store {

/// Gathers changes of records into one write set: each record with its index rows and its lines in
/// the change log. Not reused after Take().
///
///   Batch batch;
///   batch.Replace(kCalendars, loaded, renamed);   // kConflict if it moved since it was loaded
///   batch.Create(kAudit, line);
///   ASSIGN_OR_RETURN(const Receipt receipt, store.Commit(op, std::move(batch)));
class Batch {
 public:
  /// The record must not exist, nor any other with one of its unique keys.
  template <typename T>
  void Create(const Collection<T>& collection, const T& record) {
    Create(collection, record, Expectation::Absent());
  }

  /// The same for a record whose key has an id in it that was made for it just now
  /// (Expectation::Fresh).
  template <typename T>
  void CreateFresh(const Collection<T>& collection, const T& record) {
    Create(collection, record, Expectation::Fresh());
  }

  /// The record must be as it was read. Its key may be another now: then it moves.
  template <typename T>
  void Replace(const Collection<T>& collection, const Stored<T>& read, const T& record) {
    const std::string document = EncodeRecord(record, read.unknown);
    Change(collection.Base(), Before(collection, read), After(collection, record, document));
    Tell(collection, {.kind = ChangeKind::kUpdated,
                      .record = record,
                      .document = document,
                      .before = &read.record});
    TellOldTopics(collection, read, record);
  }

  /// The record must be as it was read.
  template <typename T>
  void Erase(const Collection<T>& collection, const Stored<T>& read) {
    Change(collection.Base(), Before(collection, read), std::nullopt);
    const std::string document = EncodeRecord(read.record, read.unknown);
    Tell(collection, {.kind = ChangeKind::kErased, .record = read.record, .document = document});
  }

  /// Holds the commit to a record that was only read.
  template <typename T>
  void Check(const Collection<T>& collection, const Stored<T>& read) {
    Add(store::Check{.table = &collection.Base(),
                     .key = collection.KeyOf(read.record),
                     .expect = Expectation::At(read.version)});
  }

  /// A counter, a line of a log, a row without a record.
  void Add(Mutation mutation) { writes_.mutations.push_back(std::move(mutation)); }

  /// What a client is told that asks a second time; without it, the first change decides: a record
  /// that was made is 201 with its document, one that was replaced 200, one that was erased 204.
  void SetAnswer(Answer answer) { answer_ = std::move(answer); }
  const Answer& GetAnswer() const { return answer_ ? *answer_ : default_answer_; }

  /// Two records may trade a unique key in one batch: leaving and taking a row become one write.
  WriteSet Take();

 private:
  template <typename T>
  void Create(const Collection<T>& collection, const T& record, const Expectation& expect) {
    const std::string document = EncodeRecord(record);
    NewState after = After(collection, record, document);
    after.expect = expect;
    Change(collection.Base(), std::nullopt, after);
    Tell(collection, {.kind = ChangeKind::kCreated, .record = record, .document = document});
  }

  struct OldState {
    Key key;
    Version version;
    std::optional<Instant> expires_at{};
    std::vector<IndexRow> rows{};
  };
  struct NewState {
    Key key;
    std::string document;
    std::optional<Instant> expires_at{};
    std::vector<IndexRow> rows{};
    /// Of its row, when it is written for the first time.
    Expectation expect = Expectation::Absent();
  };

  template <typename T>
  static OldState Before(const Collection<T>& collection, const Stored<T>& read) {
    return {.key = collection.KeyOf(read.record),
            .version = read.version,
            .expires_at = collection.ExpiryOf(read.record),
            .rows = collection.RowsOf(read.record, {})};
  }

  template <typename T>
  static NewState After(const Collection<T>& collection, const T& record, std::string document) {
    std::vector<IndexRow> rows = collection.RowsOf(record, document);
    return {.key = collection.KeyOf(record),
            .document = std::move(document),
            .expires_at = collection.ExpiryOf(record),
            .rows = std::move(rows)};
  }

  template <typename T>
  void Tell(const Collection<T>& collection, const RecordChange<T>& change) {
    for (const ChangeTopic<T>& topic : collection.Describe().topics) {
      if (std::optional<std::string> name = topic.topic(change.record)) {
        Log(*topic.log, *std::move(name), collection.ChangeOf(change));
      }
    }
  }

  /// Who watched the record where it was learns that it is gone from there.
  template <typename T>
  void TellOldTopics(const Collection<T>& collection, const Stored<T>& read, const T& record) {
    for (const ChangeTopic<T>& topic : collection.Describe().topics) {
      std::optional<std::string> name = topic.topic(read.record);
      if (name && name != topic.topic(record)) {
        const std::string document = EncodeRecord(read.record, read.unknown);
        Log(*topic.log, *std::move(name),
            collection.ChangeOf(
                {.kind = ChangeKind::kErased, .record = read.record, .document = document}));
      }
    }
  }

  void Log(const Table& log, std::string topic, std::string document);
  void Change(const Table& base, const std::optional<OldState>& before,
              const std::optional<NewState>& after);
  void AnswerWith(const std::optional<OldState>& before, const std::optional<NewState>& after);
  void WriteBase(const Table& base, const std::optional<OldState>& before, const NewState& after);
  void WriteIndexes(const std::optional<OldState>& before, const NewState& after);
  void EraseIndexes(const OldState& before, const std::optional<NewState>& after);

  WriteSet writes_;
  std::optional<Answer> answer_;
  Answer default_answer_{};
  bool answered_ = false;
};

}  // namespace atrium::store
