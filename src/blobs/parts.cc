// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "blobs/parts.h"

#include <utility>
#include <vector>

#include "base/log.h"
#include "store/limits.h"
#include "store/write_set.h"

namespace atrium::blobs {
namespace {

/// One partition is that of the facts about packs.
constexpr std::size_t kPartitionsMax = store::kPartitionsMax - 1;

}  // namespace

std::size_t CountForOneCommit(std::span<const IndexedBlob> blobs) {
  std::size_t partitions = 0;
  std::size_t count = 0;
  while (count < blobs.size() && count < PackBook::kMutationsMax) {
    const bool another = count == 0 || blobs[count].id.digest[0] != blobs[count - 1].id.digest[0];
    if (another && ++partitions > kPartitionsMax) {
      break;
    }
    ++count;
  }
  return count;
}

Result<void> EraseTogether(const Parts& parts, const store::OpContext& op,
                           std::span<const IndexedBlob> blobs) {
  std::vector<store::Mutation> mutations;
  std::vector<Place> lost;
  for (const IndexedBlob& blob : blobs) {
    mutations.push_back(Index::Erase(blob.id));
    lost.push_back(blob.place);
  }
  return parts.book.Commit(op, std::move(mutations), lost);
}

Result<void> Discard(const Parts& parts, const store::OpContext& op, const IndexedBlob& blob) {
  RETURN_IF_ERROR(parts.folder.CheckPresent());
  log::Error("a blob is damaged and was set aside",
             {{"id", blob.id.Render()}, {"bytes", blob.place.bytes}});
  RETURN_IF_ERROR(parts.shelf.SetAside(blob));
  return EraseTogether(parts, op, std::span(&blob, 1));
}

}  // namespace atrium::blobs
