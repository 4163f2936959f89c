// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/file_writer.h"

#include <utility>

namespace atrium::files {

FileWriter::FileWriter(Content& content, const LibraryId& library,
                       std::shared_ptr<const LibraryKey> key)
    : content_(content), library_(library), key_(std::move(key)) {}

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
    ASSIGN_OR_RETURN(block_, content_.BeginBlock(op, library_));
  }
  return block_->Write(bytes);
}

Result<BlockId> FileWriter::Encrypt(const store::OpContext& op) {
  const std::string encrypted = key_->EncryptBlock(plain_);
  plain_.clear();
  ASSIGN_OR_RETURN(const auto block, content_.BeginBlock(op, library_));
  RETURN_IF_ERROR(block->Write(encrypted));
  return block->FinishNamed(op);
}

Result<void> FileWriter::EndBlock(const store::OpContext& op) {
  ASSIGN_OR_RETURN(const BlockId id, key_ ? Encrypt(op) : block_->FinishNamed(op));
  block_.reset();
  in_block_ = false;
  file_.blocks.push_back(id);
  return {};
}

Result<FileObject> FileWriter::Finish(const store::OpContext& op) {
  if (in_block_) {
    RETURN_IF_ERROR(EndBlock(op));
  }
  return std::move(file_);
}

}  // namespace atrium::files
