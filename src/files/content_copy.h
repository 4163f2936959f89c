// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/result.h"
#include "blobs/blobs.h"
#include "files/content.h"
#include "files/library_reader.h"
#include "files/object_id.h"
#include "files/objects.h"
#include "files/tree_diff.h"
#include "store/op_context.h"
#include "store/store.h"

namespace atrium::files {

/// Makes content of one library available in another: objects are written there, too, blocks get a
/// row that names the same bytes. Nothing is in any tree by that, and a repetition is harmless. One
/// thread, one copy.
class ContentCopy {
 public:
  struct Places {
    store::Store& store;
    Content& content;
    blobs::Blobs& blobs;
  };
  /// Called after each file, one in a folder that comes again and again once; an error ends the
  /// copy.
  using FileDone = std::function<Result<void>()>;

  /// All outlives it.
  ContentCopy(const Places& places, const store::OpContext& op, const LibraryId& from,
              const LibraryId& to);

  /// A file, or a folder with all that is in it. kNotFound when some of it is not there.
  Result<void> Copy(const Dirent& entry, const FileDone& done);

 private:
  Result<void> CopyEntry(const Dirent& entry, const FileDone& done);
  Result<void> CopyFile(const Dirent& entry);
  Result<void> CopyBlock(const BlockId& block);
  Result<void> CopyObject(const ObjectId& id);
  Result<void> Flush();

  const Places places_;
  const store::OpContext& op_;
  const LibraryId from_;
  const LibraryId to_;
  LibraryReader reader_;
  struct Waiting {
    ObjectId id{};
    std::string deflated{};
  };
  std::vector<Waiting> waiting_;
  std::size_t waiting_bytes_ = 0;
  /// Content that comes again and again is copied once; of very many, some of it again.
  std::unordered_set<ObjectId> copied_;
  FolderMemory folders_;
};

}  // namespace atrium::files
