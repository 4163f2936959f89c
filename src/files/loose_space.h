// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/result.h"
#include "files/people.h"
#include "files/records.h"
#include "files/space.h"
#include "store/batch.h"
#include "store/row.h"
#include "store/store.h"
#include "store/write_set.h"

namespace atrium::files {

/// How much of what came may be known to this process alone: what a kill makes be forgotten, of
/// each library.
inline constexpr std::int64_t kUnsettledBytesMax = std::int64_t{4} << 20;

/// What is counted of blocks in a library that no state has named yet.
struct LooseCount {
  std::int64_t bytes = 0;
  /// Of the row; nullopt: there is none.
  std::optional<store::Version> version{};
};
/// Holds a commit to it.
inline store::Expectation ExpectationOf(const LooseCount& loose) {
  return loose.version ? store::Expectation::At(*loose.version) : store::Expectation::Absent();
}
Result<LooseCount> FindLoose(store::Store& store, const store::OpContext& op,
                             const LibraryId& library);

struct LooseChange {
  std::int64_t bytes = 0;
  store::Expectation expect = store::Expectation::None();
};
/// Adds to what is counted of a library, its owner and their organisation. Within the quotas when
/// it is more. An organisation that is gone counts nothing.
Result<void> CountLoose(const store::OpContext& op, const People& people, const Library& library,
                        const LooseChange& change, store::Batch& batch);

/// Blocks that have arrived, and that no state of their library names yet. They count against the
/// quotas of the library's owner and organisation while they lie there: a row beside the library
/// has how many bytes they are, and the counters of people and organisations have them, too. A
/// state that names them gives them back and counts them as its own; a collection of garbage gives
/// back what is not there any more. Blocks are many and small, so rows are written for some
/// megabytes at once; until then this process counts them. Any thread.
class LooseSpace {
 public:
  /// How many bytes of the person lie elsewhere, and count, too.
  using Elsewhere = std::function<Result<std::int64_t>(const UserId&)>;

  /// Both outlive it.
  LooseSpace(store::Store& store, const People& people, Elsewhere elsewhere)
      : store_(store), people_(people), elsewhere_(std::move(elsewhere)) {}
  LooseSpace(const LooseSpace&) = delete;
  LooseSpace& operator=(const LooseSpace&) = delete;

  /// Whose bytes they are.
  struct Place {
    LibraryId library{};
    UserId owner{};
    OrgId org{};
  };
  /// What this process counts of a library.
  struct Amounts {
    /// Bytes that are on their way, and how much space is held for them. They may never be there,
    /// so they are not written down.
    std::int64_t announced = 0;
    std::int64_t held = 0;
    /// Of blocks. Less than zero: the store counts too much.
    std::int64_t unsettled = 0;
    /// On its way into the store.
    std::int64_t settling = 0;

    std::int64_t Sum() const { return held + unsettled + settling; }
    Amounts& operator+=(const Amounts& other);
    Amounts operator-() const;
    friend bool operator==(const Amounts&, const Amounts&) = default;
  };

  /// Space for bytes that are about to be stored; given back unless it is kept.
  class [[nodiscard]] Hold {
   public:
    Hold() = default;
    Hold(LooseSpace& space, const Place& place, const Amounts& amounts)
        : space_(&space), place_(place), amounts_(amounts) {}
    Hold(Hold&& other) noexcept
        : space_(std::exchange(other.space_, nullptr)),
          place_(other.place_),
          amounts_(std::exchange(other.amounts_, {})) {}
    Hold& operator=(Hold&& other) noexcept;
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;
    ~Hold() { Release(); }

    /// The block is there; only for one that was reserved as such.
    void Keep() { space_ = nullptr; }

    /// For how many bytes that were announced it is.
    std::int64_t Announced() const { return amounts_.announced; }
    /// Up to so many of them, as a hold of their own.
    Hold Split(std::int64_t bytes);
    /// Takes over what another hold of the same library has.
    void Merge(Hold other);

   private:
    friend class LooseSpace;
    void Release();

    LooseSpace* space_ = nullptr;
    Place place_{};
    Amounts amounts_{};
  };

  /// kLimitExceeded (IsAboutSpace) when they do not fit. Nothing is held for a library that is not
  /// there. This process alone counts them, as long as the hold lives.
  Result<Hold> Reserve(const store::OpContext& op, const LibraryId& library, std::int64_t bytes);

  /// The same for bytes that are to become blocks, while they arrive. What is loose in the library
  /// may be a part of them: an upload that is tried again finds its blocks there. So space is held
  /// for as many as all that are on their way into the library are more than that.
  Result<Hold> Announce(const store::OpContext& op, const LibraryId& library, std::int64_t bytes);

  struct ArrivedBlock {
    LibraryId library{};
    BlockId block{};
    std::int64_t bytes = 0;
  };
  /// The same for a block that has arrived, in the place of what was held for its bytes. The store
  /// counts it, too, soon; nothing is held for one that the library has.
  Result<Hold> ReserveBlock(const store::OpContext& op, const ArrivedBlock& arrived, Hold held);

  /// What a state gives back that names blocks.
  struct Release {
    Place place{};
    /// Of what the store counts: goes with the commit, out of the space of owner and organisation.
    std::int64_t settled = 0;
    /// Of what this process counts: goes after it.
    std::int64_t unsettled = 0;
  };
  /// For a commit that holds the library to its version, so that two do not give back the same.
  Result<Release> PlanRelease(const store::OpContext& op, const Library& library,
                              std::int64_t named_bytes) const;
  static void AddTo(store::Batch& batch, const Release& release);
  void Apply(const Release& release);

  /// Writes down what only this process knows.
  Result<void> SettleAll(const store::OpContext& op);

 private:
  struct Account {
    Place place{};
    Amounts amounts{};
  };
  /// What is counted of all libraries of a person or an organisation.
  struct Sum {
    std::int64_t bytes = 0;
    std::size_t accounts = 0;
  };

  static Place PlaceOf(const Library& library);
  /// What is counted after that.
  SpaceWanted Adjust(const Place& place, const Amounts& change);
  SpaceWanted AdjustLocked(const Place& place, const Amounts& change);
  Amounts AmountsOf(const LibraryId& library) const;
  Amounts AmountsLocked(const LibraryId& library) const;
  /// How much there is to settle, which is then under way.
  std::int64_t TakeUnsettled(const LibraryId& library, std::int64_t at_least);
  /// Counts so many, unless that is too much; `instead` of what a hold had.
  Result<Hold> Take(const store::OpContext& op, const Library& library, const Amounts& amounts,
                    Hold instead);
  Result<void> CheckRoom(const store::OpContext& op, const Library& library,
                         SpaceWanted counted) const;
  Result<void> Settle(const store::OpContext& op, const Library& library, std::int64_t at_least);
  Result<void> WriteDown(const store::OpContext& op, const Library& library, std::int64_t bytes);

  store::Store& store_;
  const People& people_;
  const Elsewhere elsewhere_;
  mutable std::mutex mutex_;
  // Guarded by mutex_.
  std::unordered_map<LibraryId, Account> accounts_;
  // Of those that have an account.
  std::unordered_map<UserId, Sum> of_owners_;
  std::unordered_map<OrgId, Sum> of_orgs_;
};

}  // namespace atrium::files
