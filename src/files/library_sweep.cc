// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/library_sweep.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <span>
#include <thread>
#include <utility>

#include "base/bytes.h"
#include "files/keys.h"
#include "store/batch.h"
#include "store/key_bytes.h"
#include "store/limits.h"

namespace atrium::files {
namespace {

/// Of a commit of 100 rows, two are about the library itself.
constexpr std::size_t kRowsAtOnce = store::kRowsMax - 2;
constexpr std::size_t kStatesAtOnce = 40;
/// How long states that are out of reach are remembered: what was published once is not merged
/// again as long as its state is known.
constexpr std::chrono::days kStatesRemembered{1000};
/// Between two commits, so that whoever waits for the library gets it.
constexpr std::chrono::microseconds kPause{200};
constexpr int kAttempts = 8;

std::uint64_t BytesOf(ContentKind kind, const store::RowView& row) {
  if (kind == ContentKind::kBlock) {
    const auto place = store::DecodeRecord<BlockPlace>(row.document, {});
    return place ? static_cast<std::uint64_t>(place->record.bytes) : 0;
  }
  return row.document.size();
}

}  // namespace

LibrarySweep::LibrarySweep(const Parts& parts, const LibraryId& library,
                           const CollectionOptions& options, IdFilter& filter)
    : ground_(parts.ground),
      heads_(parts.heads),
      people_(parts.people),
      id_(library),
      options_(options),
      old_(parts.ground.clock.Now() - options.grace),
      condemned_(parts.ground.store),
      reachability_(parts.ground.store, parts.content, library, filter) {}

Amount& LibrarySweep::AmountOf(ContentKind kind) {
  switch (kind) {
    case ContentKind::kCommit:
      return done_->commits;
    case ContentKind::kObject:
      return done_->objects;
    case ContentKind::kBlock:
      return done_->blocks;
  }
  std::abort();  // Unreachable: -Wswitch keeps the list above complete.
}

bool LibrarySweep::IsOld(const store::Version& version) const {
  return options_.grace == std::chrono::seconds(0) || WrittenAt(version) <= old_;
}

Result<void> LibrarySweep::Load(const std::stop_token& stop) {
  ASSIGN_OR_RETURN(library_, store::Load(ground_.store, op_, Libraries(), LibraryRowKey(id_)));
  return reachability_.Mark(library_.record, ground_.clock.Now(), stop);
}

Result<void> LibrarySweep::Run(Collection& done, const WorkSigns& signs) {
  done_ = &done;
  stop_ = signs.stop;
  ASSIGN_OR_RETURN(loose_, FindLoose(ground_.store, op_, id_));
  RETURN_IF_ERROR(Load(stop_));
  for (const ContentKind kind : kContentKinds) {
    for (int bucket = 0; bucket < kBuckets; ++bucket) {
      if (stop_.stop_requested()) {
        return FailPrivately(ErrorCode::kUnavailable, "stopped before the end");
      }
      RETURN_IF_ERROR(SweepBucket({.kind = kind, .bucket = bucket}));
    }
  }
  RETURN_IF_ERROR(CountWhatIsLeft());
  return ForgetStates();
}

/// Blocks that were named once do not count as loose when they are named no more, so this only
/// gives back. When somebody counts meanwhile, it is for the next time.
Result<void> LibrarySweep::CountWhatIsLeft() {
  const std::int64_t less = loose_.bytes - static_cast<std::int64_t>(loose_bytes_);
  if (less <= 0 || options_.IsDryRun()) {
    return {};
  }
  store::Batch batch;
  batch.Check(Libraries(), library_);
  RETURN_IF_ERROR(CountLoose(op_, people_, library_.record,
                             {.bytes = -less, .expect = ExpectationOf(loose_)}, batch));
  const auto receipt = ground_.store.Commit(op_, std::move(batch));
  return receipt || receipt.error().code == ErrorCode::kConflict ? Result<void>()
                                                                 : std::unexpected(receipt.error());
}

Result<void> LibrarySweep::SweepBucket(const Place& place) {
  ASSIGN_OR_RETURN(Condemned::Sentences sentences,
                   condemned_.List(op_, id_, place.kind, place.bucket));
  const std::string partition = BucketOf(id_, place.bucket);
  store::ScanRequest request{
      .table = &TableOf(place.kind), .partition = partition, .limit = store::kScanRowsMax};
  Thing current;
  do {
    std::vector<Thing> whole;
    store::FunctionSink sink([&](const store::RowView& row) {
      // Further rows of an object begin with its id, too.
      const Sha1Id id = IdOfRow(row.key.sort.substr(0, sizeof(Sha1Id)));
      if (id != current.id && !current.sorts.empty()) {
        whole.push_back(std::exchange(current, {}));
      }
      current.id = id;
      current.sorts.emplace_back(row.key.sort);
      current.bytes += BytesOf(place.kind, row);
      current.newest = std::max(current.newest, row.version);
    });
    ASSIGN_OR_RETURN(store::ScanEnd end, ground_.store.Scan(op_, request, sink));
    for (Thing& thing : whole) {
      RETURN_IF_ERROR(Look(place, sentences, std::move(thing)));
    }
    request.after = std::move(end.resume);
  } while (request.after);
  if (!current.sorts.empty()) {
    RETURN_IF_ERROR(Look(place, sentences, std::move(current)));
  }
  return Settle(place, sentences);
}

/// What stays in `sentences` was condemned and is to be pardoned.
Result<void> LibrarySweep::Look(const Place& place, Condemned::Sentences& sentences, Thing thing) {
  if (reachability_.MayReach(thing.id)) {
    return {};
  }
  if (const auto found = sentences.find(thing.id); found != sentences.end()) {
    thing.condemned = found->second;
    sentences.erase(found);
  }
  const bool is_due =
      options_.grace == std::chrono::seconds(0) || (thing.condemned && IsOld(*thing.condemned));
  if (!is_due) {
    done_->waiting.Count(thing.bytes);
    loose_bytes_ += place.kind == ContentKind::kBlock ? thing.bytes : 0;
    if (!thing.condemned && IsOld(thing.newest)) {
      to_condemn_.push_back(thing.id);
    }
    return {};
  }
  if (options_.IsDryRun()) {
    AmountOf(place.kind).Count(thing.bytes);
    return {};
  }
  if (thing.sorts.size() + 1 > kRowsAtOnce) {
    return RemoveLong(place.kind, thing);
  }
  if (rows_to_remove_ + thing.sorts.size() + 1 > kRowsAtOnce) {
    RETURN_IF_ERROR(RemoveSome(place.kind));
  }
  rows_to_remove_ += thing.sorts.size() + 1;
  to_remove_.push_back(std::move(thing));
  return {};
}

Result<void> LibrarySweep::Settle(const Place& place, const Condemned::Sentences& rest) {
  RETURN_IF_ERROR(RemoveSome(place.kind));
  const std::vector<Sha1Id> to_condemn = std::exchange(to_condemn_, {});
  if (options_.IsDryRun()) {
    return {};
  }
  RETURN_IF_ERROR(condemned_.Condemn(op_, id_, place.kind, to_condemn));
  std::vector<Sha1Id> pardoned;
  for (const auto& [id, since] : rest) {
    pardoned.push_back(id);
  }
  return condemned_.Pardon(op_, id_, place.kind, pardoned);
}

Result<void> LibrarySweep::RemoveSome(ContentKind kind) {
  Result<void> removed;
  for (int attempt = 0; attempt < kAttempts && !to_remove_.empty(); ++attempt) {
    removed = TryRemove(kind);
    if (removed || removed.error().code != ErrorCode::kConflict) {
      break;
    }
    RETURN_IF_ERROR(Reconsider(kind));
    removed = {};
  }
  // What others are still busy with is for the next time.
  to_remove_.clear();
  rows_to_remove_ = 0;
  return removed;
}

Result<void> LibrarySweep::TryRemove(ContentKind kind) {
  std::vector<store::Mutation> mutations;
  for (const Thing& thing : to_remove_) {
    const ContentName name{.library = id_, .kind = kind, .id = thing.id};
    mutations.push_back(thing.condemned ? Condemned::Execute(name, *thing.condemned)
                                        : Condemned::Hold(name, std::nullopt));
    const std::string partition = BucketOf(id_, std::to_integer<int>(thing.id.bytes.front()));
    for (const std::string& sort : thing.sorts) {
      mutations.emplace_back(
          store::Erase{.table = &TableOf(kind), .key = {.partition = partition, .sort = sort}});
    }
  }
  RETURN_IF_ERROR(Commit(std::move(mutations)));
  for (const Thing& thing : to_remove_) {
    AmountOf(kind).Count(thing.bytes);
  }
  return {};
}

/// Somebody moved the head, or put some of it again.
Result<void> LibrarySweep::Reconsider(ContentKind kind) {
  RETURN_IF_ERROR(Load(stop_));
  std::vector<Thing> still;
  for (Thing& thing : to_remove_) {
    ASSIGN_OR_RETURN(const auto since,
                     condemned_.Find(op_, {.library = id_, .kind = kind, .id = thing.id}));
    if (since == thing.condemned && !reachability_.MayReach(thing.id)) {
      still.push_back(std::move(thing));
    }
  }
  to_remove_ = std::move(still);
  return {};
}

/// Its first row goes first, so that nobody takes it for whole. Who puts it again meanwhile pardons
/// it, and the next commit does not happen. A conflict leaves it to the next time.
Result<void> LibrarySweep::RemoveLong(ContentKind kind, const Thing& thing) {
  const ContentName name{.library = id_, .kind = kind, .id = thing.id};
  const std::string partition = BucketOf(id_, std::to_integer<int>(thing.id.bytes.front()));
  for (std::size_t at = 0; at < thing.sorts.size(); at += kRowsAtOnce - 1) {
    const std::size_t end = std::min(at + kRowsAtOnce - 1, thing.sorts.size());
    const bool is_last = end == thing.sorts.size() && thing.condemned;
    std::vector<store::Mutation> mutations{is_last ? Condemned::Execute(name, *thing.condemned)
                                                   : Condemned::Hold(name, thing.condemned)};
    for (std::size_t i = at; i < end; ++i) {
      mutations.emplace_back(store::Erase{.table = &TableOf(kind),
                                          .key = {.partition = partition, .sort = thing.sorts[i]}});
    }
    const Result<void> removed = Commit(std::move(mutations));
    if (!removed) {
      return removed.error().code == ErrorCode::kConflict ? Load(stop_) : removed;
    }
  }
  AmountOf(kind).Count(thing.bytes);
  return {};
}

/// What goes must not come into reach again when somebody decides to keep states for longer.
Result<void> LibrarySweep::FixCut() {
  if (library_.record.kept_from.value_or(1) >= reachability_.FirstKeptMove()) {
    return {};
  }
  Library after = library_.record;
  after.kept_from = reachability_.FirstKeptMove();
  store::Batch batch;
  batch.Replace(Libraries(), library_, after);
  const HeadQueue::Turn turn = heads_.Hold(id_);
  ASSIGN_OR_RETURN(const store::Receipt receipt, ground_.store.Commit(op_, std::move(batch)));
  library_.record = std::move(after);
  library_.version = receipt.version;
  return {};
}

/// Nobody in this process moves the head meanwhile, and nobody waits for long.
Result<void> LibrarySweep::Commit(std::vector<store::Mutation> mutations) {
  RETURN_IF_ERROR(FixCut());
  mutations.emplace_back(store::Check{.table = &kLibraryTable,
                                      .key = LibraryRowKey(id_),
                                      .expect = store::Expectation::At(library_.version)});
  mutations.emplace_back(store::Add{.table = &kLibraryCounts,
                                    .key = SweepsKey(id_),
                                    .counter = std::string(kSweepsCounter),
                                    .delta = 1});
  Result<store::Receipt> receipt = [&] {
    const HeadQueue::Turn turn = heads_.Hold(id_);
    return ground_.store.Commit(op_, store::WriteSet{.mutations = std::move(mutations)});
  }();
  std::this_thread::sleep_for(kPause);
  return receipt ? Result<void>() : std::unexpected(std::move(receipt).error());
}

Result<void> LibrarySweep::ForgetStates() {
  const std::string partition = PartitionOf(id_);
  store::ScanRequest request{
      .table = &kMoveTable,
      .partition = partition,
      .range = {.before = store::KeyBytes().Number(reachability_.FirstKeptMove()).Take()},
      .limit = kStatesAtOnce};
  do {
    ASSIGN_OR_RETURN(auto page, store::List<Move>(ground_.store, op_, request));
    RETURN_IF_ERROR(ForgetOld(page.records));
    request.after = std::move(page.resume);
  } while (request.after && !stop_.stop_requested());
  return {};
}

Result<void> LibrarySweep::ForgetOld(std::span<const store::Stored<Move>> moves) {
  const Instant remembered = ground_.clock.Now() - kStatesRemembered;
  store::Batch batch;
  std::uint64_t states = 0;
  for (const store::Stored<Move>& move : moves) {
    if (move.record.at <= remembered) {
      batch.Erase(Moves(), move);
      ++states;
    }
  }
  if (states > 0 && !options_.IsDryRun()) {
    batch.Check(Libraries(), library_);
    const auto receipt = ground_.store.Commit(op_, std::move(batch));
    if (!receipt) {
      return receipt.error().code == ErrorCode::kConflict ? Result<void>()
                                                          : std::unexpected(receipt.error());
    }
  }
  done_->states += states;
  return {};
}

}  // namespace atrium::files
