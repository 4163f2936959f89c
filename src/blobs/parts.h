// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "base/clock.h"
#include "base/result.h"
#include "blobs/appender.h"
#include "blobs/blob_locks.h"
#include "blobs/disk.h"
#include "blobs/folder.h"
#include "blobs/index.h"
#include "blobs/own_files.h"
#include "blobs/pack_book.h"
#include "blobs/pack_file.h"
#include "blobs/shelf.h"
#include "store/op_context.h"

namespace atrium::blobs {

/// What the work on a folder of blobs is made of. All of it outlives the work.
struct Parts {
  const Folder& folder;
  Disk& disk;
  BlobLocks& locks;
  PackBook& book;
  Index& index;
  OpenPacks& packs;
  OwnFiles& files;
  Shelf& shelf;
  PackNumbers& numbers;
  Appender& appender;
};

/// How many of these blobs, which are in the order of their ids, one commit can take out of the
/// index.
std::size_t CountForOneCommit(std::span<const IndexedBlob> blobs);
/// Takes these blobs, which are locked and fit one commit, out of the index.
Result<void> EraseTogether(const Parts& parts, const store::OpContext& op,
                           std::span<const IndexedBlob> blobs);

/// Sets the bytes of a locked blob aside and takes it out of the index, so that it can be put
/// anew.
Result<void> Discard(const Parts& parts, const store::OpContext& op, const IndexedBlob& blob);

}  // namespace atrium::blobs
