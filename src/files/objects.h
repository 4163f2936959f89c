// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "files/object_id.h"

namespace atrium::files {

/// What is written for each kind of entry. Clients look at the kind and at the owner's right to
/// execute, so other rights are read without complaint.
inline constexpr std::uint32_t kDirectoryMode = 0040000;
inline constexpr std::uint32_t kFileMode = 0100644;
inline constexpr std::uint32_t kExecutableMode = 0100755;

/// One name in a directory.
struct Dirent {
  /// Of a directory object when IsDirectory(), of a file object otherwise.
  ObjectId id{};
  std::uint32_t mode = kFileMode;
  /// Seconds since 1970.
  std::int64_t mtime = 0;
  std::string name{};
  /// Who wrote it: the address of a person. Empty for directories, as is the size.
  std::string modifier{};
  std::int64_t size = 0;

  bool IsDirectory() const { return (mode & 0170000) == kDirectoryMode; }

  friend bool operator==(const Dirent&, const Dirent&) = default;
};

/// The entries of one folder. Always in descending order of the bytes of their names, on which
/// clients rely, with each name once and valid (names.h).
class Directory {
 public:
  Directory() = default;

  /// Puts them in order. kInvalidArgument when a name is not valid, or comes twice.
  static Result<Directory> Make(std::vector<Dirent> entries);

  const std::vector<Dirent>& Entries() const { return entries_; }
  bool empty() const { return entries_.empty(); }
  /// What it takes of memory, about.
  std::size_t MemoryBytes() const;

  /// Null when there is no such name. Lives until the next change.
  const Dirent* Find(std::string_view name) const;

  /// Adds the entry, or replaces the one of its name. kInvalidArgument when the name is not valid.
  Result<void> Put(Dirent entry);

  /// Whether there was such a name.
  bool Remove(std::string_view name);

  friend bool operator==(const Directory&, const Directory&) = default;

 private:
  std::vector<Dirent> entries_;
};

/// Which blocks make up the content of a file, in this order.
struct FileObject {
  std::vector<BlockId> blocks{};
  /// Of the content as people see it: before encryption.
  std::int64_t size = 0;

  friend bool operator==(const FileObject&, const FileObject&) = default;
};

using FsObject = std::variant<Directory, FileObject>;

/// The longest text of an object: about 400,000 entries, or a file of 12 TB.
inline constexpr std::size_t kObjectBytesMax = std::size_t{64} << 20;

/// The canonical text, byte for byte what clients write for the same content.
std::string Render(const Directory& directory);
std::string Render(const FileObject& file);

/// The id of the canonical text; zero for what is empty, which has no text.
ObjectId ObjectIdOf(const Directory& directory);
ObjectId ObjectIdOf(const FileObject& file);

/// Reads the text of an object in any spelling, since its id is that of the bytes as they were
/// sent: keys in any order, spaces, keys that mean nothing to us. Refuses with kInvalidArgument,
/// naming byte and key, all that would make a broken tree: another type or version, keys that are
/// missing or come twice, ids, modes, sizes and names that are none, entries out of order, a file
/// with a size and no blocks. kLimitExceeded above kObjectBytesMax.
Result<FsObject> ParseObject(std::string_view text);
Result<Directory> ParseDirectory(std::string_view text);
Result<FileObject> ParseFile(std::string_view text);

}  // namespace atrium::files
