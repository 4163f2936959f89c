// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0

// Random trees, random edits on both sides at once: whatever came of it, nothing is lost.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <random>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/testing.h"
#include "files/merge.h"
#include "files/tree_testing.h"

namespace atrium::files {
namespace {

struct File {
  std::string content{};
  std::uint32_t mode = kFileMode;
  std::int64_t mtime = 1;

  friend bool operator==(const File&, const File&) = default;
};

/// Files by path; folders are there because of what is in them.
using Model = std::map<std::string, File>;

bool IsBelow(const std::string& path, const std::string& folder) {
  return path.starts_with(folder + "/");
}

bool IsFolder(const Model& model, const std::string& path) {
  return std::ranges::any_of(model, [&](const auto& file) { return IsBelow(file.first, path); });
}

/// Whether something above `path` is a file.
bool IsBlocked(const Model& model, const std::string& path) {
  return std::ranges::any_of(model, [&](const auto& file) { return IsBelow(path, file.first); });
}

ObjectId Build(MemoryTree& tree, const Model& model) {
  std::map<std::string, Model> folders;
  std::vector<Dirent> entries;
  for (const auto& [path, file] : model) {
    const std::size_t slash = path.find('/', 1);
    if (slash == std::string::npos) {
      Dirent entry = tree.FileEntry(path.substr(1), file.content);
      entry.mode = file.mode;
      entry.mtime = file.mtime;
      entries.push_back(entry);
    } else {
      folders[path.substr(1, slash - 1)][path.substr(slash)] = file;
    }
  }
  for (const auto& [name, inside] : folders) {
    entries.push_back(MemoryTree::FolderEntry(name, Build(tree, inside)));
  }
  return tree.Write(Directory::Make(std::move(entries)).value()).value();
}

void Read(MemoryTree& tree, const ObjectId& root, const std::string& path, Model& model) {
  const auto directory = tree.ReadDirectory(root).value();
  for (const Dirent& entry : directory->Entries()) {
    const std::string inner = path + "/" + entry.name;
    if (entry.IsDirectory()) {
      Read(tree, entry.id, inner, model);
    } else {
      model[inner] = {
          .content = tree.ContentOf(entry.id), .mode = entry.mode, .mtime = entry.mtime};
    }
  }
}

/// Where an entry was before it gave up its name to another.
std::string WithoutMarks(const std::string& path) {
  static const std::regex mark(R"( \(SFConflict [^)]*\)( \(\d+\))?)");
  return std::regex_replace(path, mark, "");
}

class Editor {
 public:
  Editor(std::mt19937& random, std::string side) : random_(random), side_(std::move(side)) {}

  Model RandomTree() {
    Model model;
    for (std::size_t i = Below(12); i > 0; --i) {
      Add(model);
    }
    return model;
  }

  void Edit(Model& model) {
    for (std::size_t i = Below(6); i > 0; --i) {
      EditOnce(model);
    }
  }

 private:
  void EditOnce(Model& model) {
    if (model.empty()) {
      return Add(model);
    }
    const std::string path = AnyFile(model);
    switch (Below(9)) {
      case 0:
      case 1:
        return Add(model);
      case 2:
        model[path].content = NewContent();
        model[path].mtime += 10;
        return;
      case 3:
        model.erase(path);
        return;
      case 4:
        return Rename(model, path);
      case 5:
        return FileToFolder(model, path);
      case 6:
        return FolderToFile(model, path);
      case 7:
        model[path].mode ^= kFileMode ^ kExecutableMode;
        return;
      default:
        model[path].mtime += 60;
    }
  }

  void Add(Model& model) {
    const std::string path = AnyPath();
    if (!IsFolder(model, path) && !IsBlocked(model, path)) {
      model[path] = {.content = NewContent()};
    }
  }

  void Rename(Model& model, const std::string& from) {
    const std::string to = AnyPath();
    const File file = model[from];
    model.erase(from);
    const bool possible = !model.contains(to) && !IsFolder(model, to) && !IsBlocked(model, to);
    model[possible ? to : from] = file;
  }

  void FileToFolder(Model& model, const std::string& path) {
    model.erase(path);
    model[path + "/" + AnyName()] = {.content = NewContent()};
  }

  /// The outermost folder above the file becomes a file.
  void FolderToFile(Model& model, const std::string& path) {
    const std::size_t slash = path.find('/', 1);
    if (slash == std::string::npos) {
      return;
    }
    const std::string folder = path.substr(0, slash);
    std::erase_if(model, [&](const auto& file) { return IsBelow(file.first, folder); });
    model[folder] = {.content = NewContent()};
  }

  std::size_t Below(std::size_t end) { return random_() % end; }
  std::string NewContent() { return side_ + std::to_string(++contents_); }
  std::string AnyName() {
    static const std::vector<std::string> names = {"a", "b.txt", "c", "ü.x"};
    return names[Below(names.size())];
  }
  std::string AnyPath() {
    std::string path;
    for (std::size_t depth = Below(3) + 1; depth > 0; --depth) {
      path += "/" + AnyName();
    }
    return path;
  }
  std::string AnyFile(const Model& model) {
    return std::next(model.begin(), static_cast<std::ptrdiff_t>(Below(model.size())))->first;
  }

  std::mt19937& random_;
  std::string side_;
  int contents_ = 0;
};

struct Round {
  Model base{};
  Model head{};
  Model remote{};
  Model merged{};
};

/// Whether the content is in the outcome, under this path or under the name of a conflict.
bool IsKept(const Model& merged, const std::string& path, const std::string& content) {
  return std::ranges::any_of(merged, [&](const auto& file) {
    return file.second.content == content && WithoutMarks(file.first) == path;
  });
}

void ExpectChangesKept(const Model& base, const Model& side, const Model& merged) {
  for (const auto& [path, file] : side) {
    const auto before = base.find(path);
    if (before == base.end() || before->second.content != file.content) {
      EXPECT_TRUE(IsKept(merged, path, file.content)) << path << " with " << file.content;
    }
  }
}

void ExpectDeletionsHold(const Round& round, const Model& deleting, const Model& other) {
  for (const auto& [path, file] : round.base) {
    const auto there = other.find(path);
    const bool untouched = there != other.end() && there->second.content == file.content;
    // A folder that was changed and is a file on the other side is kept as it is.
    if (untouched && !deleting.contains(path) && !IsBlocked(deleting, path)) {
      EXPECT_FALSE(round.merged.contains(path)) << path;
    }
  }
}

void ExpectNothingInvented(const Round& round) {
  for (const auto& [path, file] : round.merged) {
    const std::string origin = WithoutMarks(path);
    const auto has = [&](const Model& side) {
      const auto found = side.find(origin);
      return found != side.end() && found->second.content == file.content;
    };
    EXPECT_TRUE(has(round.head) || has(round.remote)) << path << " with " << file.content;
  }
}

void CheckRound(std::mt19937& random) {
  MemoryTree tree;
  Round round;
  round.base = Editor(random, "base").RandomTree();
  round.head = round.base;
  round.remote = round.base;
  Editor(random, "head").Edit(round.head);
  Editor(random, "remote").Edit(round.remote);
  MergeInput input{.base = Build(tree, round.base),
                   .head = Build(tree, round.head),
                   .remote = Build(tree, round.remote),
                   .author = "bob@example.com",
                   .now = 5};

  const Result<MergeOutcome> outcome = MergeTrees(tree, tree, input);
  ASSERT_THAT(outcome, IsOk());
  // Reading also proves each directory to be in order, with each name once and valid.
  Read(tree, outcome->root, "", round.merged);
  ExpectChangesKept(round.base, round.head, round.merged);
  ExpectChangesKept(round.base, round.remote, round.merged);
  ExpectDeletionsHold(round, round.head, round.remote);
  ExpectDeletionsHold(round, round.remote, round.head);
  ExpectNothingInvented(round);
  const bool marked = std::ranges::any_of(
      round.merged, [](const auto& file) { return file.first != WithoutMarks(file.first); });
  EXPECT_EQ(outcome->conflict, marked);

  EXPECT_EQ(MergeTrees(tree, tree, input)->root, outcome->root);
  const ObjectId unchanged = input.base;
  EXPECT_EQ(
      MergeTrees(tree, tree, {.base = unchanged, .head = unchanged, .remote = input.remote})->root,
      input.remote);
  EXPECT_EQ(
      MergeTrees(tree, tree, {.base = unchanged, .head = input.head, .remote = unchanged})->root,
      input.head);
}

TEST(MergePropertyTest, NothingThatSomebodyWroteIsMissing) {
  const auto seed = std::random_device()();
  std::mt19937 random(seed);
  for (int i = 0; i < 2000 && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE("seed " + std::to_string(seed) + ", round " + std::to_string(i));
    CheckRound(random);
  }
}

TEST(MergePropertyTest, WithoutABaseEverythingOfBothSidesIsThere) {
  const auto seed = std::random_device()();
  std::mt19937 random(seed);
  for (int i = 0; i < 500 && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE("seed " + std::to_string(seed) + ", round " + std::to_string(i));
    MemoryTree tree;
    Round round;
    round.head = Editor(random, "head").RandomTree();
    round.remote = Editor(random, "remote").RandomTree();
    const Result<MergeOutcome> outcome = MergeTrees(
        tree, tree, {.head = Build(tree, round.head), .remote = Build(tree, round.remote)});
    ASSERT_THAT(outcome, IsOk());
    Read(tree, outcome->root, "", round.merged);
    ExpectChangesKept({}, round.head, round.merged);
    ExpectChangesKept({}, round.remote, round.merged);
    ExpectNothingInvented(round);
  }
}

TEST(MergePropertyTest, AnEditBesideAnUnchangedSideComesThroughInEveryDetail) {
  const auto seed = std::random_device()();
  std::mt19937 random(seed);
  for (int i = 0; i < 500 && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE("seed " + std::to_string(seed) + ", round " + std::to_string(i));
    MemoryTree tree;
    const Model base = Editor(random, "base").RandomTree();
    Model edited = base;
    Editor(random, "head").Edit(edited);
    // The other side changes one file that nobody else knows, so that folders must be merged.
    Model other = base;
    other["/zz"] = {.content = "other"};
    const ObjectId base_root = Build(tree, base);
    const ObjectId edited_root = Build(tree, edited);
    const ObjectId other_root = Build(tree, other);
    for (const auto& [head, remote] :
         {std::pair(edited_root, other_root), std::pair(other_root, edited_root)}) {
      const Result<MergeOutcome> outcome =
          MergeTrees(tree, tree, {.base = base_root, .head = head, .remote = remote});
      ASSERT_THAT(outcome, IsOk());
      Model merged;
      Read(tree, outcome->root, "", merged);
      Model expected = edited;
      expected["/zz"] = {.content = "other"};
      EXPECT_EQ(merged, expected);
    }
  }
}

}  // namespace
}  // namespace atrium::files
