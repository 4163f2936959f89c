// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/reverts.h"

#include <chrono>
#include <utility>

#include "files/kept_history.h"
#include "files/tree.h"

namespace atrium::files {
namespace {

using store::OpContext;

Author AuthorFor(const Person& person) {
  return {.user = person.id, .email = person.email};
}

/// "2026-11-16 08:30:00", as clients show it.
std::string TimeOf(const Move& state) {
  std::string text = RenderInstant(state.at).substr(0, 19);
  text[10] = ' ';
  return text;
}

std::string Describe(const Dirent& entry, const Move& state) {
  return std::string(entry.IsDirectory() ? "Reverted directory \"" : "Reverted file \"") +
         entry.name + "\" to status at " + TimeOf(state) + ".";
}

std::string Describe(const RestoreReport& report) {
  const RestoredEntry& first = report.restored.front();
  std::string text = std::string(first.entry.IsDirectory() ? "Recovered deleted directory \""
                                                           : "Recovered deleted file \"") +
                     first.entry.name + "\"";
  if (report.restored.size() > 1) {
    text += " and " + std::to_string(report.restored.size() - 1) + " more";
  }
  return text + ".";
}

/// Trees that are being changed have times of their own.
class Restorer {
 public:
  static Result<Restorer> Begin(ObjectReader& reader, const Library& library, Instant now) {
    const auto seconds =
        std::chrono::duration_cast<std::chrono::seconds>(now.time_since_epoch()).count();
    ASSIGN_OR_RETURN(PathEdits edits, PathEdits::Begin(reader, library.root, seconds));
    return Restorer(reader, std::move(edits));
  }

  /// Puts back what the old tree has at the path. nullopt: it is there as it was.
  Result<std::optional<Dirent>> Put(const ObjectId& old_root, const TreePath& path, OnTaken taken) {
    if (path.IsRoot()) {
      return Fail(ErrorCode::kInvalidArgument, "path: the library itself is reverted as a whole");
    }
    ASSIGN_OR_RETURN(LooseEntry old, LoadLooseEntry(*reader_, old_root, path));
    ASSIGN_OR_RETURN(const auto there, edits_.Find(path));
    if (there && there->id == old.entry.id && there->mode == old.entry.mode) {
      return std::nullopt;
    }
    ASSIGN_OR_RETURN(const TreePath folder, edits_.MakeFolders(path.Parent()));
    ASSIGN_OR_RETURN(Dirent entry, edits_.Put(folder, std::move(old), taken));
    return std::optional(std::move(entry));
  }

  Result<Dirent> Now(const TreePath& path) {
    ASSIGN_OR_RETURN(auto entry, edits_.Find(path));
    return entry ? *std::move(entry) : Dirent();
  }

  Result<EditedTree> Finish(ObjectWriter& writer) { return edits_.Finish(writer); }

 private:
  Restorer(ObjectReader& reader, PathEdits edits) : reader_(&reader), edits_(std::move(edits)) {}

  ObjectReader* reader_;
  PathEdits edits_;
};

/// What is wrong with one of many, and not with all of them.
bool IsOfOne(ErrorCode code) {
  return code == ErrorCode::kNotFound || code == ErrorCode::kAlreadyExists ||
         code == ErrorCode::kInvalidArgument;
}

Result<void> RestoreOne(Restorer& restorer, const ObjectId& old_root, const std::string& text,
                        RestoreReport& report) {
  const auto restore = [&]() -> Result<Dirent> {
    ASSIGN_OR_RETURN(const TreePath path, TreePath::Parse(text));
    ASSIGN_OR_RETURN(auto entry, restorer.Put(old_root, path, OnTaken::kRename));
    return entry ? *std::move(entry) : restorer.Now(path);
  };
  Result<Dirent> entry = restore();
  if (!entry && !IsOfOne(entry.error().code)) {
    return std::unexpected(std::move(entry).error());
  }
  if (entry) {
    report.restored.push_back({.path = text, .entry = *std::move(entry)});
  } else {
    report.refused.push_back({.path = text, .reason = entry.error().client_message});
  }
  return {};
}

}  // namespace

Result<Move> RevertService::EnterState(const OpContext& op, const Person& person,
                                       const LibraryId& library, const CommitId& commit) const {
  ASSIGN_OR_RETURN(const Entrance entrance,
                   Enter(ground_.store, op, person, library, Permission::kWrite));
  return LoadState(ground_, op, content_, entrance.library.record, commit);
}

Result<Dirent> RevertService::RevertEntry(const OpContext& op, const Person& person,
                                          const RevertOrder& order) {
  ASSIGN_OR_RETURN(const Move state, EnterState(op, person, order.library, order.commit));
  Dirent reverted;
  const auto edit = [&](ObjectReader& reader, ObjectWriter& writer,
                        const Library& library) -> Result<Change> {
    ASSIGN_OR_RETURN(Restorer restorer, Restorer::Begin(reader, library, ground_.clock.Now()));
    ASSIGN_OR_RETURN(const auto entry, restorer.Put(state.root, order.path, order.taken));
    if (!entry) {
      ASSIGN_OR_RETURN(reverted, restorer.Now(order.path));
      return Change{.root = library.root};
    }
    reverted = *entry;
    ASSIGN_OR_RETURN(const EditedTree tree, restorer.Finish(writer));
    return Change{.root = tree.root, .description = Describe(*entry, state)};
  };
  RETURN_IF_ERROR(heads_.Apply(op, AuthorFor(person), order.library, edit));
  return reverted;
}

Result<RestoreReport> RevertService::Restore(const OpContext& op, const Person& person,
                                             const LibraryId& library, const CommitId& commit,
                                             const std::vector<std::string>& paths) {
  if (paths.empty() || paths.size() > kRestoredAtOnce) {
    return Fail(ErrorCode::kInvalidArgument, "path: from one to 1000 of them");
  }
  ASSIGN_OR_RETURN(const Move state, EnterState(op, person, library, commit));
  RestoreReport report;
  const auto edit = [&](ObjectReader& reader, ObjectWriter& writer,
                        const Library& now) -> Result<Change> {
    report = {};
    ASSIGN_OR_RETURN(Restorer restorer, Restorer::Begin(reader, now, ground_.clock.Now()));
    for (const std::string& path : paths) {
      RETURN_IF_ERROR(RestoreOne(restorer, state.root, path, report));
    }
    ASSIGN_OR_RETURN(const EditedTree tree, restorer.Finish(writer));
    return Change{.root = tree.root,
                  .description = report.restored.empty() ? "" : Describe(report)};
  };
  RETURN_IF_ERROR(heads_.Apply(op, AuthorFor(person), library, edit));
  return report;
}

Result<store::Stored<Library>> RevertService::RevertLibrary(const OpContext& op,
                                                            const Person& person,
                                                            const LibraryId& library,
                                                            const CommitId& commit) {
  RETURN_IF_ERROR(EnterAsOwner(ground_.store, op, person, library));
  ASSIGN_OR_RETURN(const Move state, EnterState(op, person, library, commit));
  const auto edit = [&](ObjectReader& /*reader*/, ObjectWriter& /*writer*/,
                        const Library& /*library*/) -> Result<Change> {
    return Change{.root = state.root,
                  .description = "Reverted library to status at " + TimeOf(state) + "."};
  };
  return heads_.Apply(op, AuthorFor(person), library, edit);
}

}  // namespace atrium::files
