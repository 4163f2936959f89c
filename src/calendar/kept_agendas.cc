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
  return name;
}

std::size_t BytesOf(const std::string& name, const std::vector<AgendaItem>& items) {
  std::size_t bytes = 2 * name.size() + items.size() * sizeof(AgendaItem);
  for (const AgendaItem& item : items) {
    bytes += item.json.capacity();
  }
  return bytes;
}

}  // namespace

Result<KeptAgendas::Items> KeptAgendas::Read(const store::OpContext& op, const AgendaQuery& query,
                                             almanac::ExpansionBudget& budget) {
  const std::string name = NameOf(query);
  ASSIGN_OR_RETURN(const std::uint64_t change,
                   store::LastChange(ground_.store, op, store::kChanges, TopicOf(query.calendar)));
  if (Items items = Find(name, change)) {
    return items;
  }
  const SteadyInstant read_at = ground_.clock.Steady();
  ASSIGN_OR_RETURN(std::vector<AgendaItem> fresh, ReadAgenda(ground_.store, op, query, budget));
  auto items = std::make_shared<const std::vector<AgendaItem>>(std::move(fresh));
  Keep({.name = name,
        .items = items,
        .change = change,
        .read_at = read_at,
        .bytes = BytesOf(name, *items)});
  return items;
}

KeptAgendas::Items KeptAgendas::Find(const std::string& name, std::uint64_t change) {
  const std::scoped_lock lock(mutex_);
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) {
    return nullptr;
  }
  const Shelf::iterator kept = found->second;
  if (kept->change != change || ground_.clock.Steady() - kept->read_at > kAgeMax) {
    Remove(kept);
    return nullptr;
  }
  shelf_.splice(shelf_.begin(), shelf_, kept);
  return kept->items;
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
