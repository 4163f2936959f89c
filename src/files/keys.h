// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "files/content_kind.h"
#include "files/object_id.h"
#include "files/records.h"
#include "store/collection.h"
#include "store/decoded_records.h"
#include "store/table.h"

namespace atrium::files {

// docs/formats/files.md shows the rows.

/// A library with its head, and what moves with it.
inline constexpr store::Table kLibraryTable{.number = 140, .name = "libraries", .group = 140};
inline constexpr store::Table kLibrariesByOwner{
    .number = 141, .name = "libraries_by_owner", .kind = store::TableKind::kDerived};
/// With what their sort keys begin there.
inline constexpr std::string_view kLiveLibraries = "live:";
inline constexpr std::string_view kTrashedLibraries = "trash:";
/// The default library of a person.
inline constexpr store::Table kDefaultLibraries{.number = 152, .name = "default_libraries"};
/// Libraries in the trash, by when they go for good.
inline constexpr store::Table kLibrariesToErase{
    .number = 142, .name = "libraries_to_erase", .kind = store::TableKind::kDerived};
/// The states that the head had, by their number.
inline constexpr store::Table kMoveTable{.number = 143, .name = "library_moves", .group = 140};
/// In which move a client's commit came in: each of them once.
inline constexpr store::Table kMovesByCommit{
    .number = 151, .name = "library_moves_by_commit", .group = 140};
/// Counters beside a library: kSweepsCounter, and, in a row of its own, kBytesCounter of blocks
/// that no state names (loose_space.h).
inline constexpr store::Table kLibraryCounts{.number = 144, .name = "library_counts", .group = 140};
inline constexpr std::string_view kSweepsCounter = "sweeps";

// What is content-addressed lies in many partitions, so that none of them is hot or grows without
// bound.
inline constexpr store::Table kCommitTable{
    .number = 145, .name = "library_commits", .kind = store::TableKind::kImmutable};
/// Directory and file objects, compressed as clients send them; long ones in several rows.
inline constexpr store::Table kObjectTable{
    .number = 146, .name = "library_objects", .kind = store::TableKind::kImmutable};
/// Which blob a block of a library is. Nobody reaches a blob otherwise.
inline constexpr store::Table kBlockTable{
    .number = 147, .name = "library_blocks", .kind = store::TableKind::kImmutable};
inline constexpr store::Table kSyncTokenTable{.number = 148, .name = "sync_tokens"};
inline constexpr store::Table kSyncTokensByLibrary{
    .number = 149, .name = "sync_tokens_by_library", .kind = store::TableKind::kDerived};
/// How much everybody has stored: kBytesCounter.
inline constexpr store::Table kSpaceTable{.number = 150, .name = "space_of_people"};
inline constexpr std::string_view kBytesCounter = "bytes";

/// Content that no state of its library names, and since when: condemned.h.
inline constexpr store::Table kCondemnedTable{.number = 160, .name = "condemned_content"};
/// How far work on all libraries has come.
inline constexpr store::Table kCareTable{.number = 161, .name = "library_care"};

std::vector<const store::Table*> BareTables();
std::vector<const store::AnyCollection*> Collections();

const store::Collection<Library>& Libraries();
const store::Collection<Move>& Moves();
const store::Collection<SyncToken>& SyncTokens();

std::string PartitionOf(const LibraryId& library);
std::string PartitionOf(const UserId& user);

store::Key LibraryRowKey(const LibraryId& library);
store::Key MoveKey(const LibraryId& library, std::uint64_t number);
store::Key PublishedKey(const LibraryId& library, const CommitId& commit);
store::Key DefaultLibraryKey(const UserId& user);
store::Key SweepsKey(const LibraryId& library);
store::Key LooseKey(const LibraryId& library);
store::Key SyncTokenKey(std::string_view hash);
store::Key SpaceKey(const UserId& user);

/// The bucket of a content-addressed row of a library: one of kBuckets.
inline constexpr int kBuckets = 256;
std::string BucketOf(const LibraryId& library, int bucket);
/// Where content of this kind lies.
const store::Table& TableOf(ContentKind kind);
store::Key CommitKey(const LibraryId& library, const CommitId& commit);
/// Of its first row, which says whether the others are there.
store::Key ObjectKey(const LibraryId& library, const ObjectId& object);
/// Of a further row. `spelling` tells apart the ways to compress the same text.
store::Key ObjectPieceKey(const LibraryId& library, const ObjectId& object,
                          std::string_view spelling, std::uint64_t piece);
store::Key BlockKey(const LibraryId& library, const BlockId& block);
/// The id in the sort key of such a row; zero when it is a further row of an object.
Sha1Id IdOfRow(std::string_view sort);

/// Of a sentence about content: it lies beside others of its bucket.
store::Key CondemnedKey(const LibraryId& library, ContentKind kind, const Sha1Id& id);

/// The partition of what is not of one library or person.
inline constexpr std::string_view kEverybody = "all";

/// The topic of the change log.
std::string TopicOf(const LibraryId& library);

}  // namespace atrium::files

namespace atrium::store {

template <>
inline constexpr bool kIsReadAllTheTime<files::Library> = true;
template <>
inline constexpr bool kIsReadAllTheTime<files::SyncToken> = true;

}  // namespace atrium::store
