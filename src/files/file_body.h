// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/hash.h"
#include "base/memory_budget.h"
#include "base/result.h"
#include "blobs/blobs.h"
#include "files/content.h"
#include "files/library_cipher.h"
#include "files/object_id.h"
#include "files/objects.h"
#include "http/body.h"
#include "store/op_context.h"

namespace atrium::files {

/// The content of a file, read while it is sent: a few pieces in memory, of an encrypted library
/// one block. The next block is announced to the disk while one is read. What is read from the
/// start of a block to its end is proved to be what was stored, and breaks off where it is not.
class FileBody final : public http::BodySource {
 public:
  /// Content outlives the body. `key`: of an encrypted library, else null. `memory`: for the list
  /// of its blocks.
  FileBody(const Content& content, const LibraryId& library, FileObject file,
           std::shared_ptr<const LibraryKey> key, MemoryLease memory = {});

  /// A file can have a million blocks, whose ids are in memory as long as it is sent. kUnavailable
  /// when there is no memory for them.
  static Result<MemoryLease> TakeMemory(const Content& content, const FileObject& file);

  Result<std::optional<std::string>> Next() override;
  std::optional<std::uint64_t> Length() const override { return end_ - begin_; }
  /// The lengths of encrypted blocks are not known before they are read, so such a file is only
  /// given as a whole.
  bool Narrow(const http::ByteRange& part) override;

 private:
  /// A block that is being read.
  struct OpenBlock {
    BlockPlace place{};
    blobs::BlobSlice slice{};
    /// Decrypted, instead of the slice.
    std::string plain{};
    std::uint64_t bytes = 0;
    /// How much of it was read.
    std::uint64_t at = 0;
    /// Of all that was read, when that began at its start.
    std::optional<Sha256> proof{};
  };

  Result<BlockPlace> PlaceOf(std::size_t index) const;
  Result<void> OpenNext();
  Result<void> OpenPlain(const BlockPlace& place, std::uint64_t skipped);
  Result<void> OpenEncrypted(const BlockPlace& place);
  void AnnounceNext();
  Result<std::string> ReadPiece();
  Result<void> Prove();

  const store::OpContext op_ = store::OpContext::ForWork("files.download");
  const Content& content_;
  const LibraryId library_;
  const FileObject file_;
  const MemoryLease memory_;
  const std::shared_ptr<const LibraryKey> key_;
  std::uint64_t begin_ = 0;
  std::uint64_t end_;
  /// Where in the file the next piece is read.
  std::uint64_t position_ = 0;
  /// Which block is to be opened next, and where in the file it begins.
  std::size_t next_ = 0;
  std::uint64_t next_begin_ = 0;
  std::optional<OpenBlock> open_;
};

}  // namespace atrium::files
