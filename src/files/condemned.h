// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <unordered_map>

#include "base/instant.h"
#include "base/result.h"
#include "files/content_kind.h"
#include "files/object_id.h"
#include "store/store.h"
#include "store/write_set.h"

namespace atrium::files {

/// For how long a client may rely on an answer that something is there.
inline constexpr std::chrono::hours kGrace{24};

/// Versions of rows are microseconds since 1970.
inline Instant WrittenAt(const store::Version& version) {
  return Instant(std::chrono::milliseconds(static_cast<std::int64_t>(version.number / 1000)));
}

/// One thing among the content of a library.
struct ContentName {
  LibraryId library{};
  ContentKind kind = ContentKind::kObject;
  Sha1Id id{};
};

/// Content that no state of its library names any more. It goes when it has been condemned for
/// kGrace, and meanwhile clients that ask are told that it is not there. So whoever was told that
/// something is there can rely on it for kGrace at least, and whoever puts it again pardons it
/// before the row is written: of putting and removing, one sees the other. Any thread.
class Condemned {
 public:
  explicit Condemned(store::Store& store) : store_(store) {}

  /// Since which version; nullopt: it is not condemned.
  Result<std::optional<store::Version>> Find(const store::OpContext& op,
                                             const ContentName& name) const;

  using Sentences = std::unordered_map<Sha1Id, store::Version>;
  /// All of one kind in one bucket.
  Result<Sentences> List(const store::OpContext& op, const LibraryId& library, ContentKind kind,
                         int bucket) const;

  /// Before it is put, and when a state names it again. What is not condemned costs one read.
  Result<void> Pardon(const store::OpContext& op, const LibraryId& library, ContentKind kind,
                      std::span<const Sha1Id> ids);
  Result<void> Condemn(const store::OpContext& op, const LibraryId& library, ContentKind kind,
                       std::span<const Sha1Id> ids);

  /// To go together with the content; kConflict when it was pardoned since.
  static store::Mutation Execute(const ContentName& name, const store::Version& since);
  /// Holds a commit to it.
  static store::Mutation Hold(const ContentName& name, const std::optional<store::Version>& since);

 private:
  store::Store& store_;
};

}  // namespace atrium::files
