// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/library_reader.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "files/packing.h"

namespace atrium::files {
namespace {

constexpr std::size_t kDirectoriesKept = 64;

}  // namespace

Result<FsObject> LibraryReader::Load(const ObjectId& id) {
  ASSIGN_OR_RETURN(const auto deflated, content_.FindObject(op_, library_, id));
  if (!deflated) {
    return FailPrivately(ErrorCode::kNotFound, "object " + id.Render() + " is missing");
  }
  const Result<std::string> text = Inflate(*deflated);
  if (!text || ObjectIdOf(*text) != id) {
    return FailPrivately(ErrorCode::kCorrupt, "object " + id.Render() + " is not as it was stored");
  }
  return ParseObject(*text);
}

Result<std::shared_ptr<const Directory>> LibraryReader::LoadDirectory(const ObjectId& id) {
  if (const auto found = kept_.find(id); found != kept_.end()) {
    return found->second;
  }
  ASSIGN_OR_RETURN(FsObject object, Load(id));
  Directory* directory = std::get_if<Directory>(&object);
  if (directory == nullptr) {
    return Fail(ErrorCode::kInvalidArgument, "object " + id.Render() + " is no directory");
  }
  auto shared = std::make_shared<const Directory>(std::move(*directory));
  Keep(id, shared);
  return shared;
}

void LibraryReader::Keep(const ObjectId& id, const std::shared_ptr<const Directory>& directory) {
  kept_.emplace(id, directory);
  order_.push_back(id);
  if (order_.size() > kDirectoriesKept) {
    kept_.erase(order_.front());
    order_.pop_front();
  }
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
