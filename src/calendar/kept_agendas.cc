// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/kept_agendas.h"

#include <chrono>
#include <utility>

#include "calendar/keys.h"
#include "store/change_log.h"

namespace atrium::calendar {
namespace {

constexpr std::size_t kBytesMax = std::size_t{32} << 20;
constexpr std::size_t kOneMax = std::size_t{1} << 20;
/// On a cluster the index may follow the log by a moment, so nothing is kept for long.
constexpr std::chrono::seconds kAgeMax{10};

std::string NameOf(const AgendaQuery& query) {
  std::string name =
      query.calendar.Render() + " " + query.days.from.Render() + " " + query.days.to.Render();
  if (query.zone) {
    name += " " + query.zone->Name();
  }
  if (query.is_all_or_nothing) {
    name += " all";
  }
  return name;
}

std::size_t BytesOf(const std::string& name, const Result<KeptAgendas::Page>& outcome) {
  constexpr std::size_t kBesides = 256;
  std::size_t bytes = 2 * name.size() + kBesides;
  if (outcome) {
    bytes += (*outcome)->items.size() * sizeof(AgendaItem);
    for (const AgendaItem& item : (*outcome)->items) {
      bytes += item.json.capacity();
    }
  }
  return bytes;
}

bool IsWhole(const AgendaQuery& query) {
  return !query.after && !query.before && query.bytes_max >= kAgendaBytesMax;
}

/// Nothing was spent of it: what it does not suffice for is too much for everybody.
bool IsFull(const almanac::ExpansionBudget& budget) {
  return budget.StepsLeft() == BudgetForAgenda().StepsLeft();
}

}  // namespace

Result<std::uint64_t> KeptAgendas::LastChangeOf(const store::OpContext& op,
                                                const CalendarId& calendar) {
  return store::LastChange(ground_.store, op, store::kChanges, TopicOf(calendar));
}

Result<std::optional<KeptAgendas::Page>> KeptAgendas::Find(const store::OpContext& op,
                                                           const AgendaQuery& query) {
  if (!IsWhole(query)) {
    return std::nullopt;
  }
  ASSIGN_OR_RETURN(const std::uint64_t change, LastChangeOf(op, query.calendar));
  std::optional<Result<Page>> kept = Lookup(NameOf(query), change);
  if (!kept) {
    return std::nullopt;
  }
  ASSIGN_OR_RETURN(Page page, *std::move(kept));
  return page;
}

Result<KeptAgendas::Page> KeptAgendas::Read(const store::OpContext& op, const AgendaQuery& query,
                                            almanac::ExpansionBudget& budget) {
  if (!IsWhole(query)) {
    ASSIGN_OR_RETURN(AgendaPage fresh, ReadAgenda(ground_.store, op, query, budget));
    return std::make_shared<const AgendaPage>(std::move(fresh));
  }
  std::string name = NameOf(query);
  ASSIGN_OR_RETURN(const std::uint64_t change, LastChangeOf(op, query.calendar));
  if (std::optional<Result<Page>> kept = Lookup(name, change)) {
    return *std::move(kept);
  }
  const bool is_full = IsFull(budget);
  const SteadyInstant read_at = ground_.clock.Steady();
  Result<AgendaPage> fresh = ReadAgenda(ground_.store, op, query, budget);
  const bool is_too_much = !fresh && fresh.error().code == ErrorCode::kLimitExceeded && is_full;
  if (!fresh && !is_too_much) {
    return std::unexpected(std::move(fresh).error());
  }
  Result<Page> outcome = fresh ? Result<Page>(std::make_shared<const AgendaPage>(*std::move(fresh)))
                               : std::unexpected(std::move(fresh).error());
  const std::size_t bytes = BytesOf(name, outcome);
  Keep({.name = std::move(name),
        .outcome = outcome,
        .change = change,
        .read_at = read_at,
        .bytes = bytes});
  return outcome;
}

std::optional<Result<KeptAgendas::Page>> KeptAgendas::Lookup(const std::string& name,
                                                             std::uint64_t change) {
  const std::scoped_lock lock(mutex_);
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) {
    return std::nullopt;
  }
  const Shelf::iterator kept = found->second;
  if (kept->change != change || ground_.clock.Steady() - kept->read_at > kAgeMax) {
    Remove(kept);
    return std::nullopt;
  }
  shelf_.splice(shelf_.begin(), shelf_, kept);
  return kept->outcome;
}

void KeptAgendas::Keep(Kept kept) {
  if (kept.bytes > kOneMax) {
    return;
  }
  const std::scoped_lock lock(mutex_);
  if (const auto found = by_name_.find(kept.name); found != by_name_.end()) {
    Remove(found->second);
  }
  bytes_ += kept.bytes;
  shelf_.push_front(std::move(kept));
  by_name_[shelf_.front().name] = shelf_.begin();
  while (bytes_ > kBytesMax) {
    Remove(std::prev(shelf_.end()));
  }
}

void KeptAgendas::Remove(const Shelf::iterator& kept) {
  bytes_ -= kept->bytes;
  by_name_.erase(kept->name);
  shelf_.erase(kept);
}

}  // namespace atrium::calendar
