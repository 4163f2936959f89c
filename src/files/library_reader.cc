// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/library_reader.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "files/packing.h"

namespace atrium::files {
namespace {

constexpr std::size_t kDirectoriesKept = 64;
constexpr std::size_t kBytesKept = std::size_t{16} << 20;

/// Objects of ordinary folders grow less than this when they are inflated.
constexpr std::size_t kUsualRatio = 8;
/// The text of an object, while it grows, and what is parsed from it.
constexpr std::size_t kForms = 3;

std::unexpected<Error> Corrupt(const ObjectId& id) {
  return FailPrivately(ErrorCode::kCorrupt, "object " + id.Render() + " is not as it was stored");
}

bool IsTooLong(const Error& error) {
  return error.code == ErrorCode::kLimitExceeded;
}

}  // namespace

/// What an object becomes is not known before. Few bytes that become many are tried a second time
/// with memory for the longest object there may be.
Result<FsObject> LibraryReader::Load(const ObjectId& id) {
  ASSIGN_OR_RETURN(const auto stored, content_.OpenObject(op_, library_, id));
  if (!stored) {
    return FailPrivately(ErrorCode::kNotFound, "object " + id.Render() + " is missing");
  }
  const std::size_t usual = std::min((kUsualRatio * stored->bytes) + 1024, kObjectBytesMax);
  Result<FsObject> object = LoadWithin(*stored, usual);
  if (!object && IsTooLong(object.error()) && usual < kObjectBytesMax) {
    object = LoadWithin(*stored, kObjectBytesMax);
  }
  return object;
}

Result<FsObject> LibraryReader::LoadWithin(const StoredObject& stored, std::size_t bytes_max) {
  ASSIGN_OR_RETURN(const MemoryLease lease, memory_->Lend(stored.bytes + (kForms * bytes_max)));
  ASSIGN_OR_RETURN(const std::string deflated, content_.ReadObject(op_, stored));
  const Result<std::string> text = Inflate(deflated, bytes_max);
  if (!text && IsTooLong(text.error()) && bytes_max < kObjectBytesMax) {
    return std::unexpected(text.error());
  }
  if (!text || ObjectIdOf(*text) != stored.id) {
    return Corrupt(stored.id);
  }
  return ParseObject(*text);
}

Result<std::shared_ptr<const Directory>> LibraryReader::LoadDirectory(const ObjectId& id) {
  if (const auto found = kept_.find(id); found != kept_.end()) {
    return found->second.directory;
  }
  ASSIGN_OR_RETURN(FsObject object, Load(id));
  Directory* directory = std::get_if<Directory>(&object);
  if (directory == nullptr) {
    return Fail(ErrorCode::kInvalidArgument, "object " + id.Render() + " is no directory");
  }
  while (!memory_->HasRoomFor(directory->MemoryBytes()) && !order_.empty()) {
    ForgetOldest();
  }
  ASSIGN_OR_RETURN(auto handed_out, memory_->HandOut(std::move(*directory)));
  Keep(id, handed_out);
  return handed_out;
}

void LibraryReader::Keep(const ObjectId& id, const std::shared_ptr<const Directory>& directory) {
  const std::size_t bytes = directory->MemoryBytes();
  if (bytes > kBytesKept) {
    return;
  }
  kept_.emplace(id, Kept{.directory = directory, .bytes = bytes});
  order_.push_back(id);
  kept_bytes_ += bytes;
  while (order_.size() > kDirectoriesKept || kept_bytes_ > kBytesKept) {
    ForgetOldest();
  }
}

void LibraryReader::ForgetOldest() {
  const auto oldest = kept_.find(order_.front());
  kept_bytes_ -= oldest->second.bytes;
  kept_.erase(oldest);
  order_.pop_front();
}

Result<FileObject> LibraryReader::LoadFile(const ObjectId& id) {
  ASSIGN_OR_RETURN(FsObject object, Load(id));
  FileObject* file = std::get_if<FileObject>(&object);
  if (file == nullptr) {
    return Fail(ErrorCode::kInvalidArgument, "object " + id.Render() + " is no file");
  }
  return std::move(*file);
}

}  // namespace atrium::files
