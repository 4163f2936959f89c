// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <unordered_map>

#include "base/result.h"
#include "files/content.h"
#include "files/object_id.h"
#include "files/objects.h"
#include "files/tree.h"
#include "files/tree_memory.h"
#include "store/op_context.h"

namespace atrium::files {

/// The objects of one library during one request. Keeps some directories, because rules about trees
/// come back to those near the root. An object that is not there is kNotFound, one of another kind
/// kInvalidArgument: only trees that clients have just sent can name it so. What has been read and
/// is in use, of this reader and of all together, has a bound (tree_memory.h). One thread.
class LibraryReader final : public ObjectReader {
 public:
  /// The content outlives the reader, and what was read. `walk_bytes_max`: of directories that are
  /// in use at a time.
  LibraryReader(const Content& content, const store::OpContext& op, const LibraryId& library,
                std::size_t walk_bytes_max = kWalkBytesMax)
      : content_(content),
        op_(op),
        library_(library),
        memory_(std::make_shared<TreeMemory>(content.MemoryForTrees(),
                                             TreeMemory::Limits{.bytes = walk_bytes_max})) {}

 private:
  /// What is kept beyond its use.
  struct Kept {
    std::shared_ptr<const Directory> directory{};
    std::size_t bytes = 0;
  };

  Result<std::shared_ptr<const Directory>> LoadDirectory(const ObjectId& id) override;
  Result<FileObject> LoadFile(const ObjectId& id) override;
  Result<FsObject> Load(const ObjectId& id);
  Result<FsObject> LoadWithin(const StoredObject& stored, std::size_t bytes_max);
  void Keep(const ObjectId& id, const std::shared_ptr<const Directory>& directory);
  void ForgetOldest();

  const Content& content_;
  const store::OpContext op_;
  const LibraryId library_;
  const std::shared_ptr<TreeMemory> memory_;
  std::unordered_map<ObjectId, Kept> kept_;
  std::size_t kept_bytes_ = 0;
  /// Oldest first.
  std::list<ObjectId> order_;
};

}  // namespace atrium::files
