// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "blobs/own_files.h"

#include <fcntl.h>
#include <sys/uio.h>

#include <span>
#include <string>

#include "base/error.h"

namespace atrium::blobs {
namespace {

/// Writing out begins after each so many bytes, so that the sync at the end has little left.
constexpr std::uint64_t kStartBytes = std::uint64_t{2} << 20;

}  // namespace

TemporaryFile::~TemporaryFile() {
  if (!path_.empty()) {
    // What cannot be removed now is removed at the next start.
    static_cast<void>(RemoveFile(path_));
  }
}

Result<void> TemporaryFile::Write(std::string_view bytes) {
  // The interface of the system has no const; it only reads.
  iovec piece{.iov_base = const_cast<char*>(bytes.data()), .iov_len = bytes.size()};
  RETURN_IF_ERROR(disk_->Write(file_.Get(), std::span(&piece, 1), bytes_));
  bytes_ += bytes.size();
  if (bytes_ - started_ >= kStartBytes) {
    // A hint; the sync is what counts.
    ::sync_file_range(file_.Get(), static_cast<off_t>(started_),
                      static_cast<off_t>(bytes_ - started_), SYNC_FILE_RANGE_WRITE);
    started_ = bytes_;
  }
  return {};
}

Result<void> TemporaryFile::SyncAndMove(const std::filesystem::path& to) {
  RETURN_IF_ERROR(disk_->Sync(file_.Get()));
  RETURN_IF_ERROR(MoveFile(path_, to));
  path_.clear();
  return {};
}

Result<TemporaryFile> OwnFiles::Begin() {
  std::filesystem::path path =
      folder_.Temporary() / std::to_string(counter_.fetch_add(1, std::memory_order_relaxed));
  ASSIGN_OR_RETURN(Descriptor file, CreateToWrite(path));
  return TemporaryFile(std::move(path), std::move(file), disk_);
}

Result<void> OwnFiles::Keep(TemporaryFile file, const BlobId& id) {
  const std::filesystem::path path = folder_.FileAt(id);
  RETURN_IF_ERROR(MakeFoldersFor(path));
  RETURN_IF_ERROR(file.SyncAndMove(path));
  return disk_.SyncFolder(path.parent_path());
}

Result<void> OwnFiles::MakeFoldersFor(const std::filesystem::path& path) {
  const std::filesystem::path second = path.parent_path();
  if (std::error_code failure; std::filesystem::is_directory(second, failure)) {
    return {};
  }
  RETURN_IF_ERROR(MakeFolder(second.parent_path()));
  RETURN_IF_ERROR(MakeFolder(second));
  RETURN_IF_ERROR(disk_.SyncFolder(second.parent_path()));
  return disk_.SyncFolder(folder_.Files());
}

Result<void> OwnFiles::Remove(const BlobId& id) {
  return RemoveFile(folder_.FileAt(id));
}

Result<void> OwnFiles::SetAside(const BlobId& id) {
  RETURN_IF_ERROR(OpenToRead(folder_.FileAt(id)));
  return MoveFile(folder_.FileAt(id), folder_.NewSetAside(id));
}

}  // namespace atrium::blobs
