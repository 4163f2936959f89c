// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/keys.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <utility>

#include "base/bytes.h"
#include "files/events.h"
#include "files/transfer_records.h"
#include "store/change_log.h"
#include "store/key_bytes.h"

namespace atrium::files {
namespace {

using store::Key;
using store::KeyBytes;
using Keys = std::vector<Key>;

std::string BytesOf(const LibraryId& library) {
  return std::string(AsChars(library.value().bytes));
}

std::string BytesOf(const Sha1Id& id) {
  return std::string(AsChars(id.bytes));
}

Key ContentKey(const LibraryId& library, const Sha1Id& id) {
  return {.partition = BucketOf(library, std::to_integer<int>(id.bytes.front())),
          .sort = BytesOf(id)};
}

Keys OwnerKeys(const Library& library) {
  return {{.partition = PartitionOf(library.owner),
           .sort = std::string(library.deleted_at ? kTrashedLibraries : kLiveLibraries) +
                   library.id.Render()}};
}

Keys EraseKeys(const Library& library) {
  if (!library.erase_at) {
    return {};
  }
  return {{.partition = std::string(kEverybody),
           .sort = KeyBytes().Time(*library.erase_at).Raw(library.id.Render()).Take()}};
}

}  // namespace

std::string PartitionOf(const LibraryId& library) {
  return library.Render();
}

std::string PartitionOf(const UserId& user) {
  return user.Render();
}

Key LibraryRowKey(const LibraryId& library) {
  return {.partition = PartitionOf(library)};
}

Key MoveKey(const LibraryId& library, std::uint64_t number) {
  return {.partition = PartitionOf(library), .sort = KeyBytes().Number(number).Take()};
}

Key PublishedKey(const LibraryId& library, const CommitId& commit) {
  return {.partition = PartitionOf(library), .sort = BytesOf(commit.value())};
}

Key DefaultLibraryKey(const UserId& user) {
  return {.partition = PartitionOf(user)};
}

Key SweepsKey(const LibraryId& library) {
  return {.partition = PartitionOf(library)};
}

Key LooseKey(const LibraryId& library) {
  return {.partition = PartitionOf(library), .sort = "loose"};
}

Key SyncTokenKey(std::string_view hash) {
  return {.partition = std::string(hash)};
}

Key SpaceKey(const UserId& user) {
  return {.partition = PartitionOf(user)};
}

std::string BucketOf(const LibraryId& library, int bucket) {
  return BytesOf(library) + static_cast<char>(bucket);
}

const store::Table& TableOf(ContentKind kind) {
  switch (kind) {
    case ContentKind::kCommit:
      return kCommitTable;
    case ContentKind::kObject:
      return kObjectTable;
    case ContentKind::kBlock:
      return kBlockTable;
  }
  std::abort();  // Unreachable: -Wswitch keeps the list above complete.
}

Key CommitKey(const LibraryId& library, const CommitId& commit) {
  return ContentKey(library, commit.value());
}

Key ObjectKey(const LibraryId& library, const ObjectId& object) {
  return ContentKey(library, object.value());
}

Key ObjectPieceKey(const LibraryId& library, const ObjectId& object, std::string_view spelling,
                   std::uint64_t piece) {
  Key key = ObjectKey(library, object);
  key.sort += KeyBytes().Raw(spelling).Number(piece).Take();
  return key;
}

Key BlockKey(const LibraryId& library, const BlockId& block) {
  return ContentKey(library, block.value());
}

Key CondemnedKey(const LibraryId& library, ContentKind kind, const Sha1Id& id) {
  Key key = ContentKey(library, id);
  key.sort.insert(key.sort.begin(), static_cast<char>(kind));
  return key;
}

Sha1Id IdOfRow(std::string_view sort) {
  Sha1Id id;
  if (sort.size() == id.bytes.size()) {
    std::ranges::copy(AsBytes(sort), id.bytes.begin());
  }
  return id;
}

std::string TopicOf(const LibraryId& library) {
  return "library:" + library.Render();
}

const store::Collection<Library>& Libraries() {
  static const store::Collection<Library> libraries({
      .table = &kLibraryTable,
      .key = [](const Library& library) { return LibraryRowKey(library.id); },
      .unique = {{.table = &kDefaultLibraries,
                  .key = [](const Library& library) -> std::optional<Key> {
                    return library.default_of
                               ? std::optional(DefaultLibraryKey(*library.default_of))
                               : std::nullopt;
                  }}},
      .lists = {{.table = &kLibrariesByOwner, .keys = OwnerKeys},
                {.table = &kLibrariesToErase,
                 .projection = store::Projection::kKey,
                 .keys = EraseKeys}},
      .topics = {{.log = &store::kChanges,
                  .topic = [](const Library& library) { return TopicOf(library.id); }}},
      .describe_change = DescribeLibrary,
  });
  return libraries;
}

const store::Collection<Move>& Moves() {
  static const store::Collection<Move> moves({
      .table = &kMoveTable,
      .key = [](const Move& move) { return MoveKey(move.library, move.number); },
      .unique = {{.table = &kMovesByCommit,
                  .key = [](const Move& move) -> std::optional<Key> {
                    return PublishedKey(move.library, move.merged.value_or(move.commit));
                  }}},
  });
  return moves;
}

const store::Collection<SyncToken>& SyncTokens() {
  static const store::Collection<SyncToken> tokens({
      .table = &kSyncTokenTable,
      .key = [](const SyncToken& token) { return SyncTokenKey(token.hash); },
      .lists = {{.table = &kSyncTokensByLibrary,
                 .projection = store::Projection::kKey,
                 .keys =
                     [](const SyncToken& token) {
                       return Keys{{.partition = PartitionOf(token.library),
                                    .sort = token.user.Render() + token.hash}};
                     }}},
  });
  return tokens;
}

std::vector<const store::Table*> BareTables() {
  return {&kLibraryCounts, &kCommitTable,    &kObjectTable, &kBlockTable,
          &kSpaceTable,    &kCondemnedTable, &kCareTable};
}

std::vector<const store::AnyCollection*> Collections() {
  return {&Libraries(), &Moves(), &SyncTokens(), &Transfers()};
}

}  // namespace atrium::files
