// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/block_writer.h"

#include <algorithm>
#include <utility>

#include "files/block_rows.h"
#include "files/space.h"
#include "store/warrant.h"

namespace atrium::files {
namespace {

constexpr std::int64_t kAskAtOnce = std::int64_t{1} << 20;

}  // namespace

BlockWriter::BlockWriter(const Ground& ground, std::unique_ptr<blobs::BlobWriter> blob,
                         const LibraryId& library, const std::optional<BlockId>& id)
    : on_(ground), blob_(std::move(blob)), library_(library), id_(id) {}

/// For some more bytes at once than there are, so that this need not be asked for each piece.
Result<void> BlockWriter::HoldSpace(const store::OpContext& op) {
  asked_for_ = std::max(asked_for_, space_.Announced());
  if (on_.loose == nullptr || bytes_ <= asked_for_) {
    return {};
  }
  const std::int64_t more = bytes_ - asked_for_;
  Result<LooseSpace::Hold> space = on_.loose->Announce(op, library_, std::max(more, kAskAtOnce));
  if (!space && IsAboutSpace(space.error()) && more < kAskAtOnce) {
    // The last bytes that fit.
    space = on_.loose->Announce(op, library_, more);
  }
  if (!space) {
    return std::unexpected(std::move(space).error());
  }
  asked_for_ += std::max(more, space->Announced());
  space_.Merge(*std::move(space));
  return {};
}

Result<void> BlockWriter::Write(const store::OpContext& op, std::string_view bytes) {
  sha1_.Update(bytes);
  bytes_ += static_cast<std::int64_t>(bytes.size());
  RETURN_IF_ERROR(HoldSpace(op));
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
  // Blobs are written past the store, which would ask.
  if (op.warrant != nullptr) {
    RETURN_IF_ERROR(op.warrant->StillHolds(op));
  }
  std::optional<LooseSpace::Hold> space;
  if (on_.loose != nullptr) {
    const LooseSpace::ArrivedBlock arrived{.library = library_, .block = id, .bytes = bytes_};
    ASSIGN_OR_RETURN(LooseSpace::Hold hold,
                     on_.loose->ReserveBlock(op, arrived, std::move(space_)));
    space.emplace(std::move(hold));
  }
  RETURN_IF_ERROR(on_.condemned.Pardon(op, library_, ContentKind::kBlock, {&id.value(), 1}));
  const std::string note = RenderNote({.library = library_, .block = id});
  RETURN_IF_ERROR(blob_->Finish(op, {.note = note, .rows = &on_.rows}));
  if (space) {
    space->Keep();
  }
  return id;
}

}  // namespace atrium::files
