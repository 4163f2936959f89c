// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/edited_folder.h"

#include <utility>

namespace atrium::files {
namespace {

std::unexpected<Error> TooLarge() {
  return Fail(ErrorCode::kLimitExceeded, "size: the files of the tree are too large together");
}

Result<TreeSize> StoredSize(ObjectReader& reader, const Dirent& entry, FolderMemory& memory) {
  if (!entry.IsDirectory()) {
    return TreeSize{.bytes = entry.size, .files = 1};
  }
  ASSIGN_OR_RETURN(const TreeSums sums, SumTree(reader, entry.id, memory));
  return TreeSize{.bytes = sums.bytes_added, .files = sums.files_added};
}

}  // namespace

Result<void> AddTo(TreeSize& sum, const TreeSize& amount) {
  if (__builtin_add_overflow(sum.bytes, amount.bytes, &sum.bytes) ||
      __builtin_add_overflow(sum.files, amount.files, &sum.files)) {
    return TooLarge();
  }
  return {};
}

Result<void> SubtractFrom(TreeSize& sum, const TreeSize& amount) {
  if (__builtin_sub_overflow(sum.bytes, amount.bytes, &sum.bytes) ||
      __builtin_sub_overflow(sum.files, amount.files, &sum.files)) {
    return TooLarge();
  }
  return {};
}

Result<TreeSize> SizeOf(ObjectReader& reader, const EditedFolder::Branch& branch) {
  FolderMemory memory;
  return branch.inside ? branch.inside->Size(reader, memory)
                       : StoredSize(reader, branch.entry, memory);
}

Result<std::unique_ptr<EditedFolder>> EditedFolder::Open(ObjectReader& reader, const ObjectId& id) {
  ASSIGN_OR_RETURN(std::shared_ptr<const Directory> directory, reader.ReadDirectory(id));
  return std::unique_ptr<EditedFolder>(new EditedFolder(id, std::move(directory)));
}

Result<EditedFolder*> EditedFolder::Enter(ObjectReader& reader, std::string_view name) {
  if (const auto entered = entered_.find(name); entered != entered_.end()) {
    return entered->second.get();
  }
  const Dirent* entry = Now().Find(name);
  if (entry == nullptr || !entry->IsDirectory()) {
    return nullptr;
  }
  ASSIGN_OR_RETURN(std::unique_ptr<EditedFolder> folder, Open(reader, entry->id));
  return entered_.emplace(name, std::move(folder)).first->second.get();
}

Directory& EditedFolder::Edit() {
  if (!edited_) {
    edited_ = *loaded_;
  }
  return *edited_;
}

Result<void> EditedFolder::Put(Branch branch) {
  const std::string name = branch.entry.name;
  RETURN_IF_ERROR(Edit().Put(std::move(branch.entry)));
  entered_.erase(name);
  if (branch.inside) {
    entered_.emplace(name, std::move(branch.inside));
  }
  return {};
}

EditedFolder::Branch EditedFolder::Take(std::string_view name) {
  Branch branch{.entry = *Now().Find(name)};
  if (const auto entered = entered_.find(name); entered != entered_.end()) {
    branch.inside = std::move(entered->second);
    entered_.erase(entered);
  }
  Edit().Remove(name);
  return branch;
}

EditedFolder::Branch EditedFolder::CopyOf(std::string_view name) const {
  const auto entered = entered_.find(name);
  return {.entry = *Now().Find(name),
          .inside = entered == entered_.end() ? nullptr : entered->second->Clone()};
}

std::unique_ptr<EditedFolder> EditedFolder::Clone() const {
  std::unique_ptr<EditedFolder> clone(new EditedFolder(id_, loaded_));
  clone->edited_ = edited_;
  for (const auto& [name, folder] : entered_) {
    clone->entered_.emplace(name, folder->Clone());
  }
  return clone;
}

Result<TreeSize> EditedFolder::Size(ObjectReader& reader, FolderMemory& memory) const {
  TreeSize sum;
  for (const Dirent& entry : Now().Entries()) {
    const auto entered = entered_.find(entry.name);
    ASSIGN_OR_RETURN(const TreeSize size, entered == entered_.end()
                                              ? StoredSize(reader, entry, memory)
                                              : entered->second->Size(reader, memory));
    RETURN_IF_ERROR(AddTo(sum, size));
  }
  return sum;
}

Result<ObjectId> EditedFolder::Write(ObjectWriter& writer, std::int64_t now) {
  for (const auto& [name, folder] : entered_) {
    ASSIGN_OR_RETURN(const ObjectId id, folder->Write(writer, now));
    Dirent entry = *Now().Find(name);
    if (entry.id != id) {
      entry.id = id;
      entry.mtime = now;
      RETURN_IF_ERROR(Edit().Put(std::move(entry)));
    }
  }
  return edited_ ? writer.Write(*edited_) : id_;
}

}  // namespace atrium::files
