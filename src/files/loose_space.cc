// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/loose_space.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "files/keys.h"
#include "files/space.h"
#include "store/once_only.h"

namespace atrium::files {
namespace {

/// More than any disk has, and so little that sums of it are numbers.
constexpr std::int64_t kAnnouncedMax = std::int64_t{1} << 60;

store::Add AddLoose(const LibraryId& library, const LooseChange& change) {
  return {.table = &kLibraryCounts,
          .key = LooseKey(library),
          .counter = std::string(kBytesCounter),
          .delta = change.bytes,
          .expect = change.expect};
}

}  // namespace

Result<LooseCount> FindLoose(store::Store& store, const store::OpContext& op,
                             const LibraryId& library) {
  ASSIGN_OR_RETURN(const auto row, store.Get(op, kLibraryCounts, LooseKey(library)));
  return row ? LooseCount{.bytes = store::CounterOf(row->counters, kBytesCounter),
                          .version = row->version}
             : LooseCount();
}

Result<void> CountLoose(const store::OpContext& op, const People& people, const Library& library,
                        const LooseChange& change, store::Batch& batch) {
  ASSIGN_OR_RETURN(const auto owner, people.Find(op, library.owner));
  store::Add space{.table = &kSpaceTable,
                   .key = SpaceKey(library.owner),
                   .counter = std::string(kBytesCounter),
                   .delta = change.bytes};
  if (owner && owner->quota_bytes) {
    space.at_most = *owner->quota_bytes;
  }
  batch.Add(std::move(space));
  batch.Add(AddLoose(library.id, change));
  const Result<void> reserved = people.ReserveForOrg(op, library.org, change.bytes, batch);
  return !reserved && reserved.error().code != ErrorCode::kNotFound ? reserved : Result<void>();
}

LooseSpace::Amounts& LooseSpace::Amounts::operator+=(const Amounts& other) {
  announced += other.announced;
  held += other.held;
  unsettled += other.unsettled;
  settling += other.settling;
  return *this;
}

LooseSpace::Amounts LooseSpace::Amounts::operator-() const {
  return {.announced = -announced, .held = -held, .unsettled = -unsettled, .settling = -settling};
}

LooseSpace::Hold& LooseSpace::Hold::operator=(Hold&& other) noexcept {
  if (this != &other) {
    Release();
    space_ = std::exchange(other.space_, nullptr);
    place_ = other.place_;
    amounts_ = std::exchange(other.amounts_, {});
  }
  return *this;
}

void LooseSpace::Hold::Release() {
  if (space_ != nullptr) {
    std::exchange(space_, nullptr)->Adjust(place_, -std::exchange(amounts_, {}));
  }
}

LooseSpace::Hold LooseSpace::Hold::Split(std::int64_t bytes) {
  if (space_ == nullptr) {
    return {};
  }
  Amounts part{.announced = std::min(bytes, amounts_.announced)};
  part.held = std::min(part.announced, amounts_.held);
  amounts_ += -part;
  return {*space_, place_, part};
}

void LooseSpace::Hold::Merge(Hold other) {
  if (space_ == nullptr) {
    *this = std::move(other);
  } else if (other.space_ != nullptr) {
    amounts_ += std::exchange(other.amounts_, {});
  }
}

LooseSpace::Place LooseSpace::PlaceOf(const Library& library) {
  return {.library = library.id, .owner = library.owner, .org = library.org};
}

namespace {

/// Adds to the sum of one, and forgets it with the last account. What it is after that.
template <typename Sums>
std::int64_t AddToSum(Sums& sums, const typename Sums::key_type& of, std::int64_t bytes,
                      int accounts) {
  const auto found = sums.try_emplace(of).first;
  found->second.accounts += static_cast<std::size_t>(accounts);
  const std::int64_t sum = found->second.bytes += bytes;
  if (found->second.accounts == 0) {
    sums.erase(found);
  }
  return sum;
}

}  // namespace

/// What is given back may be in the store by now: then there is an account of less than nothing,
/// until that is written down as well.
SpaceWanted LooseSpace::AdjustLocked(const Place& place, const Amounts& change) {
  const auto [found, is_new] = accounts_.try_emplace(place.library, Account{.place = place});
  Account& account = found->second;
  const Place counted = account.place;
  account.amounts += change;
  const bool is_over = account.amounts == Amounts();
  const int accounts = (is_new ? 1 : 0) - (is_over ? 1 : 0);
  const SpaceWanted sums{.of_library = account.amounts.Sum(),
                         .of_owner = AddToSum(of_owners_, counted.owner, change.Sum(), accounts),
                         .of_org = AddToSum(of_orgs_, counted.org, change.Sum(), accounts)};
  if (is_over) {
    accounts_.erase(found);
  }
  return sums;
}

SpaceWanted LooseSpace::Adjust(const Place& place, const Amounts& change) {
  const std::scoped_lock lock(mutex_);
  return AdjustLocked(place, change);
}

LooseSpace::Amounts LooseSpace::AmountsLocked(const LibraryId& library) const {
  const auto found = accounts_.find(library);
  return found == accounts_.end() ? Amounts() : found->second.amounts;
}

LooseSpace::Amounts LooseSpace::AmountsOf(const LibraryId& library) const {
  const std::scoped_lock lock(mutex_);
  return AmountsLocked(library);
}

std::int64_t LooseSpace::TakeUnsettled(const LibraryId& library, std::int64_t at_least) {
  const std::scoped_lock lock(mutex_);
  const auto found = accounts_.find(library);
  if (found == accounts_.end() || std::abs(found->second.amounts.unsettled) < at_least) {
    return 0;
  }
  Amounts& amounts = found->second.amounts;
  const std::int64_t bytes = std::exchange(amounts.unsettled, 0);
  amounts.settling += bytes;
  return bytes;
}

Result<void> LooseSpace::CheckRoom(const store::OpContext& op, const Library& library,
                                   SpaceWanted counted) const {
  ASSIGN_OR_RETURN(const std::int64_t elsewhere, elsewhere_(library.owner));
  counted.of_library += elsewhere;
  counted.of_owner += elsewhere;
  counted.of_org += elsewhere;
  ASSIGN_OR_RETURN(const bool fits, HasRoomFor(store_, op, people_, library, counted));
  return fits ? Result<void>() : NoSpaceLeft();
}

/// Of what the store counts too much, another server may have given back some: the row never says
/// less than nothing.
Result<void> LooseSpace::WriteDown(const store::OpContext& op, const Library& library,
                                   std::int64_t bytes) {
  LooseChange change{.bytes = bytes};
  if (bytes < 0) {
    ASSIGN_OR_RETURN(const LooseCount loose, FindLoose(store_, op, library.id));
    change = {.bytes = std::max(bytes, -std::max<std::int64_t>(loose.bytes, 0)),
              .expect = ExpectationOf(loose)};
  }
  if (change.bytes == 0) {
    return {};
  }
  store::Batch batch;
  RETURN_IF_ERROR(CountLoose(op, people_, library, change, batch));
  RETURN_IF_ERROR(store_.Commit(op, std::move(batch)));
  return {};
}

Result<void> LooseSpace::Settle(const store::OpContext& op, const Library& library,
                                std::int64_t at_least) {
  const std::int64_t bytes = TakeUnsettled(library.id, at_least);
  if (bytes == 0) {
    return {};
  }
  Result<void> settled = store::RetryConflicts([&] { return WriteDown(op, library, bytes); });
  // Of a commit whose outcome is not known, what counts is that it is counted.
  const bool is_counted = settled || settled.error().code == ErrorCode::kOutcomeUnknown;
  Adjust(PlaceOf(library), {.unsettled = is_counted ? 0 : bytes, .settling = -bytes});
  if (!settled && settled.error().code == ErrorCode::kLimitExceeded) {
    return NoSpaceLeft();
  }
  return settled;
}

Result<LooseSpace::Hold> LooseSpace::Take(const store::OpContext& op, const Library& library,
                                          const Amounts& amounts, Hold instead) {
  Amounts change = -std::exchange(instead.amounts_, {});
  change += amounts;
  const SpaceWanted counted = Adjust(PlaceOf(library), change);
  Hold hold(*this, PlaceOf(library), amounts);
  RETURN_IF_ERROR(CheckRoom(op, library, counted));
  return hold;
}

Result<LooseSpace::Hold> LooseSpace::Reserve(const store::OpContext& op, const LibraryId& id,
                                             std::int64_t bytes) {
  ASSIGN_OR_RETURN(const auto library, store::Find(store_, op, Libraries(), LibraryRowKey(id)));
  return library ? Take(op, library->record, {.announced = bytes, .held = bytes}, {}) : Hold();
}

Result<LooseSpace::Hold> LooseSpace::Announce(const store::OpContext& op, const LibraryId& id,
                                              std::int64_t bytes) {
  if (bytes <= 0) {
    return Hold();
  }
  ASSIGN_OR_RETURN(const auto library, store::Find(store_, op, Libraries(), LibraryRowKey(id)));
  if (!library) {
    return Hold();
  }
  ASSIGN_OR_RETURN(const LooseCount loose, FindLoose(store_, op, id));
  Amounts more{.announced = std::min(bytes, kAnnouncedMax)};
  SpaceWanted counted;
  {
    const std::scoped_lock lock(mutex_);
    const Amounts now = AmountsLocked(id);
    const std::int64_t lie_there = loose.bytes + now.unsettled;
    more.held = std::clamp<std::int64_t>(now.announced + more.announced - lie_there - now.held, 0,
                                         more.announced);
    counted = AdjustLocked(PlaceOf(library->record), more);
  }
  Hold hold(*this, PlaceOf(library->record), more);
  if (more.held > 0) {
    RETURN_IF_ERROR(CheckRoom(op, library->record, counted));
  }
  return hold;
}

Result<LooseSpace::Hold> LooseSpace::ReserveBlock(const store::OpContext& op,
                                                  const ArrivedBlock& arrived, Hold held) {
  ASSIGN_OR_RETURN(const auto row,
                   store_.Get(op, kBlockTable, BlockKey(arrived.library, arrived.block)));
  if (row) {
    return Hold();
  }
  ASSIGN_OR_RETURN(const auto library,
                   store::Find(store_, op, Libraries(), LibraryRowKey(arrived.library)));
  if (!library) {
    return Hold();
  }
  ASSIGN_OR_RETURN(Hold hold,
                   Take(op, library->record, {.unsettled = arrived.bytes}, std::move(held)));
  RETURN_IF_ERROR(Settle(store::Unnamed(op), library->record, kUnsettledBytesMax));
  return hold;
}

Result<LooseSpace::Release> LooseSpace::PlanRelease(const store::OpContext& op,
                                                    const Library& library,
                                                    std::int64_t named_bytes) const {
  Release release{.place = PlaceOf(library)};
  if (named_bytes <= 0) {
    return release;
  }
  // The store first: what it counts too much could make a commit fail that fits. Except for what it
  // will be told anyway not to count.
  ASSIGN_OR_RETURN(const LooseCount loose, FindLoose(store_, op, library.id));
  const Amounts amounts = AmountsOf(library.id);
  const std::int64_t too_much =
      std::min<std::int64_t>(amounts.unsettled, 0) + std::min<std::int64_t>(amounts.settling, 0);
  release.settled = std::max<std::int64_t>(std::min(loose.bytes + too_much, named_bytes), 0);
  release.unsettled = std::clamp<std::int64_t>(amounts.unsettled, 0, named_bytes - release.settled);
  return release;
}

void LooseSpace::AddTo(store::Batch& batch, const Release& release) {
  if (release.settled > 0) {
    batch.Add(AddLoose(release.place.library, {.bytes = -release.settled}));
  }
}

void LooseSpace::Apply(const Release& release) {
  if (release.unsettled > 0) {
    Adjust(release.place, {.unsettled = -release.unsettled});
  }
}

Result<void> LooseSpace::SettleAll(const store::OpContext& op) {
  std::vector<Place> places;
  {
    const std::scoped_lock lock(mutex_);
    for (const auto& [library, account] : accounts_) {
      places.push_back(account.place);
    }
  }
  for (const Place& place : places) {
    ASSIGN_OR_RETURN(const auto library,
                     store::Find(store_, op, Libraries(), LibraryRowKey(place.library)));
    if (!library) {
      Adjust(place, {.settling = -TakeUnsettled(place.library, 1)});
      continue;
    }
    const Result<void> settled = Settle(op, library->record, 1);
    // Where a quota is full by now, this process counts on.
    if (!settled && !IsAboutSpace(settled.error())) {
      return settled;
    }
  }
  return {};
}

}  // namespace atrium::files
