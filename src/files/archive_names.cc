// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/archive_names.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

#include "files/fresh_names.h"
#include "files/names.h"
#include "files/objects.h"

namespace atrium::files {
namespace {

constexpr char kInstead = '_';

bool IsLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

}  // namespace

std::string SafeInArchive(std::string_view name) {
  std::string safe = WithoutControls(name, kInstead);
  std::ranges::replace(safe, '\\', kInstead);
  if (safe.size() > 1 && IsLetter(safe[0]) && safe[1] == ':') {
    safe[1] = kInstead;
  }
  return safe;
}

ArchiveNames::ArchiveNames(ObjectReader& reader, const ObjectId& root) : reader_(reader) {
  folders_.push_back({.id = root});
}

Result<std::string> ArchiveNames::NameIn(Folder& folder, const std::string& name) {
  std::string safe = SafeInArchive(name);
  if (safe == name) {
    return safe;
  }
  ASSIGN_OR_RETURN(const std::shared_ptr<const Directory> beside, reader_.ReadDirectory(folder.id));
  ASSIGN_OR_RETURN(safe, FreeName(safe, [&](std::string_view wanted) {
                     return beside->Find(wanted) != nullptr || folder.given.contains(wanted);
                   }));
  folder.given.insert(safe);
  return safe;
}

Result<std::string> ArchiveNames::PathOf(const TreeChange& change) {
  const std::string_view parent = change.path.substr(0, change.path.rfind('/'));
  while (folders_.size() > 1 && folders_.back().path != parent) {
    folders_.pop_back();
  }
  Folder& folder = folders_.back();
  ASSIGN_OR_RETURN(const std::string name, NameIn(folder, change.after->name));
  std::string path = folder.safe_path.empty() ? name : folder.safe_path + "/" + name;
  if (change.after->IsDirectory()) {
    folders_.push_back(
        {.path = std::string(change.path), .safe_path = path, .id = change.after->id});
  }
  return path;
}

}  // namespace atrium::files
