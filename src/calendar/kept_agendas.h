// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "almanac/recurrence.h"
#include "base/clock.h"
#include "base/result.h"
#include "calendar/agenda.h"
#include "store/ground.h"

namespace atrium::calendar {

/// ReadAgenda() with a memory: days that somebody looked at a moment ago, in a calendar of which
/// nothing has changed since, are not read again. Each change of a calendar has a number, which is
/// asked for first. Days with too much on them are remembered as well. Any thread.
class KeptAgendas {
 public:
  explicit KeptAgendas(const store::Ground& ground) : ground_(ground) {}

  using Page = std::shared_ptr<const AgendaPage>;

  /// `query` without `after` and `before` is what is kept of: others are read each time.
  Result<Page> Read(const store::OpContext& op, const AgendaQuery& query,
                    almanac::ExpansionBudget& budget);

  /// What Read() would answer without reading; nullopt when it would have to read. An error is one
  /// that Read() ended with. One get: for I/O threads.
  Result<std::optional<Page>> Find(const store::OpContext& op, const AgendaQuery& query);

 private:
  struct Kept {
    std::string name{};
    /// What was read, or that it is too much.
    Result<Page> outcome{};
    /// The number of the last change before it was read.
    std::uint64_t change = 0;
    SteadyInstant read_at{};
    std::size_t bytes = 0;
  };
  using Shelf = std::list<Kept>;

  Result<std::uint64_t> LastChangeOf(const store::OpContext& op, const CalendarId& calendar);
  std::optional<Result<Page>> Lookup(const std::string& name, std::uint64_t change);
  void Keep(Kept kept);
  void Remove(const Shelf::iterator& kept);

  const store::Ground ground_;
  std::mutex mutex_;
  // Guarded by mutex_. Those asked for last are at the front.
  Shelf shelf_;
  std::unordered_map<std::string, Shelf::iterator> by_name_;
  std::size_t bytes_ = 0;
};

}  // namespace atrium::calendar
