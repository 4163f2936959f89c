// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/file_writer.h"

#include <optional>
#include <system_error>
#include <utility>

namespace atrium::files {

FileWriter::FileWriter(Content& content, const LibraryId& library,
                       std::shared_ptr<const LibraryKey> key, LooseSpace::Hold* announced)
    : content_(content), library_(library), key_(std::move(key)), announced_(announced) {}

Result<void> FileWriter::Write(const store::OpContext& op, std::string_view bytes) {
  if (std::cmp_greater(bytes.size(), kFileBytesMax - file_.size)) {
    return Fail(ErrorCode::kLimitExceeded, "file: longer than 20 GiB");
  }
  while (!bytes.empty()) {
    const Chunker::Cut cut = chunker_.Take(bytes);
    RETURN_IF_ERROR(Append(op, bytes.substr(0, cut.bytes)));
    if (cut.ends_block) {
      RETURN_IF_ERROR(EndBlock(op));
    }
    bytes.remove_prefix(cut.bytes);
  }
  return {};
}

Result<void> FileWriter::Append(const store::OpContext& op, std::string_view bytes) {
  in_block_ = true;
  file_.size += static_cast<std::int64_t>(bytes.size());
  if (key_) {
    plain_ += bytes;
    return {};
  }
  if (!block_) {
    ASSIGN_OR_RETURN(block_, content_.BeginBlock(op, library_, std::nullopt));
  }
  block_->Lend(ShareOf(bytes.size()));
  return block_->Write(op, bytes);
}

LooseSpace::Hold FileWriter::ShareOf(std::size_t bytes) {
  return announced_ != nullptr ? announced_->Split(static_cast<std::int64_t>(bytes))
                               : LooseSpace::Hold();
}

FileWriter::Store FileWriter::TakeBlock(const store::OpContext& op) {
  if (!key_) {
    return [op, block = std::shared_ptr(std::move(block_))] { return block->FinishNamed(op); };
  }
  const auto space = std::make_shared<LooseSpace::Hold>(ShareOf(plain_.size()));
  return [this, op, space, plain = std::exchange(plain_, {})]() -> Result<BlockId> {
    const std::string encrypted = key_->EncryptBlock(plain);
    ASSIGN_OR_RETURN(const auto block, content_.BeginBlock(op, library_, std::nullopt));
    block->Lend(std::move(*space));
    RETURN_IF_ERROR(block->Write(op, encrypted));
    return block->FinishNamed(op);
  };
}

Result<void> FileWriter::Settle() {
  if (storing_.valid()) {
    ASSIGN_OR_RETURN(const BlockId id, storing_.get());
    file_.blocks.push_back(id);
  }
  return {};
}

Result<void> FileWriter::EndBlock(const store::OpContext& op) {
  RETURN_IF_ERROR(Settle());
  in_block_ = false;
  const Store store = TakeBlock(op);
  try {
    storing_ = std::async(std::launch::async, store);
  } catch (const std::system_error&) {
    // No thread is to be had; then the next block waits.
    storing_ = std::async(std::launch::deferred, store);
  }
  return {};
}

Result<FileObject> FileWriter::Finish(const store::OpContext& op) {
  RETURN_IF_ERROR(Settle());
  if (in_block_) {
    ASSIGN_OR_RETURN(const BlockId id, TakeBlock(op)());
    file_.blocks.push_back(id);
  }
  return std::move(file_);
}

}  // namespace atrium::files
