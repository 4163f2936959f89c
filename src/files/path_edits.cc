// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/path_edits.h"

#include <utility>

#include "files/fresh_names.h"
#include "files/name_twins.h"
#include "files/names.h"

namespace atrium::files {
namespace {

std::unexpected<Error> NotThere(const TreePath& path) {
  return Fail(ErrorCode::kNotFound, "path: there is no " + path.Render());
}

std::unexpected<Error> Taken(const TreePath& folder, std::string_view name) {
  const std::string prefix = folder.IsRoot() ? "/" : folder.Render() + "/";
  return Fail(ErrorCode::kAlreadyExists, "path: there is already " + prefix + std::string(name));
}

std::unexpected<Error> NotTheRoot() {
  return Fail(ErrorCode::kInvalidArgument, "path: the root of a library stays where it is");
}

Dirent RootEntry(const ObjectId& root) {
  return {.id = root, .mode = kDirectoryMode};
}

}  // namespace

Result<std::optional<Dirent>> FindEntry(ObjectReader& reader, const ObjectId& root,
                                        const TreePath& path) {
  Dirent found = RootEntry(root);
  for (const std::string& name : path.Parts()) {
    if (!found.IsDirectory()) {
      return std::nullopt;
    }
    ASSIGN_OR_RETURN(const std::shared_ptr<const Directory> directory,
                     reader.ReadDirectory(found.id));
    const Dirent* entry = directory->Find(name);
    if (entry == nullptr) {
      return std::nullopt;
    }
    found = *entry;
  }
  return found;
}

Result<LooseEntry> LoadLooseEntry(ObjectReader& reader, const ObjectId& root,
                                  const TreePath& path) {
  ASSIGN_OR_RETURN(const std::optional<Dirent> entry, FindEntry(reader, root, path));
  if (!entry) {
    return NotThere(path);
  }
  ASSIGN_OR_RETURN(const TreeSize size, SizeOf(reader, {.entry = *entry}));
  return LooseEntry{.entry = *entry, .size = size};
}

Result<PathEdits> PathEdits::Begin(ObjectReader& reader, const ObjectId& root, std::int64_t now) {
  ASSIGN_OR_RETURN(std::unique_ptr<EditedFolder> folder, EditedFolder::Open(reader, root));
  return PathEdits(reader, std::move(folder), now);
}

Result<EditedFolder*> PathEdits::FolderAt(const TreePath& path) {
  EditedFolder* folder = root_.get();
  for (const std::string& name : path.Parts()) {
    ASSIGN_OR_RETURN(folder, folder->Enter(*reader_, name));
    if (folder == nullptr) {
      return NotThere(path);
    }
  }
  return folder;
}

Result<EditedFolder*> PathEdits::HolderOf(const TreePath& path) {
  if (path.IsRoot()) {
    return NotTheRoot();
  }
  ASSIGN_OR_RETURN(EditedFolder* const holder, FolderAt(path.Parent()));
  if (holder->Now().Find(path.Name()) == nullptr) {
    return NotThere(path);
  }
  return holder;
}

Result<std::optional<Dirent>> PathEdits::Find(const TreePath& path) {
  if (path.IsRoot()) {
    return RootEntry(ObjectId());
  }
  const Result<EditedFolder*> holder = HolderOf(path);
  if (!holder) {
    if (holder.error().code == ErrorCode::kNotFound) {
      return std::nullopt;
    }
    return std::unexpected(holder.error());
  }
  return *(*holder)->Now().Find(path.Name());
}

Result<std::string> PathEdits::SettleName(const EditedFolder& folder, const Dirent& entry,
                                          const TreePath& where, OnTaken taken) {
  RETURN_IF_ERROR(CheckName(entry.name));
  if (where.Parts().size() >= kTreeDepthMax) {
    return Fail(ErrorCode::kLimitExceeded, "path: nested too deeply");
  }
  const Dirent* twin = FindTwin(folder.Now(), entry.name);
  if (twin == nullptr) {
    return entry.name;
  }
  if (taken == OnTaken::kRename) {
    return FreeName(entry.name,
                    [&](std::string_view name) { return FindTwin(folder.Now(), name) != nullptr; });
  }
  if (taken == OnTaken::kRefuse || twin->IsDirectory() != entry.IsDirectory()) {
    return Taken(where, twin->name);
  }
  return twin->name;
}

Result<Dirent> PathEdits::PutBranch(const TreePath& where, Branch branch, const TreeSize& size,
                                    OnTaken taken) {
  ASSIGN_OR_RETURN(EditedFolder* const folder, FolderAt(where));
  ASSIGN_OR_RETURN(branch.entry.name, SettleName(*folder, branch.entry, where, taken));
  TreeSize growth = growth_;
  if (folder->Now().Find(branch.entry.name) != nullptr) {
    ASSIGN_OR_RETURN(const TreeSize replaced, SizeOf(*reader_, folder->CopyOf(branch.entry.name)));
    RETURN_IF_ERROR(SubtractFrom(growth, replaced));
  }
  RETURN_IF_ERROR(AddTo(growth, size));
  Dirent entry = branch.entry;
  RETURN_IF_ERROR(folder->Put(std::move(branch)));
  growth_ = growth;
  return entry;
}

Result<Dirent> PathEdits::Put(const TreePath& folder, LooseEntry loose, OnTaken taken) {
  return PutBranch(folder, {.entry = std::move(loose.entry)}, loose.size, taken);
}

Result<Dirent> PathEdits::MakeFolder(const TreePath& path, OnTaken taken) {
  if (path.IsRoot()) {
    return Taken(path, "");
  }
  const TreePath where = path.Parent();
  ASSIGN_OR_RETURN(EditedFolder* const folder, FolderAt(where));
  Dirent entry{.mode = kDirectoryMode, .mtime = now_, .name = path.Name()};
  ASSIGN_OR_RETURN(entry.name, SettleName(*folder, entry, where, taken));
  if (const Dirent* existing = folder->Now().Find(entry.name)) {
    return *existing;
  }
  RETURN_IF_ERROR(CheckNewName(entry.name));
  RETURN_IF_ERROR(folder->Put({.entry = entry}));
  return entry;
}

Result<EditedFolder*> PathEdits::MakeFolderIn(EditedFolder& folder, std::string_view name) {
  RETURN_IF_ERROR(CheckNewName(name));
  RETURN_IF_ERROR(
      folder.Put({.entry = {.mode = kDirectoryMode, .mtime = now_, .name = std::string(name)}}));
  return folder.Enter(*reader_, name);
}

Result<TreePath> PathEdits::MakeFolders(const TreePath& path) {
  TreePath spelled;
  EditedFolder* folder = root_.get();
  for (const std::string& name : path.Parts()) {
    const Dirent* twin = FindTwin(folder->Now(), name);
    if (twin != nullptr && !twin->IsDirectory()) {
      return Taken(spelled, twin->name);
    }
    const std::string there = twin != nullptr ? twin->name : name;
    ASSIGN_OR_RETURN(
        folder, twin != nullptr ? folder->Enter(*reader_, there) : MakeFolderIn(*folder, there));
    ASSIGN_OR_RETURN(spelled, spelled.Child(there));
  }
  return spelled;
}

Result<Dirent> PathEdits::Rename(const TreePath& path, std::string_view name) {
  RETURN_IF_ERROR(CheckNewName(name));
  ASSIGN_OR_RETURN(EditedFolder* const holder, HolderOf(path));
  const Dirent* twin = FindTwin(holder->Now(), name);
  if (twin != nullptr && twin->name != path.Name()) {
    return Taken(path.Parent(), twin->name);
  }
  if (name == path.Name()) {
    return *twin;
  }
  Branch branch = holder->Take(path.Name());
  branch.entry.name = name;
  Dirent entry = branch.entry;
  RETURN_IF_ERROR(holder->Put(std::move(branch)));
  return entry;
}

Result<Dirent> PathEdits::Remove(const TreePath& path) {
  ASSIGN_OR_RETURN(EditedFolder* const holder, HolderOf(path));
  ASSIGN_OR_RETURN(const TreeSize size, SizeOf(*reader_, holder->CopyOf(path.Name())));
  TreeSize growth = growth_;
  RETURN_IF_ERROR(SubtractFrom(growth, size));
  growth_ = growth;
  return holder->Take(path.Name()).entry;
}

Result<void> PathEdits::RefuseToReplaceHolder(const TreePath& from, const TreePath& folder,
                                              OnTaken taken) {
  if (taken != OnTaken::kReplace) {
    return {};
  }
  ASSIGN_OR_RETURN(EditedFolder* const target, FolderAt(folder));
  const Dirent* replaced = FindTwin(target->Now(), from.Name());
  if (replaced == nullptr) {
    return {};
  }
  ASSIGN_OR_RETURN(const TreePath path, folder.Child(replaced->name));
  if (from.IsWithin(path)) {
    return Fail(ErrorCode::kInvalidArgument,
                "path: " + from.Render() + " cannot replace the folder that it is in");
  }
  return {};
}

Result<Dirent> PathEdits::Move(const TreePath& from, const TreePath& folder, OnTaken taken) {
  ASSIGN_OR_RETURN(EditedFolder* const holder, HolderOf(from));
  if (folder == from.Parent()) {
    return *holder->Now().Find(from.Name());
  }
  if (folder.IsWithin(from)) {
    return Fail(ErrorCode::kInvalidArgument,
                "path: " + from.Render() + " cannot be moved into itself");
  }
  RETURN_IF_ERROR(RefuseToReplaceHolder(from, folder, taken));
  ASSIGN_OR_RETURN(Dirent entry, PutBranch(folder, holder->CopyOf(from.Name()), {}, taken));
  holder->Take(from.Name());
  return entry;
}

Result<Dirent> PathEdits::Copy(const TreePath& from, const TreePath& folder, OnTaken taken) {
  ASSIGN_OR_RETURN(EditedFolder* const holder, HolderOf(from));
  Branch copy = holder->CopyOf(from.Name());
  ASSIGN_OR_RETURN(const TreeSize size, SizeOf(*reader_, copy));
  return PutBranch(folder, std::move(copy), size, taken);
}

Result<EditedTree> PathEdits::Finish(ObjectWriter& writer) {
  ASSIGN_OR_RETURN(const ObjectId root, root_->Write(writer, now_));
  return EditedTree{.root = root, .growth = growth_};
}

}  // namespace atrium::files
