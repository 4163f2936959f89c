// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/instant.h"
#include "base/result.h"
#include "files/content.h"
#include "files/library_access.h"
#include "files/objects.h"
#include "files/people.h"
#include "files/tree_path.h"
#include "store/ground.h"

namespace atrium::files {

struct TrashQuery {
  /// Only what was deleted here or below.
  TreePath folder{};
  /// TrashPage::resume of the page before.
  std::optional<std::string> after{};
  /// At most kTrashPageMax.
  std::size_t limit = 100;
};
inline constexpr std::size_t kTrashPageMax = 1000;
/// How long one page is looked for, and in how many states.
inline constexpr std::chrono::seconds kTrashTime{5};
inline constexpr std::uint64_t kTrashStatesMax = 5000;

/// Something that was deleted; of a folder, the folder alone.
struct TrashedEntry {
  Dirent entry{};
  /// "/folder" in which it was.
  std::string folder{};
  Instant deleted_at{};
  /// The last state that had it: by which it is brought back.
  CommitId commit{};
};

/// Newest first. May be short, even empty, and have a successor: when much had to be looked at.
struct TrashPage {
  std::vector<TrashedEntry> entries{};
  std::optional<std::string> resume{};
};

/// What was deleted from libraries and is still kept (kept_history.h). Nothing is stored for it:
/// the trash is what is in one state and not in the next. What was moved in one step is not in it,
/// nor what is at its place again as it was. RevertService brings back. Any thread.
class TrashService {
 public:
  TrashService(const store::Ground& ground, const Content& content, const People& people)
      : ground_(ground), content_(content), people_(people) {}

  /// kInvalidArgument, "scan_stat: …", for a place to go on that is none.
  Result<TrashPage> List(const store::OpContext& op, const Person& person, const LibraryId& library,
                         const TrashQuery& query) const;

  /// Throws away what was deleted before the last `keep` days, and with it all states before then:
  /// from now on nobody reaches them, and what they alone name may be removed. The state of that
  /// time stays, because it is what later changes began with; with zero days the head alone stays.
  /// For the owner. kInvalidArgument, "keep_days: …", when it is negative.
  Result<void> Empty(const store::OpContext& op, const Person& person, const LibraryId& library,
                     std::int64_t keep_days);

 private:
  const store::Ground ground_;
  const Content& content_;
  const People& people_;
};

}  // namespace atrium::files
