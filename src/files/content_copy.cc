// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/content_copy.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "files/block_rows.h"
#include "files/condemned.h"
#include "files/keys.h"
#include "files/packing.h"

namespace atrium::files {
namespace {

constexpr std::size_t kObjectsAtOnce = 500;
constexpr std::size_t kBytesAtOnce = std::size_t{4} << 20;
constexpr std::size_t kRemembered = 100'000;

std::unexpected<Error> Missing(std::string_view what, const Sha1Id& id) {
  return FailPrivately(ErrorCode::kNotFound, std::string(what) + " " + id.Render() + " is missing");
}

}  // namespace

ContentCopy::ContentCopy(const Places& places, const store::OpContext& op, const LibraryId& from,
                         const LibraryId& to)
    : places_(places), op_(op), from_(from), to_(to), reader_(places.content, op, from) {}

Result<void> ContentCopy::Copy(const Dirent& entry, const FileDone& done) {
  RETURN_IF_ERROR(CopyEntry(entry, done));
  if (entry.IsDirectory()) {
    const auto copy = [&](const TreeChange& change) { return CopyEntry(*change.after, done); };
    const DiffOptions options{.memory = &folders_};
    RETURN_IF_ERROR(VisitChanges(TreeDiff(reader_, ObjectId(), entry.id, options), copy));
  }
  return Flush();
}

Result<void> ContentCopy::CopyEntry(const Dirent& entry, const FileDone& done) {
  if (entry.IsDirectory()) {
    return CopyObject(entry.id);
  }
  RETURN_IF_ERROR(CopyFile(entry));
  return done();
}

Result<void> ContentCopy::CopyFile(const Dirent& entry) {
  if (copied_.contains(entry.id)) {
    return {};
  }
  ASSIGN_OR_RETURN(const FileObject file, reader_.ReadFile(entry.id));
  for (const BlockId& block : file.blocks) {
    RETURN_IF_ERROR(CopyBlock(block));
  }
  return CopyObject(entry.id);
}

Result<void> ContentCopy::CopyBlock(const BlockId& block) {
  ASSIGN_OR_RETURN(const bool is_there, places_.content.VouchesForBlock(op_, to_, block));
  if (is_there) {
    return {};
  }
  ASSIGN_OR_RETURN(const auto place, places_.content.FindBlock(op_, from_, block));
  if (!place) {
    return Missing("block", block.value());
  }
  ASSIGN_OR_RETURN(const auto pin, places_.blobs.FindPinned(op_, place->blob));
  if (!pin) {
    return Missing("the blob of block", block.value());
  }
  RETURN_IF_ERROR(
      Condemned(places_.store).Pardon(op_, to_, ContentKind::kBlock, {&block.value(), 1}));
  const blobs::NotedBlob noted{
      .id = pin->Id(), .bytes = pin->Bytes(), .note = RenderNote({.library = to_, .block = block})};
  return places_.content.Rows().Write({&noted, 1});
}

Result<void> ContentCopy::CopyObject(const ObjectId& id) {
  if (IsZero(id) || copied_.contains(id)) {
    return {};
  }
  ASSIGN_OR_RETURN(auto deflated, places_.content.FindObject(op_, from_, id));
  if (!deflated) {
    return Missing("object", id.value());
  }
  if (copied_.size() < kRemembered) {
    copied_.insert(id);
  }
  waiting_bytes_ += deflated->size();
  waiting_.push_back({.id = id, .deflated = *std::move(deflated)});
  return waiting_.size() >= kObjectsAtOnce || waiting_bytes_ >= kBytesAtOnce ? Flush()
                                                                             : Result<void>();
}

Result<void> ContentCopy::Flush() {
  if (waiting_.empty()) {
    return {};
  }
  std::vector<PackedObject> packed;
  packed.reserve(waiting_.size());
  for (const Waiting& one : waiting_) {
    packed.push_back({.id = one.id, .deflated = one.deflated});
  }
  RETURN_IF_ERROR(places_.content.PutObjects(op_, to_, std::span<const PackedObject>(packed)));
  waiting_.clear();
  waiting_bytes_ = 0;
  return {};
}

}  // namespace atrium::files
