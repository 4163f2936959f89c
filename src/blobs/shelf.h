// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "blobs/blobs.h"
#include "blobs/disk.h"
#include "blobs/folder.h"
#include "blobs/index.h"
#include "blobs/own_files.h"
#include "blobs/pack_file.h"

namespace atrium::blobs {

/// Goes to the place of a blob. kNotFound: there is nothing; kCorrupt: there is something else;
/// kUnavailable: the disk does not say. Any thread.
class Shelf {
 public:
  /// All outlive it.
  Shelf(const Folder& folder, OpenPacks& packs, OwnFiles& files, Disk& disk)
      : folder_(folder), packs_(packs), files_(files), disk_(disk) {}

  /// Looks at the head of the record, or at the length of the file.
  Result<BlobSlice> Open(const IndexedBlob& blob) const;
  /// Also proves that the bytes are those of the id.
  Result<std::string> Read(const IndexedBlob& blob) const;
  /// The same without holding all of them in memory. Also proves all of the head of a record.
  Result<void> Prove(const IndexedBlob& blob) const;

  /// Puts what lies there under set-aside/, for people to look at. A file is moved, a record is
  /// copied. Nothing there: nothing to do.
  Result<void> SetAside(const IndexedBlob& blob) const;

 private:
  Result<BlobSlice> OpenFile(const IndexedBlob& blob) const;
  Result<BlobSlice> OpenRecord(const IndexedBlob& blob) const;
  Result<std::string> ReadRecord(const IndexedBlob& blob) const;
  Result<void> CopyAside(const IndexedBlob& blob) const;

  const Folder& folder_;
  OpenPacks& packs_;
  OwnFiles& files_;
  Disk& disk_;
};

}  // namespace atrium::blobs
