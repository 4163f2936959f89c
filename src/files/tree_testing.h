// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "files/object_id.h"
#include "files/objects.h"
#include "files/tree.h"

namespace atrium::files {

/// A tree written down: the content of each file by its path. A path that ends with "/" is a folder
/// which need not have anything in it.
using Listing = std::map<std::string, std::string>;

/// The objects of a library in memory, as texts.
class MemoryTree final : public ObjectReader, public ObjectWriter {
 public:
  static constexpr std::int64_t kMtime = 1'700'000'000;

  ObjectId WriteFile(const std::string& content) {
    const FileObject file{
        .blocks = content.empty() ? std::vector<BlockId>() : std::vector{BlockIdOf(content)},
        .size = static_cast<std::int64_t>(content.size())};
    const ObjectId id = Write(file).value();
    contents_[id] = content;
    return id;
  }

  Dirent FileEntry(const std::string& name, const std::string& content) {
    return {.id = WriteFile(content),
            .mtime = kMtime,
            .name = name,
            .modifier = "alice@example.com",
            .size = static_cast<std::int64_t>(content.size())};
  }

  static Dirent FolderEntry(const std::string& name, const ObjectId& id) {
    return {.id = id, .mode = kDirectoryMode, .mtime = kMtime, .name = name};
  }

  /// The root of a tree of such files.
  ObjectId Build(const Listing& listing) {
    std::map<std::string, Listing> folders;
    std::vector<Dirent> entries;
    for (const auto& [path, content] : listing) {
      const std::string_view inner = std::string_view(path).substr(1);
      const std::size_t slash = inner.find('/');
      if (inner.empty()) {
        continue;
      }
      if (slash == std::string_view::npos) {
        entries.push_back(FileEntry(std::string(inner), content));
      } else {
        folders[std::string(inner.substr(0, slash))].emplace(inner.substr(slash), content);
      }
    }
    for (const auto& [name, inside] : folders) {
      entries.push_back(FolderEntry(name, Build(inside)));
    }
    return Write(Directory::Make(std::move(entries)).value()).value();
  }

  /// What Build was given: folders appear only when they are empty.
  Listing List(const ObjectId& root) {
    Listing listing;
    const auto directory = ReadDirectory(root).value();
    for (const Dirent& entry : directory->Entries()) {
      if (!entry.IsDirectory()) {
        listing["/" + entry.name] = contents_.at(entry.id);
        continue;
      }
      const Listing inside = List(entry.id);
      for (const auto& [path, content] : inside) {
        listing["/" + entry.name + path] = content;
      }
      if (inside.empty()) {
        listing["/" + entry.name + "/"] = "";
      }
    }
    return listing;
  }

  const std::string& ContentOf(const ObjectId& file) const { return contents_.at(file); }

  /// Lets the object be lost, or found again.
  void Lose(const ObjectId& id) { lost_ = id; }

  std::size_t Reads() const { return reads_; }
  std::size_t Writes() const { return writes_; }
  /// The largest number of directories that were held at one time.
  std::size_t HeldMax() const { return held_max_; }

 private:
  Result<std::shared_ptr<const Directory>> LoadDirectory(const ObjectId& id) override {
    ASSIGN_OR_RETURN(const std::string text, TextOf(id));
    ASSIGN_OR_RETURN(Directory directory, ParseDirectory(text));
    ++reads_;
    held_max_ = std::max(held_max_, ++held_);
    return std::shared_ptr<const Directory>(new Directory(std::move(directory)),
                                            [this](const Directory* gone) {
                                              --held_;
                                              delete gone;
                                            });
  }

  Result<FileObject> LoadFile(const ObjectId& id) override {
    ASSIGN_OR_RETURN(const std::string text, TextOf(id));
    return ParseFile(text);
  }

  Result<void> Store(NewObject object) override {
    ++writes_;
    texts_[object.id] = std::move(object.text);
    return {};
  }

  Result<std::string> TextOf(const ObjectId& id) {
    const auto found = texts_.find(id);
    if (found == texts_.end() || id == lost_) {
      return Fail(ErrorCode::kCorrupt, "there is no object " + id.Render());
    }
    return found->second;
  }

  std::map<ObjectId, std::string> texts_;
  std::map<ObjectId, std::string> contents_{{ObjectId(), ""}};
  ObjectId lost_;
  std::size_t reads_ = 0;
  std::size_t writes_ = 0;
  std::size_t held_ = 0;
  std::size_t held_max_ = 0;
};

}  // namespace atrium::files
