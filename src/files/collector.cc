// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/collector.h"

#include <boost/describe/class.hpp>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/hex.h"
#include "base/log.h"
#include "files/blob_sweep.h"
#include "files/id_filter.h"
#include "files/keys.h"
#include "files/library_sweep.h"
#include "store/record.h"

namespace atrium::files {
namespace {

constexpr store::OpContext kOp = store::OpContext::ForWork("files.collect");

/// How far a collection has come.
struct Progress {
  /// In hexadecimal digits.
  std::string after{};
};
BOOST_DESCRIBE_STRUCT(Progress, (), (after))

store::Key ProgressKey() {
  return {.partition = "collect"};
}

/// Nothing is removed where not everything could be read; other libraries are not to suffer from
/// it.
bool IsDamage(const Error& error) {
  return error.code == ErrorCode::kCorrupt || error.code == ErrorCode::kNotFound ||
         error.code == ErrorCode::kInvalidArgument || error.code == ErrorCode::kLimitExceeded;
}

}  // namespace

Result<std::optional<std::string>> Collector::LoadPlace() {
  ASSIGN_OR_RETURN(const auto row, ground_.store.Get(kOp, kCareTable, ProgressKey()));
  if (!row) {
    return std::nullopt;
  }
  ASSIGN_OR_RETURN(const auto progress, store::DecodeRecord<Progress>(row->document, {}));
  ASSIGN_OR_RETURN(std::string place, DecodeHex(progress.record.after));
  return std::optional(std::move(place));
}

Result<void> Collector::SavePlace(const std::optional<std::string>& place) {
  store::WriteSet writes;
  if (place) {
    writes.mutations.emplace_back(
        store::Put{.table = &kCareTable,
                   .key = ProgressKey(),
                   .document = store::EncodeRecord(Progress{.after = EncodeHex(*place)})});
  } else {
    writes.mutations.emplace_back(store::Erase{.table = &kCareTable, .key = ProgressKey()});
  }
  RETURN_IF_ERROR(ground_.store.Commit(kOp, std::move(writes)));
  return {};
}

Result<std::optional<Collector::Found>> Collector::NextLibrary(
    const std::optional<std::string>& after) {
  Found found;
  bool any = false;
  std::optional<std::string> place = after;
  store::FunctionSink sink([&](const store::RowView& row) {
    const Result<LibraryId> id = LibraryId::Parse(row.key.partition);
    any = id.has_value();
    found.library = id.value_or(LibraryId());
  });
  do {
    ASSIGN_OR_RETURN(
        store::WalkEnd end,
        ground_.store.Walk(kOp, {.table = &kLibraryTable, .limit = 1, .after = place}, sink));
    place = std::move(end.resume);
  } while (!any && place);
  found.resume = std::move(place);
  return any ? std::optional(std::move(found)) : std::nullopt;
}

Result<void> Collector::SweepLibrary(const LibraryId& library, const CollectionOptions& options,
                                     const WorkSigns& signs, Collection& done) {
  IdFilter filter(ground_.ids.NewUuid());
  LibrarySweep sweep({.ground = ground_, .content = content_, .heads = heads_, .people = people_},
                     library, options, filter);
  Result<void> swept = sweep.Run(done, signs);
  if (swept || !IsDamage(swept.error())) {
    return swept;
  }
  ASSIGN_OR_RETURN(const auto row, ground_.store.Get(kOp, kLibraryTable, LibraryRowKey(library)));
  if (row) {
    log::Warn("garbage of a damaged library stays",
              {{"library", library.Render()}, {"detail", Describe(swept.error())}});
    done.damaged.push_back(library.Render());
  }
  return {};
}

Result<void> Collector::SweepLibraries(const CollectionOptions& options, const WorkSigns& signs,
                                       Collection& done) {
  std::optional<std::string> place;
  if (!options.IsDryRun()) {
    ASSIGN_OR_RETURN(place, LoadPlace());
  }
  do {
    ASSIGN_OR_RETURN(std::optional<Found> found, NextLibrary(place));
    if (!found) {
      break;
    }
    RETURN_IF_ERROR(SweepLibrary(found->library, options, signs, done));
    ++done.libraries;
    signs.progress(std::to_string(done.libraries) + " libraries");
    place = std::move(found->resume);
    if (!options.IsDryRun() && place) {
      RETURN_IF_ERROR(SavePlace(place));
    }
  } while (place);
  return options.IsDryRun() ? Result<void>() : SavePlace(std::nullopt);
}

Result<Collection> Collector::Collect(const CollectionOptions& options, const WorkSigns& signs) {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock()) {
    return Fail(ErrorCode::kRefusedByState, "garbage of libraries is being collected already");
  }
  Collection done;
  RETURN_IF_ERROR(eraser_.TrashAbandoned(options, signs, done));
  RETURN_IF_ERROR(eraser_.EraseDue(options, signs, done));
  RETURN_IF_ERROR(eraser_.EraseTokens(options, signs, done));
  RETURN_IF_ERROR(SweepLibraries(options, signs, done));
  BlobSweep blobs({.ground = ground_, .blobs = blobs_, .uses = content_.Uses()}, options);
  RETURN_IF_ERROR(blobs.Run(done, signs));
  if (!options.IsDryRun()) {
    ASSIGN_OR_RETURN(done.uploads, uploads_.Sweep());
  }
  return done;
}

}  // namespace atrium::files
