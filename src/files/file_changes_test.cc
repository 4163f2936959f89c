// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/file_changes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/testing.h"
#include "files/entry_list.h"
#include "files/file_writer.h"
#include "files/folder_reader.h"
#include "files/libraries.h"
#include "files/room_testing.h"

namespace atrium::files {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

TreePath Path(std::string_view text) {
  return TreePath::Parse(text).value_or(TreePath());
}

class FileChangesTest : public testing::RoomTest {
 protected:
  FileChangesTest() {
    auto made = libraries_.Create({}, ann_, {.name = "Work"});
    EXPECT_THAT(made, IsOk());
    library_ = made->record.id;
  }

  ChangeOf Of() const { return {.person = ann_, .library = library_}; }

  ArrivedFile Arrive(std::string_view path, std::string_view bytes) {
    FileWriter writer(*content_, library_, nullptr);
    EXPECT_THAT(writer.Write({}, bytes), IsOk());
    const TreePath parsed = Path(path);
    return {.folder = parsed.Parent(), .name = parsed.Name(), .content = *writer.Finish({})};
  }
  void Put(std::string_view path, std::string_view bytes, OnTaken taken = OnTaken::kReplace) {
    const ArrivedFile file = Arrive(path, bytes);
    EXPECT_THAT(changes_.Put({}, Of(), {&file, 1}, taken), IsOk());
  }

  /// Each entry as "folder name", as a list tells them.
  std::vector<std::string> List(std::string_view path, bool is_recursive = false) {
    const auto folder = folders_.FindFolder({}, ann_, library_, Path(path));
    EXPECT_THAT(folder, IsOk());
    std::vector<std::string> entries;
    auto list = EntryList::Open(
        *content_, {},
        {.library = library_,
         .folder = folder->entry.id,
         .path = Path(path).Render(),
         .is_recursive = is_recursive,
         .append = [&](std::string& /*out*/, const Dirent& entry, std::string_view where) {
           entries.push_back(std::string(where) + " " + entry.name);
         }});
    EXPECT_THAT(list, IsOk());
    for (auto piece = (*list)->Next(); piece && *piece; piece = (*list)->Next()) {
    }
    return entries;
  }
  Library Now() {
    auto found = Enter(store_, {}, ann_, library_, Permission::kRead);
    EXPECT_THAT(found, IsOk());
    return found->library.record;
  }

  Heads heads_{Ground(), *content_, people_};
  LibraryService libraries_{Ground(), heads_, people_};
  FileChanges changes_{Ground(), heads_};
  FolderReader folders_{store_, *content_};
  LibraryId library_{};
};

TEST_F(FileChangesTest, FilesThatArriveTogetherAreOneMove) {
  const std::vector<ArrivedFile> files{Arrive("/one/two/a", "aa"), Arrive("/b", "b")};
  const auto put = changes_.Put({}, Of(), files, OnTaken::kRename);
  ASSERT_THAT(put, IsOk());
  EXPECT_EQ(put->front().entry.name, "a");
  EXPECT_EQ(Now().moves, 2U);
  EXPECT_EQ(Now().bytes, 3);
  EXPECT_EQ(Now().files, 2);
  EXPECT_THAT(List("/", true), UnorderedElementsAre("/ one", "/one two", "/one/two a", "/ b"));
  EXPECT_EQ(Defects(), 0U);
}

TEST_F(FileChangesTest, ATakenNameIsReplacedOrNumbered) {
  Put("/a.txt", "1");
  Put("/a.txt", "2", OnTaken::kRename);
  Put("/a.txt", "33", OnTaken::kReplace);
  EXPECT_THAT(List("/"), ElementsAre("/ a (1).txt", "/ a.txt"));
  const auto found = folders_.FindFile({}, ann_, library_, Path("/a.txt"));
  ASSERT_THAT(found, IsOk());
  EXPECT_EQ(found->entry.size, 2);
  EXPECT_EQ(found->entry.modifier, ann_.email);
}

TEST_F(FileChangesTest, WhatReplacesAFileKeepsItsRightToBeExecuted) {
  Put("/run", "1");
  ASSERT_THAT(heads_.Apply({}, {.user = ann_.id, .email = ann_.email}, library_,
                           [](ObjectReader& reader, ObjectWriter& writer,
                              const Library& library) -> Result<Change> {
                             ASSIGN_OR_RETURN(const auto root, reader.ReadDirectory(library.root));
                             Directory changed = *root;
                             Dirent entry = changed.Entries().front();
                             entry.mode = kExecutableMode;
                             RETURN_IF_ERROR(changed.Put(entry));
                             ASSIGN_OR_RETURN(const ObjectId id, writer.Write(changed));
                             return Change{.root = id, .description = "chmod"};
                           }),
              IsOk());
  Put("/run", "2");
  EXPECT_EQ(folders_.FindFile({}, ann_, library_, Path("/run"))->entry.mode, kExecutableMode);
  const ArrivedFile third = Arrive("/run", "3");
  EXPECT_EQ(changes_.Update({}, Of(), Path("/run"), third.content)->mode, kExecutableMode);
}

TEST_F(FileChangesTest, NewContentNeedsAFileThatIsThere) {
  const ArrivedFile file = Arrive("/a", "1");
  EXPECT_THAT(changes_.Update({}, Of(), Path("/a"), file.content), FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(changes_.Update({}, Of(), Path("/"), file.content),
              FailsWith(ErrorCode::kInvalidArgument));
}

TEST_F(FileChangesTest, SeveralRemovalsHappenTogetherOrNotAtAll) {
  Put("/a", "1");
  Put("/b", "2");
  const std::vector<TreePath> both{Path("/a"), Path("/nothing")};
  EXPECT_THAT(changes_.Remove({}, Of(), both), FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(List("/"), ElementsAre("/ a", "/ b"));
  EXPECT_THAT(changes_.Remove({}, Of(), std::vector{Path("/a"), Path("/b")}), IsOk());
  EXPECT_THAT(List("/"), IsEmpty());
  EXPECT_EQ(Now().bytes, 0);
  EXPECT_THAT(changes_.Remove({}, Of(), {}), FailsWith(ErrorCode::kInvalidArgument));
}

TEST_F(FileChangesTest, EntriesAreMovedCopiedAndLeftOutWhereTheirNameIsTaken) {
  Put("/a", "1");
  Put("/folder/a", "22");
  ASSERT_THAT(changes_.Copy({}, Of(),
                            {.from = {Path("/a")}, .folder = Path("/folder"), .skip_taken = true}),
              IsOk());
  EXPECT_THAT(List("/folder"), ElementsAre("/folder a"));
  const auto copied = changes_.Copy({}, Of(), {.from = {Path("/a")}, .folder = Path("/folder")});
  ASSERT_THAT(copied, IsOk());
  EXPECT_EQ(copied->front().entry.name, "a (1)");
  ASSERT_THAT(
      changes_.Move({}, Of(),
                    {.from = {Path("/a")}, .folder = Path("/folder"), .taken = OnTaken::kReplace}),
      IsOk());
  EXPECT_THAT(List("/", true), UnorderedElementsAre("/ folder", "/folder a", "/folder a (1)"));
  EXPECT_EQ(Now().bytes, 2);
  EXPECT_EQ(Now().files, 2);
}

TEST_F(FileChangesTest, StrangersFindNothingAndReadersChangeNothing) {
  const Person bob = people_.Add("bob", org_);
  EXPECT_THAT(
      changes_.MakeFolder({}, {.person = bob, .library = library_}, Path("/x"), OnTaken::kRefuse),
      FailsWith(ErrorCode::kNotFound));
  Person reader = ann_;
  reader.may_write = false;
  EXPECT_THAT(changes_.MakeFolder({}, {.person = reader, .library = library_}, Path("/x"),
                                  OnTaken::kRefuse),
              FailsWith(ErrorCode::kPermissionDenied));
  EXPECT_THAT(List("/"), IsEmpty());
}

TEST_F(FileChangesTest, ALibraryThatWasGivenAwayIsNotChanged) {
  const Person bob = people_.Add("bob", org_);
  Put("/a", "1");
  ASSERT_THAT(libraries_.Transfer({}, ann_, library_, bob.id), IsOk());
  EXPECT_THAT(changes_.MakeFolder({}, Of(), Path("/x"), OnTaken::kRefuse),
              FailsWith(ErrorCode::kNotFound));
}

TEST_F(FileChangesTest, ManyThreadsLoseNothing) {
  constexpr int kThreads = 8;
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (int number = 0; number < kThreads; ++number) {
    threads.emplace_back([this, number] {
      for (int i = 0; i < 4; ++i) {
        Put("/folder/" + std::to_string(number) + "-" + std::to_string(i), "x");
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(List("/folder").size(), 32U);
  EXPECT_EQ(Now().files, 32);
}

TEST_F(FileChangesTest, FoldersAreSummedUpToALimit) {
  Put("/one/a", "12345");
  Put("/one/two/b", "12345");
  const auto folder = folders_.FindFolder({}, ann_, library_, Path("/one"));
  ASSERT_THAT(folder, IsOk());
  const auto sums = folders_.Sum({}, library_, folder->entry.id, 100);
  ASSERT_THAT(sums, IsOk());
  EXPECT_EQ(sums->bytes, 10);
  EXPECT_EQ(sums->files, 2);
  EXPECT_EQ(sums->folders, 1);
  EXPECT_THAT(folders_.Sum({}, library_, folder->entry.id, 2),
              FailsWith(ErrorCode::kLimitExceeded));
  EXPECT_THAT(folders_.FindFile({}, ann_, library_, Path("/one")), FailsWith(ErrorCode::kNotFound));
}

TEST_F(FileChangesTest, ErasedFromTheTrashALibraryIsNotRestored) {
  EXPECT_THAT(libraries_.Erase({}, ann_, library_), FailsWith(ErrorCode::kRefusedByState));
  ASSERT_THAT(libraries_.Delete({}, ann_, library_), IsOk());
  ASSERT_THAT(libraries_.Erase({}, ann_, library_), IsOk());
  EXPECT_THAT(libraries_.Restore({}, ann_, library_), FailsWith(ErrorCode::kRefusedByState));
}

}  // namespace
}  // namespace atrium::files
