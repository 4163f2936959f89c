// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>
#include <utility>

#include "base/descriptor.h"
#include "base/result.h"

namespace atrium::store {

/// A file that appears under its name only when it is complete. One that is not published leaves
/// nothing behind; after a crash, "<name>.partial" may be left, and the next attempt replaces it.
class NewFile {
 public:
  /// kAlreadyExists when there is such a file, kUnavailable when the system refuses.
  static Result<NewFile> Create(const std::filesystem::path& path);

  NewFile(NewFile&& other) noexcept;
  NewFile& operator=(NewFile&&) = delete;
  ~NewFile();

  Result<void> Write(std::string_view bytes);

  /// Syncs the file, gives it its name, syncs the name. Once, and nothing is written afterwards.
  Result<void> Publish();

 private:
  NewFile(Descriptor file, std::filesystem::path path);

  Descriptor file_;
  std::filesystem::path path_;  // Empty once there is nothing to remove.
};

/// A file read from front to end, as often as one likes.
class InputFile {
 public:
  /// kNotFound when there is none, kUnavailable when the system refuses.
  static Result<InputFile> Open(const std::filesystem::path& path);

  /// As ByteSource.
  Result<std::size_t> Read(std::span<char> buffer);

  /// The next Read() begins at the front. kInvalidArgument for a pipe.
  Result<void> Rewind();

 private:
  explicit InputFile(Descriptor file) : file_(std::move(file)) {}

  Descriptor file_;
};

}  // namespace atrium::store
