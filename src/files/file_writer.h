// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "files/block_writer.h"
#include "files/chunker.h"
#include "files/content.h"
#include "files/library_cipher.h"
#include "files/loose_space.h"
#include "files/object_id.h"
#include "files/objects.h"
#include "store/op_context.h"

namespace atrium::files {

/// How long a file may be that comes through the web.
inline constexpr std::int64_t kFileBytesMax = std::int64_t{20} << 30;

/// Takes the content of a file as it comes and puts it into the blocks that a client would make of
/// it. One block is made durable while the next one arrives; a file that is not finished leaves
/// garbage. Memory is constant: two blocks of an encrypted library, else a few pieces. One thread
/// at a time.
class FileWriter {
 public:
  /// Content outlives the writer. `key`: of an encrypted library, else null. `announced`: space
  /// that is held for bytes that were announced, from which those that come are taken; outlives the
  /// writer, null: each block asks for its own.
  FileWriter(Content& content, const LibraryId& library, std::shared_ptr<const LibraryKey> key,
             LooseSpace::Hold* announced = nullptr);

  /// kLimitExceeded above kFileBytesMax. After an error only the destructor may be called.
  Result<void> Write(const store::OpContext& op, std::string_view bytes);
  /// What the file is. Once, and last.
  Result<FileObject> Finish(const store::OpContext& op);

 private:
  Result<void> Append(const store::OpContext& op, std::string_view bytes);
  using Store = std::function<Result<BlockId>()>;
  /// What makes the block durable that has just ended.
  Store TakeBlock(const store::OpContext& op);
  Result<void> EndBlock(const store::OpContext& op);
  LooseSpace::Hold ShareOf(std::size_t bytes);
  /// Waits for the block that is being made durable.
  Result<void> Settle();

  Content& content_;
  const LibraryId library_;
  const std::shared_ptr<const LibraryKey> key_;
  LooseSpace::Hold* const announced_;
  Chunker chunker_;
  FileObject file_;
  bool in_block_ = false;
  // The block that has not ended: of an encrypted library its bytes, else what takes them.
  std::string plain_;
  std::unique_ptr<BlockWriter> block_;
  /// The block before it; waited for by its destructor.
  std::future<Result<BlockId>> storing_;
};

}  // namespace atrium::files
