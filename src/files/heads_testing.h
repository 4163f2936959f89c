// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/testing.h"
#include "files/heads.h"
#include "files/keys.h"
#include "files/library_reader.h"
#include "files/objects.h"
#include "files/room_testing.h"
#include "files/tree.h"
#include "store/store.h"

namespace atrium::files::testing {

/// The content of files by name, all in the root.
using Files = std::map<std::string, std::string>;

/// Ann's library, and what a client of hers does with it.
class HeadsTest : public RoomTest {
 protected:
  HeadsTest() {
    const auto begun = heads_.Begin({}, author_,
                                    {.id = LibraryId(ids_.NewUuid()),
                                     .org = org_,
                                     .owner = ann_.id,
                                     .name = "Scores",
                                     .created_at = clock_.Now()});
    EXPECT_THAT(begun, IsOk());
    id_ = begun ? begun->record.id : LibraryId();
  }

  Library Now() {
    const auto found = store::Load(store_, {}, Libraries(), LibraryRowKey(id_));
    EXPECT_THAT(found, IsOk());
    return found ? found->record : Library();
  }

  static Dirent EntryOf(const std::string& name, const std::string& content, ObjectWriter& writer) {
    const FileObject file{
        .blocks = content.empty() ? std::vector<BlockId>() : std::vector{BlockIdOf(content)},
        .size = static_cast<std::int64_t>(content.size())};
    return {.id = writer.Write(file).value(),
            .name = name,
            .modifier = "ann@example.org",
            .size = file.size};
  }
  /// Stores the tree without the content of its files.
  ObjectId PutTree(const Files& files) {
    CollectedObjects objects;
    std::vector<Dirent> entries;
    for (const auto& [name, content] : files) {
      entries.push_back(EntryOf(name, content, objects));
    }
    const ObjectId root = objects.Write(Directory::Make(std::move(entries)).value()).value();
    EXPECT_THAT(content_->PutObjects({}, id_, objects.Objects()), IsOk());
    return root;
  }
  void PutBlocks(const Files& files) {
    for (const auto& [name, content] : files) {
      EXPECT_THAT(content_->PutBlock({}, id_, BlockIdOf(content), content), IsOk());
    }
  }
  ObjectId Upload(const Files& files) {
    PutBlocks(files);
    return PutTree(files);
  }

  /// As a client makes it from what it has seen of the library.
  Commit CommitOn(const Library& seen, const ObjectId& root, const std::string& description) {
    Commit commit{.root = root,
                  .library = id_,
                  .creator_name = "ann@example.org",
                  .description = description,
                  .ctime = 1'800'000'000,
                  .parent = seen.head,
                  .library_name = seen.name,
                  .lock = seen.lock};
    commit.id = ClientCommitIdOf(commit);
    EXPECT_THAT(content_->PutCommit({}, id_, commit.id, Render(commit)), IsOk());
    return commit;
  }
  Result<Publication> Publish(const Library& seen, const Files& files,
                              const std::string& description = "Added files.") {
    const Commit commit = CommitOn(seen, Upload(files), description);
    return heads_.Publish({}, author_, id_, commit.id);
  }

  Files Listing() {
    LibraryReader reader(*content_, {}, id_);
    Files files;
    const auto root = reader.ReadDirectory(Now().root).value();
    for (const Dirent& entry : root->Entries()) {
      std::string& content = files[entry.name];
      for (const BlockId& block : reader.ReadFile(entry.id).value().blocks) {
        content +=
            content_->ReadBlock({}, content_->FindBlock({}, id_, block).value().value()).value();
      }
    }
    return files;
  }
  std::vector<Move> History() {
    std::vector<Move> moves;
    const auto page = store::List<Move>(
        store_, {}, {.table = &kMoveTable, .partition = id_.Render(), .limit = 1000});
    EXPECT_THAT(page, IsOk());
    for (const store::Stored<Move>& move : page->records) {
      moves.push_back(move.record);
    }
    return moves;
  }
  std::int64_t SpaceOfAnn() { return CounterAt(kSpaceTable, SpaceKey(ann_.id), kBytesCounter); }
  std::int64_t SpaceOfOrg() {
    return CounterAt(Acquaintances::kOrgSpace, {.partition = org_.Render()}, "bytes");
  }
  /// Puts one more file into the root.
  static Heads::Edit Adding(const std::string& name, const std::string& content) {
    return
        [=](ObjectReader& reader, ObjectWriter& writer, const Library& library) -> Result<Change> {
          ASSIGN_OR_RETURN(const auto root, reader.ReadDirectory(library.root));
          Directory changed = *root;
          RETURN_IF_ERROR(changed.Put(EntryOf(name, content, writer)));
          ASSIGN_OR_RETURN(const ObjectId id, writer.Write(changed));
          return Change{.root = id, .description = "Added \"" + name + "\"."};
        };
  }
  static void ExpectLinear(const std::vector<Move>& moves) {
    for (std::size_t i = 0; i < moves.size(); ++i) {
      EXPECT_EQ(moves[i].number, i + 1);
    }
  }

  Heads heads_{Ground(), *content_, people_, {.waiting = 100}};
  const Author author_{.user = ann_.id, .email = ann_.email};
  LibraryId id_{};
};

}  // namespace atrium::files::testing
