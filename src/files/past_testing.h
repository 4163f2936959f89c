// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/testing.h"
#include "files/heads_testing.h"
#include "files/path_edits.h"
#include "files/tree_diff.h"
#include "files/tree_path.h"

namespace atrium::files::testing {

/// Ann's library, in which files are written and removed by path, one state at a time.
class PastTest : public HeadsTest {
 protected:
  using Steps = std::function<void(PathEdits&, ObjectWriter&)>;

  static TreePath At(const std::string& path) { return TreePath::Parse(path).value(); }

  /// The commit of the new state. An hour passes before it.
  CommitId Do(const Steps& steps, const std::string& description = "Did something.") {
    clock_.Advance(std::chrono::hours(1));
    const auto edit = [&](ObjectReader& reader, ObjectWriter& writer,
                          const Library& library) -> Result<Change> {
      ASSIGN_OR_RETURN(PathEdits edits, PathEdits::Begin(reader, library.root, 1'800'000'000));
      steps(edits, writer);
      ASSIGN_OR_RETURN(const EditedTree tree, edits.Finish(writer));
      return Change{.root = tree.root, .description = description};
    };
    const auto moved = heads_.Apply({}, author_, id_, edit);
    EXPECT_THAT(moved, IsOk());
    return moved ? moved->record.head : CommitId();
  }
  CommitId Write(const std::string& path, const std::string& content) {
    if (!content.empty()) {
      EXPECT_THAT(content_->PutBlock({}, id_, BlockIdOf(content), content), IsOk());
    }
    return Do([&](PathEdits& edits, ObjectWriter& writer) {
      const TreePath where = At(path);
      const TreePath folder = edits.MakeFolders(where.Parent()).value();
      const Dirent entry = EntryOf(where.Name(), content, writer);
      EXPECT_THAT(edits.Put(folder, {.entry = entry, .size = {.bytes = entry.size, .files = 1}},
                            OnTaken::kReplace),
                  IsOk());
    });
  }
  CommitId Remove(const std::string& path) {
    return Do([&](PathEdits& edits, ObjectWriter& /*writer*/) {
      EXPECT_THAT(edits.Remove(At(path)), IsOk());
    });
  }
  CommitId Rename(const std::string& path, const std::string& name) {
    return Do([&](PathEdits& edits, ObjectWriter& /*writer*/) {
      EXPECT_THAT(edits.Rename(At(path), name), IsOk());
    });
  }

  /// Files with their content and folders with "/", by path.
  std::map<std::string, std::string> TreeOf(const LibraryId& library) {
    const auto found = store::Load(store_, {}, Libraries(), LibraryRowKey(library));
    EXPECT_THAT(found, IsOk());
    LibraryReader reader(*content_, {}, library);
    std::map<std::string, std::string> tree;
    const auto note = [&](const TreeChange& change) -> Result<void> {
      std::string& content = tree[std::string(change.path)];
      if (change.after->IsDirectory()) {
        content = "/";
        return {};
      }
      ASSIGN_OR_RETURN(const FileObject file, reader.ReadFile(change.after->id));
      for (const BlockId& block : file.blocks) {
        ASSIGN_OR_RETURN(const auto place, content_->FindBlock({}, library, block));
        ASSIGN_OR_RETURN(const std::string bytes, content_->ReadBlock({}, place.value()));
        content += bytes;
      }
      return {};
    };
    EXPECT_THAT(VisitChanges(TreeDiff(reader, ObjectId(), found->record.root), note), IsOk());
    return tree;
  }
  std::map<std::string, std::string> Tree() { return TreeOf(id_); }

  const Person bob_ = people_.Add("bob", org_);
};

}  // namespace atrium::files::testing
