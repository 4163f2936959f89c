// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/merge.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "files/fresh_names.h"
#include "files/objects.h"
#include "files/walk_memory.h"

namespace atrium::files {
namespace {

/// What each side has under one name; null: nothing.
struct Versions {
  const Dirent* base = nullptr;
  const Dirent* head = nullptr;
  const Dirent* remote = nullptr;
};

/// The ids of one folder.
struct FolderVersions {
  ObjectId base{};
  ObjectId head{};
  ObjectId remote{};

  friend bool operator==(const FolderVersions&, const FolderVersions&) = default;
};

struct FolderVersionsHash {
  std::size_t operator()(const FolderVersions& ids) const noexcept {
    const std::hash<ObjectId> hash;
    return hash(ids.base) ^ (hash(ids.head) << 1U) ^ (hash(ids.remote) << 2U);
  }
};

/// One folder while it is merged.
struct Level {
  std::shared_ptr<const Directory> base;
  std::shared_ptr<const Directory> head;
  std::shared_ptr<const Directory> remote;
  std::vector<Dirent> merged{};
  /// Names of conflicts, which neither side has.
  std::set<std::string, std::less<>> given{};
};

/// Walks up to three directories in the order of their names.
class NameWalk {
 public:
  explicit NameWalk(const Level& level)
      : base_(level.base->Entries()),
        head_(level.head->Entries()),
        remote_(level.remote->Entries()) {}

  /// Nothing on any side: that was all.
  Versions Next() {
    std::string_view name;
    for (const Entries& entries : {base_, head_, remote_}) {
      if (!entries.empty()) {
        name = std::max<std::string_view>(name, entries.front().name);
      }
    }
    return {.base = Take(base_, name), .head = Take(head_, name), .remote = Take(remote_, name)};
  }

 private:
  using Entries = std::span<const Dirent>;

  static const Dirent* Take(Entries& entries, std::string_view name) {
    if (entries.empty() || entries.front().name != name) {
      return nullptr;
    }
    const Dirent* taken = &entries.front();
    entries = entries.subspan(1);
    return taken;
  }

  Entries base_;
  Entries head_;
  Entries remote_;
};

bool SameKind(const Dirent& one, const Dirent& other) {
  return one.IsDirectory() == other.IsDirectory();
}

/// Whether it has been left alone. Modes and times are not looked at: a deletion or another content
/// is worth more.
bool IsUnchanged(const Dirent* base, const Dirent& entry) {
  return base != nullptr && SameKind(*base, entry) && base->id == entry.id;
}

/// The side that changed the content, with a mode that only the other side changed.
Dirent WithModeOfOther(const Dirent& base, Dirent changed, const Dirent& other) {
  if (SameKind(changed, other) && changed.mode == base.mode) {
    changed.mode = other.mode;
  }
  return changed;
}

class Merger {
 public:
  Merger(ObjectReader& reader, ObjectWriter& writer, const MergeInput& input)
      : reader_(reader), writer_(writer), input_(input) {}

  Result<MergeOutcome> Run() {
    ASSIGN_OR_RETURN(
        const ObjectId root,
        MergeFolder({.base = input_.base, .head = input_.head, .remote = input_.remote}));
    return MergeOutcome{.root = root, .conflict = conflict_};
  }

 private:
  Result<ObjectId> MergeFolder(const FolderVersions& ids);
  Result<ObjectId> MergeEntries(const FolderVersions& ids);
  Result<Level> Open(const FolderVersions& ids);
  Result<ObjectId> Close(const FolderVersions& ids, Level level);
  Result<void> MergeName(const Versions& versions, Level& level);
  Result<void> KeepWhatRemains(const Versions& versions, Level& level);
  Result<void> MergeContents(const Versions& versions, Level& level);
  Result<void> KeepBoth(const Versions& versions, Level& level);
  std::string ConflictNameOf(const Dirent& entry) const;

  ObjectReader& reader_;
  ObjectWriter& writer_;
  const MergeInput& input_;
  /// What became of folders; the same three always become the same.
  WalkMemory<FolderVersions, ObjectId, FolderVersionsHash> merged_;
  bool conflict_ = false;
  std::size_t depth_ = 0;
  std::uint64_t looked_at_ = 0;
};

Result<ObjectId> Merger::MergeFolder(const FolderVersions& ids) {
  if (ids.head == ids.remote || ids.base == ids.remote) {
    return ids.head;
  }
  if (ids.base == ids.head) {
    return ids.remote;
  }
  if (const ObjectId* known = merged_.Find(ids)) {
    return *known;
  }
  ASSIGN_OR_RETURN(const ObjectId merged, MergeEntries(ids));
  merged_.Put(ids, merged);
  return merged;
}

Result<ObjectId> Merger::MergeEntries(const FolderVersions& ids) {
  if (++depth_ > kTreeDepthMax) {
    return Fail(ErrorCode::kLimitExceeded, "folders are nested too deeply");
  }
  ASSIGN_OR_RETURN(Level level, Open(ids));
  NameWalk walk(level);
  for (Versions versions = walk.Next(); versions.base || versions.head || versions.remote;
       versions = walk.Next()) {
    if (++looked_at_ > kWalkedEntriesMax) {
      return Fail(ErrorCode::kLimitExceeded, "the tree has too many entries");
    }
    RETURN_IF_ERROR(MergeName(versions, level));
  }
  --depth_;
  return Close(ids, std::move(level));
}

Result<Level> Merger::Open(const FolderVersions& ids) {
  ASSIGN_OR_RETURN(auto base, reader_.ReadDirectory(ids.base));
  ASSIGN_OR_RETURN(auto head, reader_.ReadDirectory(ids.head));
  ASSIGN_OR_RETURN(auto remote, reader_.ReadDirectory(ids.remote));
  return Level{.base = std::move(base), .head = std::move(head), .remote = std::move(remote)};
}

Result<ObjectId> Merger::Close(const FolderVersions& ids, Level level) {
  ASSIGN_OR_RETURN(const Directory merged, Directory::Make(std::move(level.merged)));
  if (merged == *level.head) {
    return ids.head;
  }
  if (merged == *level.remote) {
    return ids.remote;
  }
  return writer_.Write(merged);
}

Result<void> Merger::MergeName(const Versions& versions, Level& level) {
  const auto [base, head, remote] = versions;
  if (head == nullptr && remote == nullptr) {
    return {};
  }
  if (head == nullptr || remote == nullptr) {
    return KeepWhatRemains(versions, level);
  }
  if (SameKind(*head, *remote) && head->id == remote->id) {
    // Of two that differ in mode or time alone, the one that was touched.
    level.merged.push_back(base != nullptr && *base == *head ? *remote : *head);
    return {};
  }
  if (IsUnchanged(base, *head)) {
    level.merged.push_back(WithModeOfOther(*base, *remote, *head));
    return {};
  }
  if (IsUnchanged(base, *remote)) {
    level.merged.push_back(WithModeOfOther(*base, *head, *remote));
    return {};
  }
  return head->IsDirectory() && remote->IsDirectory() ? MergeContents(versions, level)
                                                      : KeepBoth(versions, level);
}

Result<void> Merger::KeepWhatRemains(const Versions& versions, Level& level) {
  const auto [base, head, remote] = versions;
  const Dirent& kept = head != nullptr ? *head : *remote;
  if (IsUnchanged(base, kept)) {
    return {};
  }
  Dirent entry = kept;
  if (base != nullptr && base->IsDirectory() && kept.IsDirectory()) {
    ASSIGN_OR_RETURN(entry.id,
                     MergeFolder({.base = base->id,
                                  .head = head != nullptr ? head->id : ObjectId(),
                                  .remote = remote != nullptr ? remote->id : ObjectId()}));
    if (IsZero(entry.id)) {
      return {};
    }
  }
  level.merged.push_back(std::move(entry));
  return {};
}

Result<void> Merger::MergeContents(const Versions& versions, Level& level) {
  const auto [base, head, remote] = versions;
  const bool had_folder = base != nullptr && base->IsDirectory();
  Dirent entry = *head;
  ASSIGN_OR_RETURN(entry.id, MergeFolder({.base = had_folder ? base->id : ObjectId(),
                                          .head = head->id,
                                          .remote = remote->id}));
  level.merged.push_back(std::move(entry));
  return {};
}

Result<void> Merger::KeepBoth(const Versions& versions, Level& level) {
  conflict_ = true;
  level.merged.push_back(*versions.head);
  Dirent moved = *versions.remote;
  const auto taken = [&](std::string_view name) {
    return level.head->Find(name) != nullptr || level.remote->Find(name) != nullptr ||
           level.given.contains(name);
  };
  ASSIGN_OR_RETURN(moved.name, FreeName(ConflictNameOf(moved), taken));
  level.given.insert(moved.name);
  level.merged.push_back(std::move(moved));
  return {};
}

std::string Merger::ConflictNameOf(const Dirent& entry) const {
  if (entry.IsDirectory()) {
    return ConflictName(entry.name,
                        {.modifier = input_.author, .mtime = input_.now, .zone = input_.zone});
  }
  return ConflictName(entry.name,
                      {.modifier = entry.modifier, .mtime = entry.mtime, .zone = input_.zone});
}

}  // namespace

Result<MergeOutcome> MergeTrees(ObjectReader& reader, ObjectWriter& writer,
                                const MergeInput& input) {
  return Merger(reader, writer, input).Run();
}

}  // namespace atrium::files
