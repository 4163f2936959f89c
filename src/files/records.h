// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "api/caller.h"
#include "base/instant.h"
#include "blobs/blob_id.h"
#include "files/library_lock.h"
#include "files/object_id.h"

namespace atrium::files {

using api::OrgId;
using api::UserId;

BOOST_DESCRIBE_STRUCT(LibraryLock, (), (version, magic, random_key, salt))

/// A tree of files with all its earlier states. What moves with its head stands in one row.
struct Library {
  LibraryId id{};
  OrgId org{};
  UserId owner{};
  /// Whose first library it is, which everybody has once at most.
  std::optional<UserId> default_of{};
  std::string name{};
  std::string description{};
  /// Of an encrypted one, whose blocks the server cannot read.
  std::optional<LibraryLock> lock{};

  CommitId head{};
  /// Of the head.
  ObjectId root{};
  /// How often the head has moved.
  std::uint64_t moves = 0;
  std::int64_t bytes = 0;
  std::int64_t files = 0;

  /// How long earlier states are kept; nullopt: for good.
  std::optional<std::int32_t> keep_days{};
  /// The number of the first state that is kept since earlier ones were thrown away; kept_history.h
  /// says what is kept.
  std::optional<std::uint64_t> kept_from{};
  std::optional<std::int64_t> quota_bytes{};
  Instant created_at{};
  Instant updated_at{};
  /// The address of who moved the head last.
  std::string updated_by{};
  /// In the trash since then.
  std::optional<Instant> deleted_at{};
  /// When it goes for good.
  std::optional<Instant> erase_at{};
};
BOOST_DESCRIBE_STRUCT(Library, (),
                      (id, org, owner, default_of, name, description, lock, head, root, moves,
                       bytes, files, keep_days, kept_from, quota_bytes, created_at, updated_at,
                       updated_by, deleted_at, erase_at))

/// One state that the head of a library had, by its number.
struct Move {
  LibraryId library{};
  std::uint64_t number = 0;
  CommitId commit{};
  /// Of a merge that was made here: what a client published, and `commit` brought in.
  std::optional<CommitId> merged{};
  ObjectId root{};
  Instant at{};
  /// The address of who made it, and what they did, as clients put it.
  std::string by{};
  std::string description{};
  std::int64_t bytes = 0;
  std::int64_t files = 0;
};
BOOST_DESCRIBE_STRUCT(Move, (),
                      (library, number, commit, merged, root, at, by, description, bytes, files))

/// A row of an object, or all of it.
struct ObjectPiece {
  /// In a first row: how many there are.
  std::uint64_t pieces = 1;
  /// In the first of several: which way to compress the text the others belong to.
  std::string spelling{};
  /// In base64.
  std::string deflated{};
};
BOOST_DESCRIBE_STRUCT(ObjectPiece, (), (pieces, spelling, deflated))

/// Which bytes a block of a library is.
struct BlockPlace {
  blobs::BlobId blob{};
  std::int64_t bytes = 0;

  friend bool operator==(const BlockPlace&, const BlockPlace&) = default;
};
BOOST_DESCRIBE_STRUCT(BlockPlace, (), (blob, bytes))

enum class Permission : std::uint8_t { kRead, kWrite };
BOOST_DESCRIBE_ENUM(Permission, kRead, kWrite)

/// By which one client of one person syncs one library. Does not expire: clients keep it for as
/// long as they sync.
struct SyncToken {
  /// Of the secret.
  std::string hash{};
  LibraryId library{};
  UserId user{};
  /// Of the person's credentials, when it was given.
  std::uint64_t generation = 0;
  /// It opens no more than this, whatever the person may.
  Permission permission = Permission::kWrite;
  Instant created_at{};
  /// What it was derived from, and ends with. Without one it opens nothing.
  std::optional<api::CredentialRef> parent{};
};
BOOST_DESCRIBE_STRUCT(SyncToken, (),
                      (hash, library, user, generation, permission, created_at, parent))

}  // namespace atrium::files
