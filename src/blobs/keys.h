// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "blobs/blob_id.h"
#include "store/row.h"
#include "store/table.h"

namespace atrium::blobs {

/// A row of Place for each blob. Partition: the first byte of the id, so that a sorted list of ids
/// touches few of them; sort key: the id.
inline constexpr store::Table kPlaces{
    .number = 80, .name = "blob_places", .kind = store::TableKind::kImmutable};

/// What is known about the folder and its packs, all in one partition.
inline constexpr store::Table kFacts{.number = 81, .name = "blob_facts"};

/// For the schema of the whole program.
inline constexpr std::array<const store::Table*, 2> kTables{&kPlaces, &kFacts};

inline constexpr std::string_view kFactsPartition = "local";

store::Key PlaceKey(const BlobId& id);
/// nullopt when no blob has this key.
std::optional<BlobId> BlobOf(const store::KeyView& key);

store::Key FolderKey();
store::Key OwnFilesKey();
store::Key PackKey(std::uint64_t pack);
/// nullopt when the row is not about a pack.
std::optional<std::uint64_t> PackOf(std::string_view sort);

}  // namespace atrium::blobs
