// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/content.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/testing.h"
#include "files/keys.h"
#include "files/library_reader.h"
#include "files/objects.h"
#include "files/packing.h"
#include "files/room_testing.h"
#include "files/tree.h"

namespace atrium::files {
namespace {

using ::testing::Eq;
using ::testing::IsEmpty;
using testing::Noise;
using ::testing::Optional;
using ::testing::SizeIs;

class ContentTest : public testing::RoomTest {
 protected:
  std::vector<store::KeyedRow> RowsOfObjects() {
    std::vector<store::KeyedRow> rows;
    store::FunctionSink sink([&](const store::RowView& row) { rows.push_back(store::Copy(row)); });
    EXPECT_THAT(store_.Walk({}, {.table = &kObjectTable}, sink), IsOk());
    return rows;
  }

  const LibraryId library_{ids_.NewUuid()};
  const LibraryId other_{ids_.NewUuid()};
};

/// A directory whose text does not compress well.
Directory LargeDirectory(int entries) {
  std::vector<Dirent> dirents;
  for (int i = 0; i < entries; ++i) {
    const std::string name = "file-" + std::to_string(i);
    dirents.push_back({.id = ObjectIdOf(name), .name = name, .modifier = "ann@example.org"});
  }
  return Directory::Make(std::move(dirents)).value();
}

TEST_F(ContentTest, AnObjectIsFoundAsItWasPutAndOnlyInItsLibrary) {
  CollectedObjects objects;
  const ObjectId id = objects.Write(LargeDirectory(3)).value();
  ASSERT_THAT(content_->PutObjects({}, library_, objects.Objects()), IsOk());
  const auto found = content_->FindObject({}, library_, id);
  ASSERT_THAT(found, IsOk());
  ASSERT_TRUE(found->has_value());
  EXPECT_EQ(Inflate(**found).value(), objects.Objects().front().text);
  EXPECT_THAT(content_->FindObject({}, other_, id), Holds(Eq(std::nullopt)));
  EXPECT_THAT(content_->HasObject({}, library_, id), Holds(true));
  EXPECT_THAT(content_->HasObject({}, other_, id), Holds(false));
}

TEST_F(ContentTest, ALongObjectIsInSeveralRows) {
  const Directory directory = LargeDirectory(10'000);
  CollectedObjects objects;
  const ObjectId id = objects.Write(directory).value();
  ASSERT_THAT(content_->PutObjects({}, library_, objects.Objects()), IsOk());
  EXPECT_GT(RowsOfObjects().size(), 2U);
  LibraryReader reader(*content_, {}, library_);
  const auto read = reader.ReadDirectory(id);
  ASSERT_THAT(read, IsOk());
  EXPECT_EQ(**read, directory);
}

TEST_F(ContentTest, TwoWaysToCompressOneTextDoNotComeTogether) {
  const std::string text = Render(LargeDirectory(10'000));
  const ObjectId id = ObjectIdOf(text);
  // Content does not look into them, so any other long bytes are another spelling.
  const std::string ours = Deflate(text);
  const std::string theirs = Deflate(Noise(300'000));
  const PackedObject first{.id = id, .deflated = ours};
  const PackedObject second{.id = id, .deflated = theirs};
  ASSERT_THAT(content_->PutObjects({}, library_, std::vector{first}), IsOk());
  ASSERT_THAT(content_->PutObjects({}, library_, std::vector{second}), IsOk());
  EXPECT_THAT(content_->FindObject({}, library_, id), Holds(Optional(Eq(ours))));
}

TEST_F(ContentTest, AnObjectOfWhichOnlyTheFurtherRowsArrivedIsNotThere) {
  CollectedObjects objects;
  const ObjectId id = objects.Write(LargeDirectory(10'000)).value();
  ASSERT_THAT(content_->PutObjects({}, library_, objects.Objects()), IsOk());
  store::WriteSet writes;
  writes.mutations.push_back(store::Erase{.table = &kObjectTable, .key = ObjectKey(library_, id)});
  ASSERT_THAT(store_.Commit({}, std::move(writes)), IsOk());
  EXPECT_THAT(content_->HasObject({}, library_, id), Holds(false));
  ASSERT_THAT(content_->PutObjects({}, library_, objects.Objects()), IsOk());
  LibraryReader reader(*content_, {}, library_);
  EXPECT_THAT(reader.ReadDirectory(id), IsOk());
}

TEST_F(ContentTest, AnObjectThatLostARowIsCorruptAndNotShort) {
  CollectedObjects objects;
  const ObjectId id = objects.Write(LargeDirectory(10'000)).value();
  ASSERT_THAT(content_->PutObjects({}, library_, objects.Objects()), IsOk());
  store::WriteSet writes;
  for (const store::KeyedRow& row : RowsOfObjects()) {
    if (IdOfRow(row.key.sort) == Sha1Id()) {
      writes.mutations.push_back(store::Erase{.table = &kObjectTable, .key = row.key});
      break;
    }
  }
  ASSERT_THAT(store_.Commit({}, std::move(writes)), IsOk());
  EXPECT_THAT(content_->FindObject({}, library_, id), FailsWith(ErrorCode::kCorrupt));
}

TEST_F(ContentTest, ARowWithOtherBytesIsCorrupt) {
  const ObjectId id = ObjectIdOf("what is not stored");
  const std::string deflated = Deflate(Render(LargeDirectory(2)));
  const PackedObject wrong{.id = id, .deflated = deflated};
  ASSERT_THAT(content_->PutObjects({}, library_, std::vector{wrong}), IsOk());
  LibraryReader reader(*content_, {}, library_);
  EXPECT_THAT(reader.ReadDirectory(id), FailsWith(ErrorCode::kCorrupt));
  EXPECT_THAT(reader.ReadFile(ObjectIdOf("nothing")), FailsWith(ErrorCode::kNotFound));
}

TEST_F(ContentTest, AReaderTellsDirectoriesFromFiles) {
  CollectedObjects objects;
  const FileObject file{.blocks = {BlockIdOf("x")}, .size = 1};
  const ObjectId file_id = objects.Write(file).value();
  const ObjectId directory_id = objects.Write(LargeDirectory(1)).value();
  ASSERT_THAT(content_->PutObjects({}, library_, objects.Objects()), IsOk());
  LibraryReader reader(*content_, {}, library_);
  EXPECT_THAT(reader.ReadFile(file_id), Holds(file));
  EXPECT_THAT(reader.ReadDirectory(file_id), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(reader.ReadFile(directory_id), FailsWith(ErrorCode::kInvalidArgument));
}

TEST_F(ContentTest, ACommitIsPutOnceAndNeverChanges) {
  Commit commit{.library = library_, .creator_name = "ann@example.org", .ctime = 1};
  commit.id = ClientCommitIdOf(commit);
  ASSERT_THAT(content_->PutCommit({}, library_, commit.id, Render(commit)), IsOk());
  EXPECT_THAT(content_->PutCommit({}, library_, commit.id, Render(commit)), IsOk());
  EXPECT_THAT(content_->FindCommit({}, library_, commit.id), Holds(Optional(commit)));
  EXPECT_THAT(content_->FindCommit({}, other_, commit.id), Holds(Eq(std::nullopt)));
  commit.parent = commit.id;
  EXPECT_THAT(content_->PutCommit({}, library_, commit.id, Render(commit)),
              FailsWith(ErrorCode::kAlreadyExists));
}

TEST_F(ContentTest, ABlockIsThereInItsLibraryAlone) {
  const std::string bytes = Noise(200'000);
  const BlockId id = BlockIdOf(bytes);
  ASSERT_THAT(content_->PutBlock({}, library_, id, bytes), IsOk());
  ASSERT_THAT(content_->PutBlock({}, library_, id, bytes), IsOk());
  const auto place = content_->FindBlock({}, library_, id);
  ASSERT_THAT(place, IsOk());
  ASSERT_TRUE(place->has_value());
  EXPECT_EQ((*place)->bytes, 200'000);
  EXPECT_THAT(content_->ReadBlock({}, **place), Holds(bytes));
  EXPECT_THAT(content_->OpenBlock({}, **place), IsOk());
  EXPECT_THAT(content_->FindBlock({}, other_, id), Holds(Eq(std::nullopt)));
}

TEST_F(ContentTest, ABlockMayComeInPieces) {
  const std::string bytes = Noise(300'000);
  const BlockId id = BlockIdOf(bytes);
  {
    const auto dropped = content_->BeginBlock({}, library_, id);
    ASSERT_THAT(dropped, IsOk());
    ASSERT_THAT((*dropped)->Write({}, bytes), IsOk());
  }
  EXPECT_THAT(content_->FindBlock({}, library_, id), Holds(Eq(std::nullopt)));
  const auto writer = content_->BeginBlock({}, library_, id);
  ASSERT_THAT(writer, IsOk());
  ASSERT_THAT((*writer)->Write({}, std::string_view(bytes).substr(0, 1000)), IsOk());
  ASSERT_THAT((*writer)->Write({}, std::string_view(bytes).substr(1000)), IsOk());
  ASSERT_THAT((*writer)->Finish({}), IsOk());
  const auto place = content_->FindBlock({}, library_, id);
  ASSERT_THAT(place, IsOk());
  ASSERT_TRUE(place->has_value());
  EXPECT_THAT(content_->ReadBlock({}, **place), Holds(bytes));
}

TEST_F(ContentTest, ABlockUnderAnotherNameIsRefusedAndNotKept) {
  EXPECT_THAT(content_->PutBlock({}, library_, BlockIdOf("yes"), "no"),
              FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(content_->FindBlock({}, library_, BlockIdOf("yes")), Holds(Eq(std::nullopt)));
  EXPECT_EQ(blobs_->Statistics().count, 0U);
}

TEST_F(ContentTest, NotesOfBlobsLeadBackToTheRowsOfTheirBlocks) {
  const std::string small = Noise(1000);
  const std::string large = Noise(300'000, 2);
  ASSERT_THAT(content_->PutBlock({}, library_, BlockIdOf(small), small), IsOk());
  ASSERT_THAT(content_->PutBlock({}, library_, BlockIdOf(large), large), IsOk());
  ASSERT_THAT(blobs_->Put({}, "of somebody else", {.note = "chat"}), IsOk());
  // The blobs come up with a store that has lost what no commit followed.
  blobs_.reset();
  engines::MemoryEngine engine(clock_);
  store::Store store(engine, clock_);
  std::vector<blobs::NotedBlob> recovered;
  auto blobs =
      blobs::LocalBlobs::Open({.folder = folder_.Path() / "blobs",
                               .reserve_bytes = 0,
                               .recovered =
                                   [&](std::span<const blobs::NotedBlob> some) {
                                     recovered.insert(recovered.end(), some.begin(), some.end());
                                     return Result<void>();
                                   }},
                              {.store = store, .clock = clock_, .ids = ids_});
  ASSERT_THAT(blobs, IsOk());
  ASSERT_THAT(recovered, SizeIs(3));
  Content content(store, **blobs);
  ASSERT_THAT(Content::Recover(store, {}, recovered), IsOk());
  ASSERT_THAT(Content::Recover(store, {}, recovered), IsOk());
  for (const std::string& bytes : {small, large}) {
    const auto place = content.FindBlock({}, library_, BlockIdOf(bytes));
    ASSERT_THAT(place, IsOk());
    ASSERT_TRUE(place->has_value());
    EXPECT_THAT(content.ReadBlock({}, **place), Holds(bytes));
  }
}

TEST_F(ContentTest, NothingToRecoverWritesNothing) {
  EXPECT_THAT(Content::Recover(store_, {}, {}), IsOk());
  EXPECT_THAT(RowsOfObjects(), IsEmpty());
}

}  // namespace
}  // namespace atrium::files
