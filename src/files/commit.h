// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/uuid.h"
#include "files/library_lock.h"
#include "files/object_id.h"

namespace atrium::files {

/// One state of a library, and what it came from.
struct Commit {
  CommitId id{};
  ObjectId root{};
  LibraryId library{};
  /// The address of the person.
  std::string creator_name{};
  /// Which device made it: always 40 characters; zeros for the server itself.
  std::string creator = std::string(Sha1Id::kTextLength, '0');
  /// For people: 'Added "x" and 2 more files.'
  std::string description{};
  /// Seconds since 1970.
  std::int64_t ctime = 0;
  /// The first commit of a library has none.
  std::optional<CommitId> parent{};
  /// Of a merge: what was merged into the parent.
  std::optional<CommitId> second_parent{};
  /// The name of the library since this commit: clients rename by it.
  std::string library_name{};
  std::string library_description{};
  std::optional<std::string> device_name{};
  std::optional<std::string> client_version{};
  /// Of an encrypted library.
  std::optional<LibraryLock> lock{};
  bool new_merge = false;
  /// A merge that had to keep two versions of something.
  bool conflict = false;
  bool repaired = false;

  friend bool operator==(const Commit&, const Commit&) = default;
};

/// Far more than any client writes, and less than a document of the store holds.
inline constexpr std::size_t kCommitBytesMax = std::size_t{32} << 10;

/// The JSON that clients know, with keys in the order in which they write them.
std::string Render(const Commit& commit);

/// Reads what Render and clients write; keys that mean nothing to us are passed over. Otherwise
/// kInvalidArgument, which names the key; kLimitExceeded above kCommitBytesMax. Whether the commit
/// fits its library, its name and its parent is for the caller to see.
Result<Commit> ParseCommit(std::string_view text);

/// The id that clients give a commit. It leaves out parent and library, so two commits of one
/// second may have the same: only for comparing with clients.
CommitId ClientCommitIdOf(const Commit& commit);

/// The id for a commit that is made here, of everything in ClientCommitIdOf and of library, parents
/// and `nonce`, which is never used twice.
CommitId FreshCommitIdOf(const Commit& commit, const Uuid& nonce);

}  // namespace atrium::files
