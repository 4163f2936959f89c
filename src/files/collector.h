// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>
#include <optional>
#include <string>

#include "base/result.h"
#include "blobs/blobs.h"
#include "files/collection.h"
#include "files/content.h"
#include "files/heads.h"
#include "files/library_eraser.h"
#include "files/partial_uploads.h"
#include "files/people.h"
#include "files/records.h"
#include "store/ground.h"

namespace atrium::files {

/// Collects garbage: content that no kept state of its library names, libraries whose time in the
/// trash is over with everything of theirs, tokens that open nothing any more, rows of libraries
/// that are gone, blobs that no row names, and what uploads left behind. In this order, so that
/// what one leaves the next finds. Small commits, one after the other: a run that was broken off is
/// taken up by the next one, at the library where it ended. Clients are not disturbed. One run at a
/// time.
class Collector {
 public:
  struct Parts {
    store::Ground ground;
    blobs::Blobs& blobs;
    Content& content;
    Heads& heads;
    const People& people;
    /// Files that have arrived in part.
    PartialUploads& uploads;
  };
  /// All outlive it.
  explicit Collector(const Parts& parts)
      : ground_(parts.ground),
        blobs_(parts.blobs),
        content_(parts.content),
        heads_(parts.heads),
        people_(parts.people),
        uploads_(parts.uploads),
        eraser_(parts.ground, parts.people) {}

  /// kRefusedByState while another one is at work.
  Result<Collection> Collect(const CollectionOptions& options, const WorkSigns& signs);

 private:
  struct Found {
    LibraryId library{};
    /// Where the walk over all libraries goes on behind it.
    std::optional<std::string> resume{};
  };

  Result<void> SweepLibraries(const CollectionOptions& options, const WorkSigns& signs,
                              Collection& done);
  Result<std::optional<Found>> NextLibrary(const std::optional<std::string>& after);
  Result<void> SweepLibrary(const LibraryId& library, const CollectionOptions& options,
                            const WorkSigns& signs, Collection& done);
  Result<std::optional<std::string>> LoadPlace();
  Result<void> SavePlace(const std::optional<std::string>& place);

  const store::Ground ground_;
  blobs::Blobs& blobs_;
  Content& content_;
  Heads& heads_;
  const People& people_;
  PartialUploads& uploads_;
  LibraryEraser eraser_;
  std::mutex mutex_;
};

}  // namespace atrium::files
