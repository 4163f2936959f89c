// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "base/result.h"
#include "files/collection.h"
#include "files/people.h"
#include "files/records.h"
#include "store/ground.h"
#include "store/record.h"

namespace atrium::files {

/// Takes libraries away for good whose time in the trash is over, with everything that belongs to
/// them, and tokens that open nothing any more; those of people who are gone go to the trash. Small
/// commits, the library itself last: a run that was broken off is taken up by the next one.
class LibraryEraser {
 public:
  /// All outlive it.
  LibraryEraser(const store::Ground& ground, const People& people)
      : ground_(ground), people_(people) {}

  /// Libraries whose owners are gone go to the trash.
  Result<void> TrashAbandoned(const CollectionOptions& options, const WorkSigns& signs,
                              Collection& done) const;
  Result<void> EraseDue(const CollectionOptions& options, const WorkSigns& signs,
                        Collection& done) const;
  /// Those of people who are gone or have ended all their credentials since, and of libraries that
  /// are gone.
  Result<void> EraseTokens(const CollectionOptions& options, const WorkSigns& signs,
                           Collection& done) const;

 private:
  Result<void> TrashIfAbandoned(const store::Stored<Library>& library,
                                const CollectionOptions& options, Collection& done) const;
  Result<void> EraseOne(const Library& library, const std::stop_token& stop) const;
  Result<void> EraseContent(const LibraryId& library, const std::stop_token& stop) const;
  Result<void> ErasePartition(const store::Table& table, const std::string& partition) const;
  Result<void> EraseMoves(const LibraryId& library) const;
  Result<void> EraseTokensOf(const LibraryId& library) const;
  Result<void> EraseRow(const LibraryId& library) const;
  Result<bool> OpensNothing(const SyncToken& token) const;

  const store::Ground ground_;
  const People& people_;
};

}  // namespace atrium::files
