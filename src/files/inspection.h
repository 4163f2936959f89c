// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "files/content.h"
#include "files/object_id.h"
#include "files/records.h"
#include "files/tree_diff.h"
#include "store/store.h"
#include "store/write_set.h"

namespace atrium::files {

/// What a new tree of a library holds, compared with that of its head.
struct Verdict {
  TreeSums sums{};
  /// Of the blocks of all files that the head does not have.
  std::int64_t named_bytes = 0;
  /// Paths of files whose content is not there, at most kMissingNamed; "/" when a part of the tree
  /// itself is not.
  std::vector<std::string> missing{};
  /// How the sweeps stood before anything was looked at.
  std::optional<store::Version> sweeps{};
};

inline constexpr std::size_t kMissingNamed = 100;

/// Looks at everything that is not in the tree of the head: objects, blocks, and whether sizes are
/// those of the content. Each object once, however often the tree names it. kInvalidArgument,
/// naming the file, when one is not; kLimitExceeded for trees that are too deep, and beyond
/// kPublishedEntriesMax.
Result<Verdict> Inspect(store::Store& store, const store::OpContext& op, const Content& content,
                        const Library& library, const ObjectId& root);

/// Lets a commit fail with kConflict when content was removed since the inspection.
store::Check HoldSweeps(const LibraryId& library, const Verdict& verdict);

}  // namespace atrium::files
