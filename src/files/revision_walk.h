// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "files/content.h"
#include "files/history.h"
#include "files/library_reader.h"
#include "files/records.h"
#include "files/tree_path.h"
#include "store/ground.h"

namespace atrium::files {

/// How long one page of versions is looked for, and in how many states.
inline constexpr std::chrono::seconds kRevisionTime{5};
inline constexpr std::uint64_t kRevisionStatesMax = 5000;

/// Goes back through the states of a library and tells those in which one file became what it was.
/// One thread, used once.
class RevisionWalk {
 public:
  struct Bounds {
    LibraryId library{};
    /// The number of the first state that is kept.
    std::uint64_t first = 1;
    std::size_t limit = 50;
  };

  /// All but the bounds outlives the walk.
  RevisionWalk(const store::Ground& ground, const Content& content, const store::OpContext& op,
               const Bounds& bounds);

  /// From the state of that number on.
  Result<RevisionPage> Run(std::uint64_t start, const TreePath& path);

 private:
  /// nullopt: there is none before it that is kept.
  Result<std::optional<Move>> TakeState();
  Result<std::optional<Dirent>> FileIn(const Move& state);
  /// What the newer state has made of the older one. Whether the walk goes on.
  Result<bool> Compare(const Move& newer, const Move& older);
  void Tell(const Move& state);
  Result<void> TellRename(const Move& newer, const Move& older);
  Result<std::optional<std::string>> FindRename(const Move& newer, const Move& older);
  bool IsTired() const;

  const store::Ground& ground_;
  const store::OpContext& op_;
  const Bounds bounds_;
  LibraryReader reader_;
  const SteadyInstant end_;
  TreePath path_;
  /// The file as the newer state has it; nullopt: it is not there.
  std::optional<Dirent> current_;
  RevisionPage page_;
  /// States that were read ahead, newest first, and the number of the next to read.
  std::deque<Move> ahead_;
  std::uint64_t next_number_ = 0;
  std::uint64_t looked_at_ = 0;
};

}  // namespace atrium::files
