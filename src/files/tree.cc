// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/tree.h"

#include <utility>

namespace atrium::files {

Result<std::shared_ptr<const Directory>> ObjectReader::ReadDirectory(const ObjectId& id) {
  if (IsZero(id)) {
    static const auto empty = std::make_shared<const Directory>();
    return empty;
  }
  return LoadDirectory(id);
}

Result<FileObject> ObjectReader::ReadFile(const ObjectId& id) {
  if (IsZero(id)) {
    return FileObject();
  }
  return LoadFile(id);
}

Result<ObjectId> ObjectWriter::Write(const Directory& directory) {
  if (directory.empty()) {
    return ObjectId();
  }
  return WriteText(Render(directory));
}

Result<ObjectId> ObjectWriter::Write(const FileObject& file) {
  if (file.blocks.empty()) {
    return ObjectId();
  }
  return WriteText(Render(file));
}

Result<ObjectId> ObjectWriter::WriteText(std::string text) {
  if (text.size() > kObjectBytesMax) {
    return Fail(ErrorCode::kLimitExceeded, "too many entries in one folder");
  }
  const ObjectId id = ObjectIdOf(text);
  RETURN_IF_ERROR(Store({.id = id, .text = std::move(text)}));
  return id;
}

Result<void> CollectedObjects::Store(NewObject object) {
  if (ids_.insert(object.id).second) {
    objects_.push_back(std::move(object));
  }
  return {};
}

}  // namespace atrium::files
