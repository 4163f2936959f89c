// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/descriptor.h"
#include "base/result.h"

namespace atrium::blobs {

/// What the system said about a call that failed with this errno: kUnavailable. A full disk tells
/// the client so.
std::unexpected<Error> SystemFailure(std::string_view doing, int number);

/// The calls that make bytes durable, which tests let fail. Any thread.
class Disk {
 public:
  Disk() = default;
  Disk(const Disk&) = delete;
  Disk& operator=(const Disk&) = delete;
  virtual ~Disk() = default;

  /// All pieces, one after the other, or an error after any part of them. Changes `pieces`.
  virtual Result<void> Write(int file, std::span<iovec> pieces, std::uint64_t offset);
  /// The bytes and the length of a file are on the disk.
  virtual Result<void> Sync(int file);
  /// The names in a folder are on the disk.
  virtual Result<void> SyncFolder(const std::filesystem::path& folder);
  virtual Result<std::uint64_t> FreeBytes(const std::filesystem::path& folder);
};

/// Which of the two ends of a descriptor others share.
std::shared_ptr<const int> Share(Descriptor descriptor);

/// A file for reading; kNotFound when it is not there.
Result<Descriptor> OpenToRead(const std::filesystem::path& path);
/// A file that was not there, for reading and writing by its owner alone.
Result<Descriptor> CreateToWrite(const std::filesystem::path& path);
Result<std::uint64_t> SizeOf(int file);

/// So many bytes from an offset on, fewer at the end of the file.
Result<std::string> ReadAt(int file, std::uint64_t offset, std::size_t bytes);
/// The same into memory that is there; answers how many there were.
Result<std::size_t> ReadAt(int file, std::uint64_t offset, std::span<char> into);

Result<void> CutAt(int file, std::uint64_t bytes);
/// A folder for its owner alone. One that is there stays as it is.
Result<void> MakeFolder(const std::filesystem::path& folder);
/// Not there any more is fine.
Result<void> RemoveFile(const std::filesystem::path& path);
Result<void> MoveFile(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace atrium::blobs
