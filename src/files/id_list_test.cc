// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/id_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "base/testing.h"
#include "files/objects.h"
#include "files/room_testing.h"
#include "files/tree.h"

namespace atrium::files {
namespace {

class IdListTest : public testing::RoomTest {
 protected:
  ObjectId Folder(std::vector<Dirent> entries) {
    CollectedObjects objects;
    const ObjectId id = objects.Write(Directory::Make(std::move(entries)).value()).value();
    EXPECT_THAT(content_->PutObjects({}, library_, objects.Objects()), IsOk());
    return id;
  }
  static Dirent File(const std::string& name) {
    return {.id = ObjectIdOf(name), .name = name, .modifier = "ann", .size = 1};
  }
  static Dirent Sub(const std::string& name, const ObjectId& id) {
    return {.id = id, .mode = kDirectoryMode, .name = name};
  }
  std::string ListOf(WantedIds wanted) {
    wanted.library = library_;
    IdList list(*content_, wanted);
    std::string all;
    while (true) {
      const auto piece = list.Next();
      EXPECT_THAT(piece, IsOk());
      if (!piece || !*piece) {
        return all;
      }
      EXPECT_LT((*piece)->size(), 40'000U);
      all += **piece;
    }
  }
  static std::string Quoted(const ObjectId& id) { return "\"" + id.Render() + "\""; }

  const LibraryId library_{ids_.NewUuid()};
};

TEST_F(IdListTest, EqualRootsHaveNothingToSend) {
  const ObjectId root = Folder({File("a")});
  EXPECT_EQ(ListOf({.has = root, .wants = root}), "[]");
  EXPECT_EQ(ListOf({}), "[]");
  EXPECT_EQ(ListOf({.has = root}), "[]");
}

TEST_F(IdListTest, WhoHasNothingNeedsEverythingButWhatIsEmpty) {
  const ObjectId inner = Folder({File("b")});
  const Dirent empty{.id = {}, .name = "empty", .modifier = "ann"};
  const ObjectId root = Folder({File("a"), Sub("folder", inner), Sub("bare", {}), empty});
  EXPECT_EQ(ListOf({.wants = root}), "[" + Quoted(root) + "," + Quoted(inner) + "," +
                                         Quoted(ObjectIdOf("b")) + "," + Quoted(ObjectIdOf("a")) +
                                         "]");
  EXPECT_EQ(ListOf({.wants = root, .folders_only = true}),
            "[" + Quoted(root) + "," + Quoted(inner) + "]");
}

TEST_F(IdListTest, WhatTheClientHasIsNotSentAgain) {
  const ObjectId same = Folder({File("b")});
  const ObjectId before = Folder({File("a"), Sub("same", same), File("gone")});
  const ObjectId after = Folder({File("a"), Sub("same", same), File("new")});
  EXPECT_EQ(ListOf({.has = before, .wants = after}),
            "[" + Quoted(after) + "," + Quoted(ObjectIdOf("new")) + "]");
}

TEST_F(IdListTest, ALongListComesInPieces) {
  std::vector<Dirent> files;
  for (int i = 0; i < 5000; ++i) {
    files.push_back(File("file " + std::to_string(i)));
  }
  const ObjectId root = Folder(std::move(files));
  EXPECT_EQ(ListOf({.wants = root}).size(), 1 + (5001 * 43));
}

TEST_F(IdListTest, AMissingFolderBreaksTheListOff) {
  const ObjectId root = Folder({Sub("lost", ObjectIdOf("nothing"))});
  IdList list(*content_, {.library = library_, .wants = root});
  EXPECT_THAT(list.Next(), FailsWith(ErrorCode::kNotFound));
}

}  // namespace
}  // namespace atrium::files
