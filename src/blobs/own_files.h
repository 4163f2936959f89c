// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <utility>

#include "base/descriptor.h"
#include "base/result.h"
#include "blobs/blob_id.h"
#include "blobs/disk.h"
#include "blobs/folder.h"

namespace atrium::blobs {

/// A file under temporary/, gone with its owner unless it was kept. One thread at a time.
class TemporaryFile {
 public:
  TemporaryFile(std::filesystem::path path, Descriptor file, Disk& disk)
      : path_(std::move(path)), file_(std::move(file)), disk_(&disk) {}
  TemporaryFile(TemporaryFile&& other) noexcept
      : path_(std::exchange(other.path_, {})),
        file_(std::move(other.file_)),
        bytes_(other.bytes_),
        started_(other.started_),
        disk_(other.disk_) {}
  TemporaryFile& operator=(TemporaryFile&&) = delete;
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();

  Result<void> Write(std::string_view bytes);
  /// Has its bytes on the disk, then gives it another name.
  Result<void> SyncAndMove(const std::filesystem::path& to);

 private:
  /// Empty: it has another name now.
  std::filesystem::path path_;
  Descriptor file_;
  std::uint64_t bytes_ = 0;
  /// So much the system was asked to write out already.
  std::uint64_t started_ = 0;
  Disk* disk_;
};

/// Blobs that are files of their own. Any thread.
class OwnFiles {
 public:
  /// Both outlive it.
  OwnFiles(const Folder& folder, Disk& disk) : folder_(folder), disk_(disk) {}

  Result<TemporaryFile> Begin();
  /// Durable under its name when it returns; replaces what was there.
  Result<void> Keep(TemporaryFile file, const BlobId& id);
  Result<void> Remove(const BlobId& id);
  /// kNotFound when there is none.
  Result<void> SetAside(const BlobId& id);

 private:
  Result<void> MakeFoldersFor(const std::filesystem::path& path);

  const Folder& folder_;
  Disk& disk_;
  std::atomic<std::uint64_t> counter_ = 0;
};

}  // namespace atrium::blobs
