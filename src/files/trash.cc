// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/trash.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "files/kept_history.h"
#include "files/keys.h"
#include "files/library_reader.h"
#include "files/path_edits.h"
#include "files/tree_diff.h"
#include "store/batch.h"

namespace atrium::files {
namespace {

using store::OpContext;

constexpr std::int64_t kKeepDaysMax = 36'500;
/// How many arrivals of one state are compared with its departures.
constexpr std::size_t kArrivalsMax = 100'000;

/// Where a page went on: the state, and how many of its deletions were told.
struct Place {
  std::uint64_t number = 0;
  std::uint64_t told = 0;
};

std::string Render(const Place& place) {
  return std::to_string(place.number) + "." + std::to_string(place.told);
}

std::optional<std::uint64_t> ReadNumber(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number)
                                                                  : std::nullopt;
}

Result<Place> ReadPlace(const std::optional<std::string>& text, std::uint64_t head) {
  if (!text) {
    return Place{.number = head};
  }
  const std::size_t dot = std::min(text->find('.'), text->size());
  const auto number = ReadNumber(std::string_view(*text).substr(0, dot));
  const auto told = ReadNumber(std::string_view(*text).substr(std::min(dot + 1, text->size())));
  if (!number || !told) {
    return Fail(ErrorCode::kInvalidArgument, "scan_stat: not the end of a page");
  }
  return Place{.number = std::min(*number, head), .told = *told};
}

/// Looks for departures in one state after the other.
class TrashWalk {
 public:
  TrashWalk(LibraryReader& reader, const Library& library, const TrashQuery& query)
      : reader_(reader), library_(library), query_(query) {}

  /// What left between the two states. Whether all of it was told.
  Result<bool> Look(const Move& older, const Move& newer, std::uint64_t already_told) {
    told_ = 0;
    ASSIGN_OR_RETURN(const ObjectId before, FolderIn(older));
    ASSIGN_OR_RETURN(const ObjectId after, FolderIn(newer));
    if (before == after) {
      return true;
    }
    ASSIGN_OR_RETURN(const auto arrived, ArrivalsOf(before, after));
    TreeDiff diff = DiffOf(before, after, nullptr);
    while (true) {
      ASSIGN_OR_RETURN(const auto change, diff.Next());
      if (!change) {
        return true;
      }
      if (change->after != nullptr || arrived.contains(change->before->id)) {
        continue;
      }
      if (told_ >= already_told) {
        if (entries_.size() >= query_.limit) {
          return false;
        }
        RETURN_IF_ERROR(Tell(*change, older, newer));
      }
      ++told_;
    }
  }

  std::uint64_t Told() const { return told_; }
  std::vector<TrashedEntry> Take() { return std::move(entries_); }
  bool IsFull() const { return entries_.size() >= query_.limit; }

 private:
  TreeDiff DiffOf(const ObjectId& before, const ObjectId& after, FolderMemory* memory) {
    return {reader_,
            before,
            after,
            {.removed = RemovedFolders::kSkip, .added = AddedFolders::kSkip, .memory = memory}};
  }

  Result<ObjectId> FolderIn(const Move& state) {
    ASSIGN_OR_RETURN(const auto entry, FindEntry(reader_, state.root, query_.folder));
    return entry && entry->IsDirectory() ? entry->id : ObjectId();
  }

  /// What came in the same step: if it is what left, it was moved.
  Result<std::unordered_set<ObjectId>> ArrivalsOf(const ObjectId& before, const ObjectId& after) {
    std::unordered_set<ObjectId> arrived;
    const auto note = [&](const TreeChange& change) -> Result<void> {
      if (change.before == nullptr && !IsZero(change.after->id) && arrived.size() < kArrivalsMax) {
        arrived.insert(change.after->id);
      }
      return {};
    };
    FolderMemory folders;
    RETURN_IF_ERROR(VisitChanges(DiffOf(before, after, &folders), note));
    return arrived;
  }

  Result<void> Tell(const TreeChange& change, const Move& older, const Move& newer) {
    const std::string prefix = query_.folder.IsRoot() ? "" : query_.folder.Render();
    const std::string path = prefix + std::string(change.path);
    if (!seen_.emplace(path, change.before->id).second) {
      return {};
    }
    ASSIGN_OR_RETURN(const TreePath parsed, TreePath::Parse(path));
    ASSIGN_OR_RETURN(const auto now, FindEntry(reader_, library_.root, parsed));
    if (now && now->id == change.before->id && now->IsDirectory() == change.before->IsDirectory()) {
      return {};
    }
    entries_.push_back({.entry = *change.before,
                        .folder = parsed.Parent().Render(),
                        .deleted_at = newer.at,
                        .commit = older.commit});
    return {};
  }

  LibraryReader& reader_;
  const Library& library_;
  const TrashQuery& query_;
  std::vector<TrashedEntry> entries_;
  std::set<std::pair<std::string, ObjectId>> seen_;
  std::uint64_t told_ = 0;
};

}  // namespace

Result<TrashPage> TrashService::List(const OpContext& op, const Person& person,
                                     const LibraryId& library, const TrashQuery& query) const {
  ASSIGN_OR_RETURN(const Entrance entrance,
                   Enter(ground_.store, op, person, library, Permission::kRead));
  const Library& now = entrance.library.record;
  ASSIGN_OR_RETURN(const std::uint64_t first,
                   FirstKept(ground_.store, op, now, ground_.clock.Now()));
  ASSIGN_OR_RETURN(Place place, ReadPlace(query.after, now.moves));
  TrashQuery bounded = query;
  bounded.limit = std::clamp<std::size_t>(query.limit, 1, kTrashPageMax);
  LibraryReader reader(content_, op, library);
  TrashWalk walk(reader, now, bounded);
  const SteadyInstant end = ground_.clock.Steady() + kTrashTime;
  ASSIGN_OR_RETURN(auto newer, FindMove(ground_.store, op, library, place.number));
  TrashPage page;
  for (std::uint64_t looked_at = 0; newer && newer->number > first; ++looked_at) {
    if (walk.IsFull() || looked_at >= kTrashStatesMax || ground_.clock.Steady() >= end) {
      page.resume = Render(place);
      break;
    }
    ASSIGN_OR_RETURN(auto older, FindMove(ground_.store, op, library, newer->number - 1));
    if (!older) {
      break;
    }
    ASSIGN_OR_RETURN(const bool all, walk.Look(*older, *newer, place.told));
    if (!all) {
      page.resume = Render({.number = newer->number, .told = walk.Told()});
      break;
    }
    place = {.number = older->number};
    newer = std::move(older);
  }
  page.entries = walk.Take();
  return page;
}

Result<void> TrashService::Empty(const OpContext& op, const Person& person,
                                 const LibraryId& library, std::int64_t keep_days) {
  if (keep_days < 0 || keep_days > kKeepDaysMax) {
    return Fail(ErrorCode::kInvalidArgument, "keep_days: from 0 to 36500");
  }
  return store::RetryConflicts([&]() -> Result<void> {
    ASSIGN_OR_RETURN(const Entrance entrance, EnterAsOwner(ground_.store, op, person, library));
    const store::Stored<Library>& found = entrance.library;
    std::uint64_t from = found.record.moves;
    if (keep_days > 0) {
      const Instant then = ground_.clock.Now() - std::chrono::days(keep_days);
      ASSIGN_OR_RETURN(from, MoveAt(ground_.store, op, found.record, then));
    }
    if (from <= found.record.kept_from.value_or(1)) {
      return {};
    }
    Library after = found.record;
    after.kept_from = from;
    store::Batch batch;
    batch.Replace(Libraries(), found, after);
    people_.WriteDown(batch, person.id,
                      {.org = after.org,
                       .action = "library.empty_trash",
                       .library = after.id,
                       .detail = after.name});
    RETURN_IF_ERROR(ground_.store.Commit(op, std::move(batch)));
    return {};
  });
}

}  // namespace atrium::files
