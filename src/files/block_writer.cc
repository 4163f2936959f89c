// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/block_writer.h"

#include <utility>

#include "files/block_rows.h"

namespace atrium::files {

BlockWriter::BlockWriter(const Ground& ground, std::unique_ptr<blobs::BlobWriter> blob,
                         const LibraryId& library, const std::optional<BlockId>& id)
    : on_(ground), blob_(std::move(blob)), library_(library), id_(id) {}

Result<void> BlockWriter::Write(std::string_view bytes) {
  sha1_.Update(bytes);
  return blob_->Write(bytes);
}

Result<void> BlockWriter::Finish(const store::OpContext& op) {
  RETURN_IF_ERROR(FinishNamed(op));
  return {};
}

Result<BlockId> BlockWriter::FinishNamed(const store::OpContext& op) {
  const BlockId id(Sha1Id{sha1_.Finish()});
  if (id_ && id != *id_) {
    return Fail(ErrorCode::kInvalidArgument, "the bytes are not those of block " + id_->Render());
  }
  RETURN_IF_ERROR(on_.condemned.Pardon(op, library_, ContentKind::kBlock, {&id.value(), 1}));
  const std::string note = RenderNote({.library = library_, .block = id});
  RETURN_IF_ERROR(blob_->Finish(op, {.note = note, .rows = &on_.rows}));
  return id;
}

}  // namespace atrium::files
