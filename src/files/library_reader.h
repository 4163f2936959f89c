// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <list>
#include <memory>
#include <unordered_map>

#include "base/result.h"
#include "files/content.h"
#include "files/object_id.h"
#include "files/objects.h"
#include "files/tree.h"
#include "store/op_context.h"

namespace atrium::files {

/// The objects of one library during one request. Keeps some directories, because rules about trees
/// come back to those near the root. An object that is not there is kNotFound, one of another kind
/// kInvalidArgument: only trees that clients have just sent can name it so. One thread.
class LibraryReader final : public ObjectReader {
 public:
  /// The content outlives the reader.
  LibraryReader(const Content& content, const store::OpContext& op, const LibraryId& library)
      : content_(content), op_(op), library_(library) {}

 private:
  Result<std::shared_ptr<const Directory>> LoadDirectory(const ObjectId& id) override;
  Result<FileObject> LoadFile(const ObjectId& id) override;
  Result<FsObject> Load(const ObjectId& id);
  void Keep(const ObjectId& id, const std::shared_ptr<const Directory>& directory);

  const Content& content_;
  const store::OpContext op_;
  const LibraryId library_;
  std::unordered_map<ObjectId, std::shared_ptr<const Directory>> kept_;
  /// Oldest first.
  std::list<ObjectId> order_;
};

}  // namespace atrium::files
