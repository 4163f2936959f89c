// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "files/content.h"
#include "files/people.h"
#include "files/records.h"
#include "store/ground.h"

namespace atrium::files {

/// How many changes are told.
inline constexpr std::size_t kToldChangesMax = 1000;

/// What one state of a library has made of the one before it, by path.
struct StateChanges {
  Move state{};
  std::vector<std::string> new_files{};
  std::vector<std::string> removed_files{};
  std::vector<std::string> changed_files{};
  /// From, to.
  std::vector<std::pair<std::string, std::string>> renamed_files{};
  std::vector<std::string> new_folders{};
  std::vector<std::string> removed_folders{};
  /// There were more.
  bool is_cut_off = false;
};

/// The changes of one state. Of a folder that came or went, the folder alone. kNotFound as
/// LoadState(); the first state that is kept has changed nothing that could be told.
Result<StateChanges> ListChanges(const store::Ground& ground, const Content& content,
                                 const store::OpContext& op, const Person& person,
                                 const std::pair<LibraryId, CommitId>& state);

}  // namespace atrium::files
