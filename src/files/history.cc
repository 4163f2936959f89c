// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/history.h"

#include <algorithm>
#include <utility>

#include "files/kept_history.h"
#include "files/keys.h"
#include "files/library_reader.h"
#include "files/path_edits.h"
#include "files/revision_walk.h"

namespace atrium::files {
namespace {

using store::OpContext;

/// How often a file is followed to an earlier path.
constexpr int kRenamesFollowed = 32;

std::unexpected<Error> NotThere(const TreePath& path, std::string_view what) {
  return Fail(ErrorCode::kNotFound,
              "path: there was no " + std::string(what) + " " + path.Render());
}

}  // namespace

Result<HistoryPage> HistoryService::List(const OpContext& op, const Person& person,
                                         const LibraryId& library,
                                         const HistoryQuery& query) const {
  ASSIGN_OR_RETURN(const Entrance entrance,
                   Enter(ground_.store, op, person, library, Permission::kRead));
  const Library& now = entrance.library.record;
  ASSIGN_OR_RETURN(const std::uint64_t first,
                   FirstKept(ground_.store, op, now, ground_.clock.Now()));
  HistoryPage page;
  if (query.skip > now.moves - first) {
    return page;
  }
  const std::string partition = PartitionOf(library);
  ASSIGN_OR_RETURN(
      const auto found,
      store::List<Move>(ground_.store, op,
                        {.table = &kMoveTable,
                         .partition = partition,
                         .range = {.from = MoveKey(library, first).sort,
                                   .before = MoveKey(library, now.moves - query.skip + 1).sort},
                         .limit = std::clamp<std::size_t>(query.limit, 1, kHistoryPageMax),
                         .direction = store::Direction::kBackward}));
  for (const store::Stored<Move>& move : found.records) {
    page.moves.push_back(move.record);
  }
  page.more = !page.moves.empty() && page.moves.back().number > first;
  return page;
}

Result<OldFolder> HistoryService::LoadFolder(const OpContext& op, const Person& person,
                                             const LibraryId& library, const CommitId& commit,
                                             const TreePath& path) const {
  ASSIGN_OR_RETURN(const Entrance entrance,
                   Enter(ground_.store, op, person, library, Permission::kRead));
  ASSIGN_OR_RETURN(Move state, LoadState(ground_, op, content_, entrance.library.record, commit));
  LibraryReader reader(content_, op, library);
  ASSIGN_OR_RETURN(const auto entry, FindEntry(reader, state.root, path));
  if (!entry || !entry->IsDirectory()) {
    return NotThere(path, "folder");
  }
  ASSIGN_OR_RETURN(auto folder, reader.ReadDirectory(entry->id));
  return OldFolder{.state = std::move(state), .id = entry->id, .folder = std::move(folder)};
}

Result<OldFile> HistoryService::LoadFile(const OpContext& op, const Person& person,
                                         const LibraryId& library, const CommitId& commit,
                                         const TreePath& path) const {
  ASSIGN_OR_RETURN(const Entrance entrance,
                   Enter(ground_.store, op, person, library, Permission::kRead));
  ASSIGN_OR_RETURN(Move state, LoadState(ground_, op, content_, entrance.library.record, commit));
  LibraryReader reader(content_, op, library);
  ASSIGN_OR_RETURN(auto entry, FindEntry(reader, state.root, path));
  if (!entry || entry->IsDirectory()) {
    return NotThere(path, "file");
  }
  return OldFile{.state = std::move(state), .entry = *std::move(entry)};
}

Result<RevisionPage> HistoryService::ListRevisions(const OpContext& op, const Person& person,
                                                   const LibraryId& library,
                                                   const RevisionQuery& query) const {
  ASSIGN_OR_RETURN(const Entrance entrance,
                   Enter(ground_.store, op, person, library, Permission::kRead));
  const Library& now = entrance.library.record;
  std::uint64_t start = now.moves;
  if (query.from) {
    ASSIGN_OR_RETURN(const Move state, LoadState(ground_, op, content_, now, *query.from));
    start = state.number;
  } else {
    LibraryReader reader(content_, op, library);
    ASSIGN_OR_RETURN(const auto entry, FindEntry(reader, now.root, query.path));
    if (!entry || entry->IsDirectory()) {
      return NotThere(query.path, "file");
    }
  }
  ASSIGN_OR_RETURN(const std::uint64_t first,
                   FirstKept(ground_.store, op, now, ground_.clock.Now()));
  RevisionWalk walk(ground_, content_, op,
                    {.library = library,
                     .first = first,
                     .limit = std::clamp<std::size_t>(query.limit, 1, kRevisionPageMax)});
  return walk.Run(start, query.path);
}

Result<RevisionPage> HistoryService::FollowRevisions(const OpContext& op, const Person& person,
                                                     const LibraryId& library, const TreePath& path,
                                                     const RevisionSpan& span) const {
  RevisionPage whole;
  RevisionQuery query{.path = path, .limit = kRevisionPageMax};
  std::size_t skip = span.skip;
  const SteadyInstant end = ground_.clock.Steady() + kRevisionTime;
  for (int renames = 0; renames < kRenamesFollowed;) {
    ASSIGN_OR_RETURN(RevisionPage page, ListRevisions(op, person, library, query));
    renames += page.next && page.next->path != query.path ? 1 : 0;
    const std::size_t passed = std::min(skip, page.revisions.size());
    skip -= passed;
    for (auto one = page.revisions.begin() + static_cast<std::ptrdiff_t>(passed);
         one != page.revisions.end(); ++one) {
      if (whole.revisions.size() == span.limit) {
        whole.next = RevisionPage::Next{.from = one->state.commit};
        ASSIGN_OR_RETURN(whole.next->path, TreePath::Parse(one->path));
        return whole;
      }
      whole.revisions.push_back(std::move(*one));
    }
    whole.next = page.next;
    if (!page.next || ground_.clock.Steady() > end) {
      break;
    }
    query.from = page.next->from;
    query.path = page.next->path;
  }
  return whole;
}

Result<OldFile> HistoryService::FindVersion(const OpContext& op, const Person& person,
                                            const LibraryId& library, const TreePath& path,
                                            const ObjectId& content) const {
  RevisionQuery query{.path = path, .limit = kRevisionPageMax};
  const SteadyInstant end = ground_.clock.Steady() + kRevisionTime;
  while (true) {
    Result<RevisionPage> page = ListRevisions(op, person, library, query);
    RETURN_IF_ERROR(page);
    for (FileRevision& one : page->revisions) {
      if (one.entry.id == content) {
        return OldFile{.state = std::move(one.state), .entry = std::move(one.entry)};
      }
    }
    if (!page->next || ground_.clock.Steady() > end) {
      return NotThere(path, "such version of");
    }
    query.from = page->next->from;
    query.path = page->next->path;
  }
}

}  // namespace atrium::files
