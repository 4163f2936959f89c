// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "files/block_writer.h"
#include "files/chunker.h"
#include "files/content.h"
#include "files/library_cipher.h"
#include "files/object_id.h"
#include "files/objects.h"
#include "store/op_context.h"

namespace atrium::files {

/// How long a file may be that comes through the web.
inline constexpr std::int64_t kFileBytesMax = std::int64_t{20} << 30;

/// Takes the content of a file as it comes and puts it into the blocks that a client would make of
/// it. Blocks are durable when they end; a file that is not finished leaves garbage. Memory is
/// constant: one block of an encrypted library, else a few pieces. One thread at a time.
class FileWriter {
 public:
  /// Content outlives the writer. `key`: of an encrypted library, else null.
  FileWriter(Content& content, const LibraryId& library, std::shared_ptr<const LibraryKey> key);

  /// kLimitExceeded above kFileBytesMax. After an error only the destructor may be called.
  Result<void> Write(const store::OpContext& op, std::string_view bytes);
  /// What the file is. Once, and last.
  Result<FileObject> Finish(const store::OpContext& op);

 private:
  Result<void> Append(const store::OpContext& op, std::string_view bytes);
  Result<void> EndBlock(const store::OpContext& op);
  Result<BlockId> Encrypt(const store::OpContext& op);

  Content& content_;
  const LibraryId library_;
  const std::shared_ptr<const LibraryKey> key_;
  Chunker chunker_;
  FileObject file_;
  bool in_block_ = false;
  // The block that has not ended: of an encrypted library its bytes, else what takes them.
  std::string plain_;
  std::unique_ptr<BlockWriter> block_;
};

}  // namespace atrium::files
