// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/objects.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/json_text.h"
#include "files/canonical_json.h"
#include "files/names.h"

namespace atrium::files {
namespace {

/// What an entry takes besides its name and its modifier.
constexpr std::size_t kEntryBytesAbout = 140;

void AppendId(std::string& out, const Sha1Id& id) {
  out += '"';
  id.AppendTo(out);
  out += '"';
}

void AppendEntry(std::string& out, const Dirent& entry) {
  out += "{\"id\": ";
  AppendId(out, entry.id.value());
  out += ", \"mode\": ";
  AppendJsonNumber(out, entry.mode);
  if (!entry.IsDirectory()) {
    out += ", \"modifier\": ";
    AppendCanonicalString(out, entry.modifier);
  }
  out += ", \"mtime\": ";
  AppendJsonNumber(out, entry.mtime);
  out += ", \"name\": ";
  AppendCanonicalString(out, entry.name);
  if (!entry.IsDirectory()) {
    out += ", \"size\": ";
    AppendJsonNumber(out, entry.size);
  }
  out += '}';
}

/// Short texts are within the string itself.
std::size_t HeapBytesOf(const std::string& text) {
  static const std::size_t within = std::string().capacity();
  return text.capacity() > within ? text.capacity() + 1 : 0;
}

/// Where `name` is, or belongs.
template <typename Entries>
auto PlaceOf(Entries& entries, std::string_view name) {
  return std::ranges::lower_bound(
      entries, name, std::ranges::greater(),
      [](const Dirent& entry) -> std::string_view { return entry.name; });
}

}  // namespace

Result<Directory> Directory::Make(std::vector<Dirent> entries) {
  for (const Dirent& entry : entries) {
    RETURN_IF_ERROR(CheckName(entry.name));
  }
  if (!std::ranges::is_sorted(entries, std::ranges::greater(), &Dirent::name)) {
    std::ranges::sort(entries, std::ranges::greater(), &Dirent::name);
  }
  const auto twice = std::ranges::adjacent_find(entries, std::ranges::equal_to(), &Dirent::name);
  if (twice != entries.end()) {
    return Fail(ErrorCode::kInvalidArgument, "name: two entries are named " + twice->name);
  }
  Directory directory;
  directory.entries_ = std::move(entries);
  directory.entries_.shrink_to_fit();
  return directory;
}

std::size_t Directory::MemoryBytes() const {
  std::size_t bytes = sizeof(Directory) + (entries_.capacity() * sizeof(Dirent));
  for (const Dirent& entry : entries_) {
    bytes += HeapBytesOf(entry.name) + HeapBytesOf(entry.modifier);
  }
  return bytes;
}

const Dirent* Directory::Find(std::string_view name) const {
  const auto place = PlaceOf(entries_, name);
  return place != entries_.end() && place->name == name ? &*place : nullptr;
}

Result<void> Directory::Put(Dirent entry) {
  RETURN_IF_ERROR(CheckName(entry.name));
  const auto place = PlaceOf(entries_, entry.name);
  if (place != entries_.end() && place->name == entry.name) {
    *place = std::move(entry);
  } else {
    entries_.insert(place, std::move(entry));
  }
  return {};
}

bool Directory::Remove(std::string_view name) {
  const auto place = PlaceOf(entries_, name);
  if (place == entries_.end() || place->name != name) {
    return false;
  }
  entries_.erase(place);
  return true;
}

std::string Render(const Directory& directory) {
  std::string out = "{\"dirents\": [";
  out.reserve(directory.Entries().size() * (kEntryBytesAbout + 40));
  std::string_view separator;
  for (const Dirent& entry : directory.Entries()) {
    out += separator;
    AppendEntry(out, entry);
    separator = ", ";
  }
  return out.append("], \"type\": 3, \"version\": 1}");
}

std::string Render(const FileObject& file) {
  std::string out = "{\"block_ids\": [";
  out.reserve(64 + file.blocks.size() * (Sha1Id::kTextLength + 4));
  std::string_view separator;
  for (const BlockId& block : file.blocks) {
    out += separator;
    AppendId(out, block.value());
    separator = ", ";
  }
  out += "], \"size\": ";
  AppendJsonNumber(out, file.size);
  return out.append(", \"type\": 1, \"version\": 1}");
}

ObjectId ObjectIdOf(const Directory& directory) {
  return directory.empty() ? ObjectId() : ObjectIdOf(Render(directory));
}

ObjectId ObjectIdOf(const FileObject& file) {
  return file.blocks.empty() ? ObjectId() : ObjectIdOf(Render(file));
}

}  // namespace atrium::files
