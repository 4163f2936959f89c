// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "calendar/access.h"
#include "calendar/entry_fields.h"
#include "calendar/entry_writes.h"
#include "calendar/records.h"
#include "calendar/series_edits.h"
#include "store/batch.h"
#include "store/ground.h"

namespace atrium::calendar {

/// An entry, or a part of a series.
struct EntryTarget {
  EntryId id{};
  /// Which one of a series.
  std::optional<LocalTime> occurrence{};
  Scope scope = Scope::kAll;
};

/// What the client demands of the version that is there: kConflict when it is another one.
using VersionCheck = std::function<Result<void>(store::Version)>;

/// One change of a batch.
struct EntryOrder {
  enum class Deed : std::uint8_t { kCreate, kUpdate, kDelete };
  Deed deed = Deed::kCreate;
  EntryId id{};
  EntryFields fields{};
};

/// As many as fit into one commit.
inline constexpr std::size_t kOrdersMax = 10;

/// What people do with entries. Each change is one commit, with its line of the history and of the
/// change log. A change that names no version is decided anew when somebody else was quicker.
class EntryService {
 public:
  using Found = store::Stored<Entry>;

  EntryService(const store::Ground& ground, ReadersSeats& readers)
      : ground_(ground), readers_(readers) {}

  /// kNotFound also when it is in the trash, or in a calendar that is not the visitor's.
  Result<Found> Load(const store::OpContext& op, const Visitor& visitor, const EntryId& id,
                     Need need) const;

  /// The same as it is stored, which is as clients see it.
  Result<store::Row> LoadDocument(const store::OpContext& op, const Visitor& visitor,
                                  const EntryId& id) const;

  Result<Found> Create(const store::OpContext& op, const Visitor& visitor,
                       const EntryFields& fields);

  /// With `fields.updated_at` not later than the stamp that is there, nothing happens: what is
  /// there is answered.
  Result<Found> Update(const store::OpContext& op, const Visitor& visitor,
                       const EntryTarget& target, const EntryFields& fields,
                       const VersionCheck& check);

  Result<void> Delete(const store::OpContext& op, const Visitor& visitor, const EntryTarget& target,
                      const VersionCheck& check);

  /// kInvalidArgument when it is not a task.
  Result<Found> Toggle(const store::OpContext& op, const Visitor& visitor,
                       const EntryTarget& target, const VersionCheck& check);

  /// To another calendar, in which the visitor may write, too.
  Result<Found> Move(const store::OpContext& op, const Visitor& visitor, const EntryId& id,
                     const CalendarId& to, const VersionCheck& check);

  /// All of them or none, in the order of the orders. A deleted one is answered as it lies in the
  /// trash; kLimitExceeded when it is too much for one commit.
  Result<std::vector<Found>> ApplyAll(const store::OpContext& op, const Visitor& visitor,
                                      const std::vector<EntryOrder>& orders);

 private:
  struct Edit;
  struct Draft;
  Result<void> CheckSeat(const store::OpContext& op, const Visitor& visitor,
                         const CalendarId& calendar, Need need) const;
  Result<Found> ChangeOne(const store::OpContext& op, const Visitor& visitor,
                          const EntryTarget& target, const VersionCheck& check,
                          const std::function<Result<Edit>(const Entry&)>& decide);
  Result<Found> CommitOne(const store::OpContext& op, store::Batch batch, Entry entry);
  Result<Found> AddOrder(const store::OpContext& op, const Visitor& visitor,
                         const EntryOrder& order, Draft& draft);
  Result<std::vector<Found>> CommitAll(const store::OpContext& op, Draft draft,
                                       std::vector<Found> changed);
  Result<void> Hold(const store::OpContext& op, const CalendarId& calendar,
                    store::Batch& batch) const;
  Result<Entry> AddCreation(const store::OpContext& op, const Visitor& visitor,
                            const EntryFields& fields, Draft& draft);

  const store::Ground ground_;
  ReadersSeats& readers_;
};

/// Whom a visitor's changes are put down to.
Author AuthorFor(const Visitor& visitor);

}  // namespace atrium::calendar
