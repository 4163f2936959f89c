// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/inspection.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

#include "files/keys.h"
#include "files/library_reader.h"
#include "files/objects.h"
#include "files/walk_memory.h"

namespace atrium::files {
namespace {

/// What encryption adds to each block: from one byte up to this.
constexpr std::int64_t kPaddingMax = 16;

bool FitsIn(const Library& library, std::int64_t stored, const FileObject& file) {
  if (!library.lock) {
    return stored == file.size;
  }
  const auto blocks = static_cast<std::int64_t>(file.blocks.size());
  return stored >= file.size + blocks && stored <= file.size + (blocks * kPaddingMax);
}

/// Whether entries like these are known from the head already.
bool IsKnown(const TreeChange& change) {
  return change.after == nullptr || change.after->IsDirectory() ||
         (change.before != nullptr && change.before->id == change.after->id &&
          change.before->size == change.after->size);
}

/// A file as an entry tells of it.
struct SizedFile {
  ObjectId id{};
  std::int64_t size = 0;

  friend bool operator==(const SizedFile&, const SizedFile&) = default;
};

struct SizedFileHash {
  std::size_t operator()(const SizedFile& file) const noexcept {
    return std::hash<ObjectId>()(file.id);
  }
};

class Inspector {
 public:
  Inspector(const store::OpContext& op, const Content& content, const Library& library)
      : op_(op), content_(content), library_(library), reader_(content, op, library.id) {}

  Result<void> Compare(const ObjectId& root, Verdict& verdict) {
    const auto look = [&](const TreeChange& change) -> Result<void> {
      if (IsKnown(change)) {
        return {};
      }
      ASSIGN_OR_RETURN(const bool whole, IsWhole(*change.after));
      if (!whole && verdict.missing.size() < kMissingNamed) {
        verdict.missing.emplace_back(change.path);
      }
      return {};
    };
    FolderMemory folders;
    const DiffOptions options{.entries_max = kPublishedEntriesMax, .memory = &folders};
    Result<TreeSums> sums = VisitChanges(TreeDiff(reader_, library_.root, root, options), look);
    if (!sums && sums.error().code == ErrorCode::kNotFound) {
      verdict.missing.emplace_back("/");
      return {};
    }
    ASSIGN_OR_RETURN(verdict.sums, std::move(sums));
    verdict.named_bytes = named_bytes_;
    return {};
  }

 private:
  /// What was looked at in one place is the same in another, if it is said to be as long.
  Result<bool> IsWhole(const Dirent& entry) {
    const bool* known = files_.Find({.id = entry.id, .size = entry.size});
    if (known != nullptr) {
      return *known;
    }
    ASSIGN_OR_RETURN(const bool whole, LookAt(entry));
    files_.Put({.id = entry.id, .size = entry.size}, whole);
    return whole;
  }

  Result<bool> LookAt(const Dirent& entry) {
    const Result<FileObject> file = reader_.ReadFile(entry.id);
    if (!file && file.error().code == ErrorCode::kNotFound) {
      return false;
    }
    RETURN_IF_ERROR(file);
    std::int64_t stored = 0;
    for (const BlockId& block : file->blocks) {
      ASSIGN_OR_RETURN(const auto place, content_.FindBlock(op_, library_.id, block));
      if (!place) {
        return false;
      }
      stored += place->bytes;
    }
    if (entry.size != file->size || !FitsIn(library_, stored, *file)) {
      return Fail(ErrorCode::kInvalidArgument,
                  "the size of \"" + entry.name + "\" is not that of its content");
    }
    named_bytes_ += stored;
    return true;
  }

  const store::OpContext& op_;
  const Content& content_;
  const Library& library_;
  LibraryReader reader_;
  WalkMemory<SizedFile, bool, SizedFileHash> files_;
  std::int64_t named_bytes_ = 0;
};

}  // namespace

Result<Verdict> Inspect(store::Store& store, const store::OpContext& op, const Content& content,
                        const Library& library, const ObjectId& root) {
  Verdict verdict;
  ASSIGN_OR_RETURN(const auto sweeps, store.Get(op, kLibraryCounts, SweepsKey(library.id)));
  if (sweeps) {
    verdict.sweeps = sweeps->version;
  }
  RETURN_IF_ERROR(Inspector(op, content, library).Compare(root, verdict));
  return verdict;
}

store::Check HoldSweeps(const LibraryId& library, const Verdict& verdict) {
  return {.table = &kLibraryCounts,
          .key = SweepsKey(library),
          .expect = verdict.sweeps ? store::Expectation::At(*verdict.sweeps)
                                   : store::Expectation::Absent()};
}

}  // namespace atrium::files
