// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/file_body.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "files/tree_memory.h"

namespace atrium::files {
namespace {

constexpr std::uint64_t kPieceBytes = std::uint64_t{256} << 10;

std::unexpected<Error> Broken(const BlockPlace& place) {
  return FailPrivately(ErrorCode::kCorrupt,
                       "blob " + place.blob.Render() + " is not as it was stored");
}

Result<void> ReadAt(const blobs::BlobSlice& slice, std::uint64_t at, std::string& piece) {
  std::size_t done = 0;
  while (done < piece.size()) {
    const ssize_t got = ::pread(*slice.descriptor, piece.data() + done, piece.size() - done,
                                static_cast<off_t>(slice.offset + at + done));
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got <= 0) {
      return FailPrivately(ErrorCode::kUnavailable,
                           std::string("cannot read a block: ") +
                               (got < 0 ? std::strerror(errno) : "it is shorter than it was"));
    }
    done += static_cast<std::size_t>(got);
  }
  return {};
}

}  // namespace

FileBody::FileBody(const Content& content, const LibraryId& library, FileObject file,
                   std::shared_ptr<const LibraryKey> key, MemoryLease memory)
    : content_(content),
      library_(library),
      file_(std::move(file)),
      memory_(std::move(memory)),
      key_(std::move(key)),
      end_(static_cast<std::uint64_t>(file_.size)) {}

Result<MemoryLease> FileBody::TakeMemory(const Content& content, const FileObject& file) {
  return TakeForTree(content.MemoryForTrees(), file.blocks.capacity() * sizeof(BlockId));
}

bool FileBody::Narrow(const http::ByteRange& part) {
  if (key_) {
    return false;
  }
  begin_ = part.first;
  end_ = part.last + 1;
  position_ = begin_;
  return true;
}

Result<BlockPlace> FileBody::PlaceOf(std::size_t index) const {
  const BlockId& id = file_.blocks.at(index);
  ASSIGN_OR_RETURN(const auto place, content_.FindBlock(op_, library_, id));
  if (!place) {
    return FailPrivately(ErrorCode::kCorrupt, "block " + id.Render() + " is missing");
  }
  return *place;
}

Result<void> FileBody::OpenPlain(const BlockPlace& place, std::uint64_t skipped) {
  ASSIGN_OR_RETURN(blobs::BlobSlice slice, content_.OpenBlock(op_, place));
  const std::uint64_t bytes = slice.bytes;
  open_.emplace(
      OpenBlock{.place = place, .slice = std::move(slice), .bytes = bytes, .at = skipped});
  if (skipped == 0) {
    open_->proof.emplace();
  }
  return {};
}

Result<void> FileBody::OpenEncrypted(const BlockPlace& place) {
  ASSIGN_OR_RETURN(const std::string encrypted, content_.ReadBlock(op_, place));
  ASSIGN_OR_RETURN(std::string plain, key_->DecryptBlock(encrypted));
  const std::uint64_t bytes = plain.size();
  open_.emplace(OpenBlock{.place = place, .plain = std::move(plain), .bytes = bytes});
  return {};
}

/// Blocks before the part that is wanted are passed over by their lengths.
Result<void> FileBody::OpenNext() {
  while (next_ < file_.blocks.size()) {
    ASSIGN_OR_RETURN(const BlockPlace place, PlaceOf(next_));
    const std::uint64_t bytes = static_cast<std::uint64_t>(place.bytes);
    const std::uint64_t block_begin = next_begin_;
    ++next_;
    if (key_) {
      return OpenEncrypted(place);
    }
    next_begin_ += bytes;
    if (next_begin_ > position_) {
      return OpenPlain(place, position_ - block_begin);
    }
  }
  return FailPrivately(ErrorCode::kCorrupt, "the blocks of a file are shorter than it says");
}

void FileBody::AnnounceNext() {
  if (key_ || next_ >= file_.blocks.size()) {
    return;
  }
  const Result<BlockPlace> place = PlaceOf(next_);
  if (!place) {
    return;
  }
  if (const auto slice = content_.OpenBlock(op_, *place)) {
    ::posix_fadvise(*slice->descriptor, static_cast<off_t>(slice->offset),
                    static_cast<off_t>(slice->bytes), POSIX_FADV_WILLNEED);
  }
}

/// Reading all of it once more tells those who look after blobs, which then count it as absent.
Result<void> FileBody::Prove() {
  if (!open_->proof || open_->proof->Finish() == open_->place.blob.digest) {
    return {};
  }
  RETURN_IF_ERROR(content_.ReadBlock(op_, open_->place));
  return Broken(open_->place);
}

Result<std::string> FileBody::ReadPiece() {
  OpenBlock& block = *open_;
  const std::uint64_t wanted = std::min({kPieceBytes, block.bytes - block.at, end_ - position_});
  std::string piece;
  if (key_) {
    piece = block.plain.substr(block.at, wanted);
  } else {
    piece.resize(wanted);
    RETURN_IF_ERROR(ReadAt(block.slice, block.at, piece));
  }
  if (block.proof) {
    block.proof->Update(piece);
  }
  block.at += wanted;
  return piece;
}

Result<std::optional<std::string>> FileBody::Next() {
  if (position_ >= end_) {
    return std::nullopt;
  }
  if (!open_) {
    RETURN_IF_ERROR(OpenNext());
    AnnounceNext();
  }
  ASSIGN_OR_RETURN(std::string piece, ReadPiece());
  position_ += piece.size();
  if (open_->at == open_->bytes) {
    RETURN_IF_ERROR(Prove());
    open_.reset();
  }
  return std::optional(std::move(piece));
}

}  // namespace atrium::files
