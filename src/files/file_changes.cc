// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/file_changes.h"

#include <chrono>
#include <optional>
#include <utility>

#include "files/library_access.h"
#include "files/names.h"
#include "files/tree.h"

namespace atrium::files {
namespace {

std::string Quoted(std::string_view name) {
  return "\"" + std::string(name) + "\"";
}

/// 'Deleted "a" and 2 more files.', in the words of clients.
std::string Summary(std::string_view deed, std::string_view first, std::size_t count) {
  std::string text = std::string(deed) + " " + Quoted(first);
  if (count > 1) {
    text += " and " + std::to_string(count - 1) + " more files";
  }
  return text + ".";
}

/// What the history says when somebody names nothing at all.
std::string NameOf(const TreePath& path) {
  return path.IsRoot() ? "/" : path.Name();
}

Result<void> RequireSome(std::size_t count) {
  return count > 0 ? Result<void>() : Fail(ErrorCode::kInvalidArgument, "path: nothing is named");
}

}  // namespace

std::int64_t FileChanges::Now() const {
  return std::chrono::floor<std::chrono::seconds>(ground_.clock.Now()).time_since_epoch().count();
}

Dirent FileChanges::EntryFor(const ChangeOf& of, std::string_view name) const {
  return {
      .mode = kFileMode, .mtime = Now(), .name = std::string(name), .modifier = of.person.email};
}

Result<void> FileChanges::Apply(const store::OpContext& op, const ChangeOf& of, const Deed& deed) {
  RETURN_IF_ERROR(Enter(ground_.store, op, of.person, of.library, Permission::kWrite));
  const auto edit = [&](ObjectReader& reader, ObjectWriter& writer,
                        const Library& library) -> Result<Change> {
    // Whose it is may have changed since.
    if (PermissionOf(library, of.person) != Permission::kWrite) {
      return Fail(ErrorCode::kNotFound, "there is no such library");
    }
    ASSIGN_OR_RETURN(PathEdits edits, PathEdits::Begin(reader, library.root, Now()));
    ASSIGN_OR_RETURN(std::string description, deed(edits, writer));
    ASSIGN_OR_RETURN(const EditedTree tree, edits.Finish(writer));
    return Change{.root = tree.root, .description = std::move(description)};
  };
  RETURN_IF_ERROR(
      heads_.Apply(op, {.user = of.person.id, .email = of.person.email}, of.library, edit));
  return {};
}

Result<Dirent> FileChanges::MakeFolder(const store::OpContext& op, const ChangeOf& of,
                                       const TreePath& path, OnTaken taken) {
  Dirent made;
  RETURN_IF_ERROR(Apply(op, of, [&](PathEdits& edits, ObjectWriter&) -> Result<std::string> {
    ASSIGN_OR_RETURN(made, edits.MakeFolder(path, taken));
    return "Added directory " + Quoted(made.name) + ".";
  }));
  return made;
}

Result<void> FileChanges::MakeFolders(const store::OpContext& op, const ChangeOf& of,
                                      const TreePath& path) {
  return Apply(op, of, [&](PathEdits& edits, ObjectWriter&) -> Result<std::string> {
    ASSIGN_OR_RETURN(const TreePath made, edits.MakeFolders(path));
    return "Added directory " + Quoted(NameOf(made)) + ".";
  });
}

Result<Dirent> FileChanges::MakeFile(const store::OpContext& op, const ChangeOf& of,
                                     const TreePath& path, OnTaken taken) {
  if (path.IsRoot()) {
    return Fail(ErrorCode::kInvalidArgument, "path: names no file");
  }
  RETURN_IF_ERROR(CheckNewName(path.Name()));
  Dirent made;
  RETURN_IF_ERROR(Apply(op, of, [&](PathEdits& edits, ObjectWriter&) -> Result<std::string> {
    ASSIGN_OR_RETURN(
        made, edits.Put(path.Parent(), {.entry = EntryFor(of, path.Name()), .size = {.files = 1}},
                        taken));
    return "Added " + Quoted(made.name) + ".";
  }));
  return made;
}

Result<Dirent> FileChanges::Rename(const store::OpContext& op, const ChangeOf& of,
                                   const TreePath& path, std::string_view name) {
  Dirent renamed;
  RETURN_IF_ERROR(Apply(op, of, [&](PathEdits& edits, ObjectWriter&) -> Result<std::string> {
    ASSIGN_OR_RETURN(renamed, edits.Rename(path, name));
    return "Renamed " + Quoted(path.Name()) + " to " + Quoted(name) + ".";
  }));
  return renamed;
}

Result<void> FileChanges::Remove(const store::OpContext& op, const ChangeOf& of,
                                 std::span<const TreePath> paths) {
  RETURN_IF_ERROR(RequireSome(paths.size()));
  return Apply(op, of, [&](PathEdits& edits, ObjectWriter&) -> Result<std::string> {
    for (const TreePath& path : paths) {
      RETURN_IF_ERROR(edits.Remove(path));
    }
    return Summary("Deleted", paths.front().Name(), paths.size());
  });
}

Result<std::vector<ChangedEntry>> FileChanges::RelocateAll(const store::OpContext& op,
                                                           const ChangeOf& of,
                                                           const Relocation& relocation,
                                                           Relocate relocate) {
  RETURN_IF_ERROR(RequireSome(relocation.from.size()));
  std::vector<ChangedEntry> changed;
  RETURN_IF_ERROR(Apply(op, of, [&](PathEdits& edits, ObjectWriter&) -> Result<std::string> {
    changed.clear();
    for (const TreePath& from : relocation.from) {
      if (relocation.skip_taken && !from.IsRoot()) {
        ASSIGN_OR_RETURN(const TreePath there, relocation.folder.Child(from.Name()));
        ASSIGN_OR_RETURN(const auto taken, edits.Find(there));
        if (taken) {
          continue;
        }
      }
      ASSIGN_OR_RETURN(Dirent entry, (edits.*relocate)(from, relocation.folder, relocation.taken));
      changed.push_back({.folder = relocation.folder, .entry = std::move(entry)});
    }
    const std::string_view deed = relocate == &PathEdits::Move ? "Moved" : "Copied";
    return Summary(deed, NameOf(relocation.from.front()), relocation.from.size());
  }));
  return changed;
}

Result<std::vector<ChangedEntry>> FileChanges::Move(const store::OpContext& op, const ChangeOf& of,
                                                    const Relocation& relocation) {
  return RelocateAll(op, of, relocation, &PathEdits::Move);
}

Result<std::vector<ChangedEntry>> FileChanges::Copy(const store::OpContext& op, const ChangeOf& of,
                                                    const Relocation& relocation) {
  return RelocateAll(op, of, relocation, &PathEdits::Copy);
}

Result<Dirent> FileChanges::PutOne(PathEdits& edits, const TreePath& folder, LooseEntry loose,
                                   OnTaken taken) {
  if (taken == OnTaken::kReplace) {
    ASSIGN_OR_RETURN(const TreePath path, folder.Child(loose.entry.name));
    ASSIGN_OR_RETURN(const std::optional<Dirent> before, edits.Find(path));
    if (before && !before->IsDirectory()) {
      loose.entry.mode = before->mode;
    }
  }
  return edits.Put(folder, std::move(loose), taken);
}

Result<std::vector<ChangedEntry>> FileChanges::Put(const store::OpContext& op, const ChangeOf& of,
                                                   std::span<const ArrivedFile> files,
                                                   OnTaken taken) {
  RETURN_IF_ERROR(RequireSome(files.size()));
  std::vector<ChangedEntry> changed;
  RETURN_IF_ERROR(Apply(op, of, [&](PathEdits& edits, ObjectWriter& writer) -> Result<std::string> {
    changed.clear();
    for (const ArrivedFile& file : files) {
      RETURN_IF_ERROR(CheckNewName(file.name));
      ASSIGN_OR_RETURN(const TreePath folder, edits.MakeFolders(file.folder));
      LooseEntry loose{.entry = EntryFor(of, file.name),
                       .size = {.bytes = file.content.size, .files = 1}};
      ASSIGN_OR_RETURN(loose.entry.id, writer.Write(file.content));
      loose.entry.size = file.content.size;
      ASSIGN_OR_RETURN(Dirent entry, PutOne(edits, folder, std::move(loose), taken));
      changed.push_back({.folder = folder, .entry = std::move(entry)});
    }
    return Summary("Added or modified", files.front().name, files.size());
  }));
  return changed;
}

Result<Dirent> FileChanges::Update(const store::OpContext& op, const ChangeOf& of,
                                   const TreePath& path, const FileObject& content) {
  if (path.IsRoot()) {
    return Fail(ErrorCode::kInvalidArgument, "path: names no file");
  }
  Dirent updated;
  RETURN_IF_ERROR(Apply(op, of, [&](PathEdits& edits, ObjectWriter& writer) -> Result<std::string> {
    ASSIGN_OR_RETURN(const std::optional<Dirent> before, edits.Find(path));
    if (!before || before->IsDirectory()) {
      return Fail(ErrorCode::kNotFound, "path: there is no file " + path.Render());
    }
    LooseEntry loose{.entry = EntryFor(of, path.Name()),
                     .size = {.bytes = content.size, .files = 1}};
    ASSIGN_OR_RETURN(loose.entry.id, writer.Write(content));
    loose.entry.size = content.size;
    ASSIGN_OR_RETURN(updated, PutOne(edits, path.Parent(), std::move(loose), OnTaken::kReplace));
    return "Modified " + Quoted(updated.name) + ".";
  }));
  return updated;
}

}  // namespace atrium::files
