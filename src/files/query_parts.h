// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "files/object_id.h"
#include "files/path_edits.h"
#include "files/route_parts.h"

namespace atrium::files {

// What clients say when they ask about the past.

/// nullopt when there is none; kInvalidArgument, naming it, when it is no commit.
Result<std::optional<CommitId>> FindCommitField(const Fields& fields, std::string_view name);
/// kInvalidArgument, naming it, also when it is missing.
Result<CommitId> RequireCommit(const Fields& fields, std::string_view name);

struct CountRange {
  std::uint64_t otherwise = 1;
  std::uint64_t most = 1'000'000'000;
};
/// From one up to `most`: what is more counts as that. kInvalidArgument, naming it, for anything
/// else.
Result<std::uint64_t> ReadCount(const Fields& fields, std::string_view name,
                                const CountRange& range);

/// `page` and `per_page`.
struct PageFields {
  std::uint64_t page = 1;
  std::uint64_t per_page = 100;

  std::uint64_t Skip() const { return (page - 1) * per_page; }
};
Result<PageFields> ReadPage(const Fields& fields, const CountRange& per_page);

/// The file or folder a request is about: `path`, or `p` as older clients call it.
Result<TreePath> RequirePastPath(const Fields& fields);

}  // namespace atrium::files
