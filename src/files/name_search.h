// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "files/content.h"
#include "files/libraries.h"
#include "files/objects.h"
#include "files/people.h"
#include "files/tree_path.h"
#include "store/ground.h"

namespace atrium::files {

enum class WantedKind : std::uint8_t { kAny, kFile, kFolder };

struct NameQuery {
  /// A part of the name, in any case; accents count.
  std::string text{};
  /// Only there; nullopt: all libraries that the person may read.
  std::optional<LibraryId> library{};
  /// Only below this folder of it.
  TreePath folder{};
  WantedKind kind = WantedKind::kAny;
  /// How many of what is found to pass over.
  std::size_t skip = 0;
  /// At most kFoundMax.
  std::size_t limit = 100;
};
inline constexpr std::size_t kFoundMax = 500;
/// What one search looks at: whichever ends first.
inline constexpr std::uint64_t kSearchedEntriesMax = 1'000'000;
inline constexpr std::chrono::seconds kSearchTime{5};

struct FoundName {
  LibraryId library{};
  std::string library_name{};
  /// "/folder/name".
  std::string path{};
  Dirent entry{};
};

struct FoundNames {
  std::vector<FoundName> found{};
  /// There is more of it: the same with more to pass over.
  bool more = false;
  /// Not everything was looked at.
  bool is_cut_off = false;
};

/// Finds files and folders by their names, in the libraries as they are now. There is no index: a
/// search walks the trees, and gives up after a while. Names are readable in encrypted libraries,
/// too. Any thread.
class NameSearch {
 public:
  NameSearch(const store::Ground& ground, const Content& content, const LibraryService& libraries)
      : ground_(ground), content_(content), libraries_(libraries) {}

  /// kInvalidArgument, "q: …", for no text or too long a one; kNotFound for a library that the
  /// person may not see, or a folder that is not there.
  Result<FoundNames> Find(const store::OpContext& op, const Person& person,
                          const NameQuery& query) const;

 private:
  Result<std::vector<Library>> LibrariesOf(const store::OpContext& op, const Person& person,
                                           const NameQuery& query) const;

  const store::Ground ground_;
  const Content& content_;
  const LibraryService& libraries_;
};

/// The name as it is compared: without regard to case and to how accents are written. `name` is
/// valid UTF-8.
std::string FoldName(std::string_view name);

}  // namespace atrium::files
