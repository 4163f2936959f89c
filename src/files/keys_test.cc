// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/hex.h"
#include "base/testing.h"
#include "files/events.h"
#include "files/transfer_records.h"
#include "store/record.h"
#include "store/schema.h"

namespace atrium::files {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Golden bytes: what a release has written, every later one reads.

/// The documents of docs/formats/files.md, in their order.
std::vector<std::string> Documents() {
  std::ifstream file(ATRIUM_SOURCE_DIR "/docs/formats/files.md");
  std::vector<std::string> documents;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('{')) {
      documents.push_back(line);
    }
  }
  return documents;
}

enum Place : std::size_t {
  kLibrary,
  kMove,
  kObject,
  kBlock,
  kToken,
  kTokenOfDevice,
  kTransfer,
  kAll
};

std::string Golden(Place place) {
  const std::vector<std::string> documents = Documents();
  EXPECT_THAT(documents, SizeIs(kAll));
  return documents.size() == kAll ? documents[place] : std::string();
}

/// Reads the bytes, writes them again, and answers "<partition>/<sort>".
template <typename T>
std::string Check(const store::Collection<T>& collection, Place place) {
  const std::string golden = Golden(place);
  const auto read = store::DecodeRecord<T>(golden, {});
  EXPECT_THAT(read, IsOk()) << golden;
  if (!read) {
    return {};
  }
  EXPECT_EQ(store::EncodeRecord(read->record), golden);
  EXPECT_THAT(read->unknown, IsEmpty());
  const store::Key key = collection.KeyOf(read->record);
  return key.partition + "/" + key.sort;
}

/// "<table>/<partition>/<sort in hexadecimal digits>" for each row that follows.
template <typename T>
std::vector<std::string> IndexKeys(const store::Collection<T>& collection, Place place) {
  const std::string golden = Golden(place);
  const auto read = store::DecodeRecord<T>(golden, {});
  std::vector<std::string> keys;
  for (const store::IndexRow& row : collection.RowsOf(read->record, golden)) {
    keys.push_back(std::string(row.table->name) + "/" + row.key.partition + "/" +
                   EncodeHex(row.key.sort));
  }
  return keys;
}

constexpr const char* kLibraryId = "00000000-0000-4000-8000-000000000001";

constexpr const char* kAnnId = "00000000-0000-4000-8000-000000000003";

Library GoldenLibrary() {
  return store::DecodeRecord<Library>(Golden(kLibrary), {}).value().record;
}

TEST(FilesKeysTest, LibrariesAreAsTheyAlwaysWere) {
  EXPECT_EQ(Check(Libraries(), kLibrary), std::string(kLibraryId) + "/");
  EXPECT_THAT(IndexKeys(Libraries(), kLibrary),
              ElementsAre("default_libraries/" + std::string(kAnnId) + "/",
                          "libraries_by_owner/" + std::string(kAnnId) + "/" +
                              EncodeHex("live:" + std::string(kLibraryId))));
}

TEST(FilesKeysTest, ALibraryInTheTrashIsInTheListsOfTheTrash) {
  Library library = GoldenLibrary();
  library.default_of.reset();
  library.deleted_at = ParseInstant("2027-01-15T08:00:00Z").value();
  library.erase_at = ParseInstant("2027-02-14T08:00:00Z").value();
  std::vector<std::string> keys;
  for (const store::IndexRow& row : Libraries().RowsOf(library, "{}")) {
    keys.push_back(std::string(row.table->name) + "/" + row.key.sort.substr(0, 6));
  }
  EXPECT_THAT(
      keys, ElementsAre("libraries_by_owner/trash:", ::testing::StartsWith("libraries_to_erase/")));
}

TEST(FilesKeysTest, MovesAreAsTheyAlwaysWere) {
  EXPECT_EQ(Check(Moves(), kMove),
            std::string(kLibraryId) + "/" + std::string("\0\0\0\0\0\0\0\x07", 8));
  EXPECT_THAT(IndexKeys(Moves(), kMove),
              ElementsAre("library_moves_by_commit/" + std::string(kLibraryId) + "/" +
                          std::string(40, '3')));
}

TEST(FilesKeysTest, RowsOfContentAreAsTheyAlwaysWere) {
  const auto object = store::DecodeRecord<ObjectPiece>(Golden(kObject), {});
  ASSERT_THAT(object, IsOk());
  EXPECT_EQ(store::EncodeRecord(object->record), Golden(kObject));
  const auto block = store::DecodeRecord<BlockPlace>(Golden(kBlock), {});
  ASSERT_THAT(block, IsOk());
  EXPECT_EQ(store::EncodeRecord(block->record), Golden(kBlock));
}

TEST(FilesKeysTest, TokensAreAsTheyAlwaysWere) {
  EXPECT_EQ(Check(SyncTokens(), kToken), "ab12/");
  EXPECT_EQ(Check(SyncTokens(), kTokenOfDevice), "ab12/");
  EXPECT_THAT(IndexKeys(SyncTokens(), kToken),
              ElementsAre("sync_tokens_by_library/" + std::string(kLibraryId) + "/" +
                          EncodeHex(std::string(kAnnId) + "ab12")));
}

TEST(FilesKeysTest, ContentLiesWhereItAlwaysLay) {
  const LibraryId library = LibraryId::Parse(kLibraryId).value();
  const std::string text = "ab" + std::string(38, '1');
  const std::string partition = "00000000000040008000000000000001ab";
  const store::Key commit = CommitKey(library, CommitId::Parse(text).value());
  EXPECT_EQ(EncodeHex(commit.partition), partition);
  EXPECT_EQ(EncodeHex(commit.sort), text);
  const ObjectId object = ObjectId::Parse(text).value();
  EXPECT_EQ(ObjectKey(library, object), commit);
  EXPECT_EQ(BlockKey(library, BlockId::Parse(text).value()), commit);
  const store::Key piece = ObjectPieceKey(library, object, "spelling", 2);
  EXPECT_EQ(EncodeHex(piece.partition), partition);
  EXPECT_EQ(EncodeHex(piece.sort), text + "7370656c6c696e67" + "0000000000000002");
  EXPECT_EQ(IdOfRow(commit.sort), object.value());
  EXPECT_EQ(IdOfRow(piece.sort), Sha1Id());
}

TEST(FilesKeysTest, ChangesSayWhichLibraryAndWhichCommit) {
  const Library library = GoldenLibrary();
  Library trashed = library;
  trashed.deleted_at = library.created_at;
  const std::string data = R"(","data":{"library_id":"00000000-0000-4000-8000-000000000001",)"
                           R"("commit_id":"1111111111111111111111111111111111111111"}})";
  using store::ChangeKind;
  EXPECT_EQ(DescribeLibrary({.kind = ChangeKind::kCreated, .record = library}),
            R"({"event":"library_added)" + data);
  EXPECT_EQ(DescribeLibrary({.kind = ChangeKind::kUpdated, .record = library, .before = &library}),
            R"({"event":"library_updated)" + data);
  EXPECT_EQ(DescribeLibrary({.kind = ChangeKind::kUpdated, .record = trashed, .before = &library}),
            R"({"event":"library_deleted)" + data);
  EXPECT_EQ(DescribeLibrary({.kind = ChangeKind::kUpdated, .record = library, .before = &trashed}),
            R"({"event":"library_added)" + data);
  EXPECT_EQ(DescribeLibrary({.kind = ChangeKind::kErased, .record = library}),
            R"({"event":"library_deleted)" + data);
}

TEST(FilesKeysTest, TheTablesHaveNumbersFrom140To166) {
  store::Schema schema;
  for (const store::Table* table : BareTables()) {
    EXPECT_THAT(schema.Add(*table), IsOk());
  }
  for (const store::AnyCollection* collection : Collections()) {
    EXPECT_THAT(schema.Add(collection->Base()), IsOk());
    for (const store::Table* index : collection->Indexes()) {
      EXPECT_THAT(schema.Add(*index), IsOk());
    }
  }
  ASSERT_THAT(schema.Tables(), SizeIs(17));
  EXPECT_EQ(schema.Tables().front()->number, 140);
  EXPECT_EQ(schema.Tables().back()->number, 166);
}

TEST(FilesKeysTest, TransfersAreListedUntilTheirEnd) {
  constexpr const char* kId = "00000000-0000-4000-8000-000000000005";
  EXPECT_EQ(Check(Transfers(), kTransfer), std::string(kId) + "/");
  EXPECT_THAT(IndexKeys(Transfers(), kTransfer),
              ElementsAre("open_transfers/all/" + EncodeHex(kId)));
  Transfer done = store::DecodeRecord<Transfer>(Golden(kTransfer), {}).value().record;
  done.state = TransferState::kDone;
  EXPECT_THAT(Transfers().RowsOf(done, ""), IsEmpty());
}

}  // namespace
}  // namespace atrium::files
