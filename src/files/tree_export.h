// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/describe/class.hpp>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "files/collection.h"
#include "files/content.h"
#include "files/object_id.h"
#include "store/ground.h"

namespace atrium::files {

/// A tree that is to be written to a folder of this machine.
struct TreeToExport {
  LibraryId library{};
  /// Nullopt: as it is now.
  std::optional<CommitId> commit{};
  /// Made when it is not there.
  std::filesystem::path folder{};
  /// Of an encrypted library.
  std::optional<std::string> password{};
};

/// What became of it.
struct ExportedTree {
  std::string name{};
  std::string commit{};
  std::uint64_t folders = 0;
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
  /// Of files that could not be read, the first thousand. Nothing is left of them in the folder.
  std::vector<std::string> damaged{};
  std::uint64_t damaged_count = 0;
};
BOOST_DESCRIBE_STRUCT(ExportedTree, (),
                      (name, commit, folders, files, bytes, damaged, damaged_count))

/// Writes all of it as plain files. A library in the trash is exported, too, and a state that
/// people cannot reach any more as long as it is there. kAlreadyExists for a folder that is not
/// empty; kNotFound for a library or a commit that is not there; kPermissionDenied when the
/// password is missing or wrong; kUnavailable when the folder cannot be written.
Result<ExportedTree> ExportTree(const store::Ground& ground, const Content& content,
                                const TreeToExport& wanted, const WorkSigns& signs);

}  // namespace atrium::files
