// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "blobs/pack_book.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "base/error.h"
#include "blobs/keys.h"
#include "blobs/pack_format.h"
#include "store/limits.h"
#include "store/record.h"

namespace atrium::blobs {
namespace {

/// A pack of less than this part of a full one is small, and so many small ones are too many.
constexpr std::uint64_t kSmallPart = 8;

std::uint64_t EndOf(const PackFacts& facts) {
  return facts.sealed ? facts.end : facts.indexed;
}

/// Notes count as dead: a pack written anew has none.
std::uint64_t DeadBytesOf(const PackFacts& facts) {
  const std::uint64_t used = kHeadBytes + facts.live_bytes + facts.live * kHeadBytes;
  return EndOf(facts) - std::min(EndOf(facts), used);
}

bool IsMostlyDead(const PackFacts& facts) {
  return DeadBytesOf(facts) > EndOf(facts) / 3;
}

bool IsSettled(const PackFacts& facts) {
  return facts.sealed && !facts.emptied && facts.replay_from == facts.end;
}

/// Counters only guide clean-ups and are counted anew by them, so they do not go below zero over a
/// commit of which nobody knew whether it happened.
void TakeFrom(std::uint64_t& count, std::uint64_t amount) {
  count -= std::min(count, amount);
}

void TakeLive(PackFacts& facts, const Place& lost) {
  TakeFrom(facts.live, 1);
  TakeFrom(facts.live_bytes, lost.bytes);
}

void TakeOwn(OwnFileFacts& own, const Place& lost) {
  TakeFrom(own.count, 1);
  TakeFrom(own.bytes, lost.bytes);
}

store::Mutation PutFacts(store::Key key, std::string document) {
  return store::Put{.table = &kFacts, .key = std::move(key), .document = std::move(document)};
}

template <typename Record>
Result<Record> Decode(const store::RowView& row) {
  ASSIGN_OR_RETURN(store::Stored<Record> stored,
                   store::DecodeRecord<Record>(row.document, row.version));
  return std::move(stored.record);
}

}  // namespace

PackFacts PackBook::Pack::Current() const {
  PackFacts current = facts;
  current.replay_from = noted.empty() ? facts.indexed : std::min(*noted.begin(), facts.indexed);
  return current;
}

Result<void> PackBook::Load(const store::OpContext& op) {
  const std::scoped_lock lock(mutex_);
  std::optional<Error> broken;
  const auto take = [&](const store::RowView& row) -> Result<void> {
    if (row.key.sort == OwnFilesKey().sort) {
      ASSIGN_OR_RETURN(own_, Decode<OwnFileFacts>(row));
      own_stored_ = own_;
    }
    if (const std::optional<std::uint64_t> pack = PackOf(row.key.sort)) {
      ASSIGN_OR_RETURN(const PackFacts facts, Decode<PackFacts>(row));
      packs_[*pack] = {.facts = facts, .stored = facts};
      if (facts.replay_from < facts.indexed) {
        packs_[*pack].noted.insert(facts.replay_from);
      }
    }
    return {};
  };
  store::FunctionSink sink([&](const store::RowView& row) {
    if (Result<void> taken = take(row); !taken && !broken) {
      broken = std::move(taken).error();
    }
  });
  store::ScanRequest request{
      .table = &kFacts, .partition = kFactsPartition, .limit = store::kScanRowsMax};
  do {
    ASSIGN_OR_RETURN(store::ScanEnd end, engine_.Scan(op, request, sink));
    request.after = std::move(end.resume);
  } while (request.after);
  return broken ? While("facts about packs", *std::move(broken)) : Result<void>();
}

std::vector<std::uint64_t> PackBook::Numbers() const {
  const std::scoped_lock lock(mutex_);
  std::vector<std::uint64_t> numbers;
  numbers.reserve(packs_.size());
  for (const auto& [number, pack] : packs_) {
    numbers.push_back(number);
  }
  return numbers;
}

std::optional<PackFacts> PackBook::Find(std::uint64_t pack) const {
  const std::scoped_lock lock(mutex_);
  const auto found = packs_.find(pack);
  return found == packs_.end() ? std::nullopt : std::optional(found->second.Current());
}

bool PackBook::IsWorthCompacting(std::uint64_t pack) const {
  const std::optional<PackFacts> facts = Find(pack);
  return facts && IsMostlyDead(*facts);
}

std::vector<std::uint64_t> PackBook::WorthCompacting(std::uint64_t pack_bytes) const {
  const std::scoped_lock lock(mutex_);
  std::vector<std::uint64_t> worth;
  std::vector<std::uint64_t> small;
  for (const auto& [number, pack] : packs_) {
    const PackFacts facts = pack.Current();
    if (!IsSettled(facts)) {
      continue;
    }
    if (IsMostlyDead(facts)) {
      worth.push_back(number);
    } else if (facts.end < pack_bytes / kSmallPart) {
      small.push_back(number);
    }
  }
  if (small.size() >= kSmallPart) {
    worth.insert(worth.end(), small.begin(), small.end());
  }
  return worth;
}

void PackBook::Count(BlobStatistics& statistics) const {
  const std::scoped_lock lock(mutex_);
  statistics.own_files = own_.count;
  statistics.own_bytes = own_.bytes;
  statistics.count = own_.count;
  statistics.bytes = own_.bytes;
  statistics.packs = packs_.size();
  for (const auto& [number, pack] : packs_) {
    statistics.count += pack.facts.live;
    statistics.bytes += pack.facts.live_bytes;
    statistics.pack_bytes += EndOf(pack.facts);
    statistics.dead_bytes += DeadBytesOf(pack.facts);
  }
}

void PackBook::Add(std::uint64_t pack) {
  const std::scoped_lock lock(mutex_);
  packs_[pack] = {.facts = {.indexed = kHeadBytes, .replay_from = kHeadBytes}};
}

void PackBook::Seal(std::uint64_t pack, std::uint64_t end) {
  const std::scoped_lock lock(mutex_);
  PackFacts& facts = packs_.at(pack).facts;
  facts.sealed = true;
  facts.end = end;
}

void PackBook::MarkEmptied(std::uint64_t pack) {
  const std::scoped_lock lock(mutex_);
  packs_.at(pack).facts.emptied = true;
}

void PackBook::Forget(std::uint64_t pack) {
  const std::scoped_lock lock(mutex_);
  if (const auto found = packs_.find(pack); found != packs_.end()) {
    if (found->second.stored) {
      forgotten_.insert(pack);
    }
    packs_.erase(found);
  }
}

void PackBook::Note(const Advance& advance) {
  const std::scoped_lock lock(mutex_);
  Pack& pack = packs_.at(advance.pack);
  pack.facts.indexed = std::max(pack.facts.indexed, advance.indexed);
  pack.noted.insert(advance.noted.begin(), advance.noted.end());
  for (const Place& place : advance.live) {
    if (place.IsOwnFile()) {
      ++own_.count;
      own_.bytes += place.bytes;
    } else {
      ++pack.facts.live;
      pack.facts.live_bytes += place.bytes;
    }
  }
}

void PackBook::KeepNotes(std::uint64_t pack, std::uint64_t from) {
  const std::scoped_lock lock(mutex_);
  packs_.at(pack).noted.insert(from);
}

void PackBook::Settle(std::uint64_t pack, std::uint64_t at) {
  const std::scoped_lock lock(mutex_);
  const auto found = packs_.find(pack);
  if (found == packs_.end()) {
    return;
  }
  std::multiset<std::uint64_t>& noted = found->second.noted;
  if (const auto one = noted.find(at); one != noted.end()) {
    noted.erase(one);
  }
}

/// A record whose row is erased must be known as indexed by the same commit, or the next start
/// would index it anew.
PackBook::Draft PackBook::DraftOf(std::span<const Place> lost) const {
  Draft draft;
  OwnFileFacts own = own_;
  for (const Place& place : lost) {
    if (place.IsOwnFile()) {
      TakeOwn(own, place);
    }
    const auto found = packs_.find(place.pack);
    if (found == packs_.end()) {
      continue;
    }
    PackFacts& facts = draft.packs.emplace(place.pack, found->second.Current()).first->second;
    if (!place.IsOwnFile()) {
      TakeLive(facts, place);
    }
  }
  if (own != own_stored_) {
    draft.own = own;
  }
  return draft;
}

PackBook::Draft PackBook::MakeDraft(std::span<const Place> lost, std::size_t rows_max) const {
  const std::scoped_lock lock(mutex_);
  Draft draft = DraftOf(lost);
  for (const auto& [number, pack] : packs_) {
    if (draft.size() >= rows_max) {
      return draft;
    }
    if (const PackFacts facts = pack.Current(); facts != pack.stored) {
      draft.packs.emplace(number, facts);
    }
  }
  for (const std::uint64_t number : forgotten_) {
    if (draft.size() < rows_max) {
      draft.forgotten.push_back(number);
    }
  }
  return draft;
}

void PackBook::Adopt(const Draft& draft, std::span<const Place> lost) {
  const std::scoped_lock lock(mutex_);
  for (const Place& place : lost) {
    const auto found = packs_.find(place.pack);
    if (place.IsOwnFile()) {
      TakeOwn(own_, place);
    } else if (found != packs_.end()) {
      TakeLive(found->second.facts, place);
    }
  }
  for (const auto& [number, facts] : draft.packs) {
    if (const auto found = packs_.find(number); found != packs_.end()) {
      found->second.stored = facts;
    }
  }
  if (draft.own) {
    own_stored_ = *draft.own;
  }
  for (const std::uint64_t number : draft.forgotten) {
    forgotten_.erase(number);
  }
}

Result<PackBook::Draft> PackBook::CommitDraft(const store::OpContext& op,
                                              std::vector<store::Mutation> mutations,
                                              std::span<const Place> lost) {
  const std::scoped_lock lock(commit_mutex_);
  Draft draft = MakeDraft(lost, store::kRowsMax - mutations.size());
  for (const auto& [number, facts] : draft.packs) {
    mutations.push_back(PutFacts(PackKey(number), store::EncodeRecord(facts)));
  }
  if (draft.own) {
    mutations.push_back(PutFacts(OwnFilesKey(), store::EncodeRecord(*draft.own)));
  }
  for (const std::uint64_t number : draft.forgotten) {
    mutations.emplace_back(store::Erase{.table = &kFacts, .key = PackKey(number)});
  }
  if (!mutations.empty()) {
    RETURN_IF_ERROR(engine_.Commit(op, {.mutations = std::move(mutations)}));
    Adopt(draft, lost);
  }
  return draft;
}

Result<void> PackBook::Commit(const store::OpContext& op, std::vector<store::Mutation> mutations,
                              std::span<const Place> lost) {
  Check(mutations.size() <= kMutationsMax, "a commit has room for what is known about packs");
  RETURN_IF_ERROR(CommitDraft(op, std::move(mutations), lost));
  return {};
}

Result<void> PackBook::Checkpoint(const store::OpContext& op) {
  while (true) {
    ASSIGN_OR_RETURN(const Draft draft, CommitDraft(op, {}, {}));
    if (draft.size() < store::kRowsMax) {
      return {};
    }
  }
}

}  // namespace atrium::blobs
