// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/name_search.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "base/utf8.h"
#include "files/library_access.h"
#include "files/library_reader.h"
#include "files/path_edits.h"
#include "files/tree_diff.h"

namespace atrium::files {
namespace {

using store::OpContext;

constexpr std::size_t kTextBytesMax = 255;
/// How many entries are looked at between two looks at the clock.
constexpr std::uint64_t kEntriesPerLook = 1000;

struct Free {
  void operator()(utf8proc_uint8_t* text) const { std::free(text); }
};

bool IsWanted(const Dirent& entry, WantedKind kind) {
  return kind == WantedKind::kAny || entry.IsDirectory() == (kind == WantedKind::kFolder);
}

/// Walks one tree after the other until it has enough, or has looked at too much.
class Searcher {
 public:
  Searcher(const Clock& clock, const NameQuery& query)
      : clock_(clock),
        query_(query),
        wanted_(FoldName(query.text)),
        to_skip_(query.skip),
        end_(clock.Steady() + kSearchTime) {}

  Result<void> Walk(LibraryReader& reader, const Library& library, const ObjectId& root) {
    TreeDiff diff(reader, ObjectId(), root);
    while (!IsDone()) {
      ASSIGN_OR_RETURN(const auto change, diff.Next());
      if (!change) {
        break;
      }
      Look(library, *change);
    }
    return {};
  }

  bool IsDone() const { return outcome_.more || outcome_.is_cut_off; }
  FoundNames Take() { return std::move(outcome_); }

 private:
  void Look(const Library& library, const TreeChange& change) {
    ++looked_at_;
    if (IsWanted(*change.after, query_.kind) && FoldName(change.after->name).contains(wanted_)) {
      Note(library, change);
    }
    outcome_.is_cut_off = looked_at_ >= kSearchedEntriesMax ||
                          (looked_at_ % kEntriesPerLook == 0 && clock_.Steady() >= end_);
  }

  void Note(const Library& library, const TreeChange& change) {
    if (to_skip_ > 0) {
      --to_skip_;
    } else if (outcome_.found.size() >= query_.limit) {
      outcome_.more = true;
    } else {
      const std::string prefix = query_.folder.IsRoot() ? "" : query_.folder.Render();
      outcome_.found.push_back({.library = library.id,
                                .library_name = library.name,
                                .path = prefix + std::string(change.path),
                                .entry = *change.after});
    }
  }

  const Clock& clock_;
  const NameQuery& query_;
  const std::string wanted_;
  std::size_t to_skip_;
  const SteadyInstant end_;
  std::uint64_t looked_at_ = 0;
  FoundNames outcome_;
};

Result<ObjectId> StartIn(LibraryReader& reader, const Library& library, const TreePath& folder) {
  ASSIGN_OR_RETURN(const auto entry, FindEntry(reader, library.root, folder));
  if (!entry || !entry->IsDirectory()) {
    return Fail(ErrorCode::kNotFound, "path: there is no folder " + folder.Render());
  }
  return entry->id;
}

}  // namespace

std::string FoldName(std::string_view name) {
  constexpr auto kFolded =
      static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD);
  utf8proc_uint8_t* folded = nullptr;
  const utf8proc_ssize_t size =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(name.data()),
                   static_cast<utf8proc_ssize_t>(name.size()), &folded, kFolded);
  const std::unique_ptr<utf8proc_uint8_t, Free> owner(folded);
  Check(size >= 0, "a valid name can be folded");
  return {reinterpret_cast<const char*>(folded), static_cast<std::size_t>(size)};
}

Result<std::vector<Library>> NameSearch::LibrariesOf(const OpContext& op, const Person& person,
                                                     const NameQuery& query) const {
  std::vector<Library> wanted;
  if (query.library) {
    ASSIGN_OR_RETURN(const Entrance entrance,
                     Enter(ground_.store, op, person, *query.library, Permission::kRead));
    wanted.push_back(entrance.library.record);
    return wanted;
  }
  ASSIGN_OR_RETURN(const auto mine, libraries_.ListMine(op, person));
  for (const auto& library : mine) {
    if (PermissionOf(library.record, person)) {
      wanted.push_back(library.record);
    }
  }
  return wanted;
}

Result<FoundNames> NameSearch::Find(const OpContext& op, const Person& person,
                                    const NameQuery& query) const {
  if (query.text.empty() || query.text.size() > kTextBytesMax || !IsValidUtf8(query.text)) {
    return Fail(ErrorCode::kInvalidArgument, "q: from 1 to 255 bytes of UTF-8");
  }
  ASSIGN_OR_RETURN(const std::vector<Library> libraries, LibrariesOf(op, person, query));
  NameQuery bounded = query;
  bounded.limit = std::clamp<std::size_t>(query.limit, 1, kFoundMax);
  Searcher searcher(ground_.clock, bounded);
  for (const Library& library : libraries) {
    LibraryReader reader(content_, op, library.id);
    ASSIGN_OR_RETURN(const ObjectId root, StartIn(reader, library, query.folder));
    RETURN_IF_ERROR(searcher.Walk(reader, library, root));
    if (searcher.IsDone()) {
      break;
    }
  }
  return searcher.Take();
}

}  // namespace atrium::files
