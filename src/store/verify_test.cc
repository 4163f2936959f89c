// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "store/verify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stop_token>
#include <string>
#include <vector>

#include "base/testing.h"
#include "store/notes_testing.h"

namespace atrium::store {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::kNotesByFolder;
using testing::kNotesByTag;
using testing::kNoteSlugs;
using testing::kNoteTable;
using testing::Note;
using testing::NoteKey;
using testing::Notes;
using Mode = VerifyOptions::Mode;

constexpr Table kPlain{.number = 910, .name = "plain"};

/// Each test breaks a healthy store in one way.
class VerifyTest : public ::testing::Test, protected testing::NoteStore {
 protected:
  VerifyTest() {
    for (const char* id : {"1", "2"}) {
      Batch batch;
      batch.Create(Notes(),
                   Note{.id = id, .folder = "f", .tags = {"x"}, .slug = std::string("s") + id});
      EXPECT_THAT(store.Commit(op, std::move(batch)), IsOk());
    }
  }

  void Break(Mutation mutation) {
    ASSERT_THAT(engine.Commit(op, {.mutations = {std::move(mutation)}}), IsOk());
  }

  std::vector<std::string> Findings(Mode mode = Mode::kReport) {
    std::vector<std::string> found;
    const AnyCollection* collections[] = {&Notes()};
    const Table* tables[] = {&kNoteTable, &kNoteSlugs, &kChanges, &kPlain};
    report_ = Verify(store, op, {.collections = collections, .tables = tables},
                     {.mode = mode,
                      .found =
                          [&](const Finding& finding) {
                            found.push_back(std::string(Name(finding.defect)) + " " +
                                            std::string(finding.table->name) + " " +
                                            finding.key.partition + "/" + finding.key.sort + " " +
                                            finding.remedy);
                          }})
                  .value_or(VerifyReport());
    return found;
  }

  VerifyReport report_;
};

TEST_F(VerifyTest, AHealthyStoreHasNoFindings) {
  EXPECT_THAT(Findings(), IsEmpty());
  // Two records with three index rows each, and a log of two with its head.
  EXPECT_EQ(report_.rows, 11U);
}

TEST_F(VerifyTest, EndsEarlyWhenItIsAskedTo) {
  std::stop_source stop;
  stop.request_stop();
  const AnyCollection* collections[] = {&Notes()};
  EXPECT_THAT(Verify(store, op, {.collections = collections}, {.stop = stop.get_token()}),
              FailsWith(ErrorCode::kUnavailable));
}

TEST_F(VerifyTest, AMissingIndexRowIsWrittenAgain) {
  Break(Erase{.table = &kNotesByFolder, .key = {.partition = "f", .sort = "1"}});
  const auto expected = ElementsAre("index_missing notes_by_folder f/1 write the row again");
  EXPECT_THAT(Findings(), expected);
  EXPECT_THAT(Findings(Mode::kRepair), expected);
  EXPECT_EQ(report_.repaired, 1U);
  EXPECT_THAT(Findings(), IsEmpty());
}

TEST_F(VerifyTest, AMissingUniqueRowIsWrittenAgain) {
  Break(Erase{.table = &kNoteSlugs, .key = {.partition = "s1"}});
  EXPECT_THAT(Findings(Mode::kRepair),
              ElementsAre("index_missing note_slugs s1/ write the row again"));
  EXPECT_THAT(Findings(), IsEmpty());
}

TEST_F(VerifyTest, AnOutdatedListRowIsWrittenAgain) {
  Break(Put{.table = &kNotesByFolder,
            .key = {.partition = "f", .sort = "1"},
            .document = R"({"id":"1","folder":"f","title":"old","tags":["x"],"slug":"s1"})"});
  EXPECT_THAT(Findings(Mode::kRepair),
              ElementsAre("index_outdated notes_by_folder f/1 write the row again"));
  EXPECT_THAT(Findings(), IsEmpty());
}

TEST_F(VerifyTest, AnIndexRowWithoutRecordIsErased) {
  Break(Put{.table = &kNotesByTag,
            .key = {.partition = "x", .sort = "9"},
            .document = EncodePointer(NoteKey("9"))});
  EXPECT_THAT(Findings(Mode::kRepair),
              ElementsAre("index_orphaned notes_by_tag x/9 erase the row"));
  EXPECT_THAT(Findings(), IsEmpty());
}

TEST_F(VerifyTest, AnIndexRowItsRecordDoesNotHaveIsErased) {
  Break(Put{.table = &kNoteSlugs,
            .key = {.partition = "stale"},
            .document = EncodePointer(NoteKey("1"))});
  EXPECT_THAT(Findings(Mode::kRepair),
              ElementsAre("index_orphaned note_slugs stale/ erase the row"));
  EXPECT_THAT(Findings(), IsEmpty());
}

TEST_F(VerifyTest, AnIndexRowThatDoesNotDecodeIsErased) {
  Break(Put{.table = &kNoteSlugs, .key = {.partition = "odd"}, .document = "{}"});
  EXPECT_THAT(Findings(Mode::kRepair), ElementsAre("index_orphaned note_slugs odd/ erase the row"));
  EXPECT_THAT(Findings(), IsEmpty());
}

TEST_F(VerifyTest, AUniqueKeyTwoRecordsClaimIsLeftToPeople) {
  Break(Put{
      .table = &kNoteSlugs, .key = {.partition = "s1"}, .document = EncodePointer(NoteKey("2"))});
  EXPECT_THAT(Findings(Mode::kRepair), ElementsAre("unique_contested note_slugs s1/ ",
                                                   "index_orphaned note_slugs s1/ erase the row"));
  EXPECT_THAT(Findings(Mode::kRepair),
              ElementsAre("index_missing note_slugs s1/ write the row again"));
  EXPECT_THAT(Findings(), IsEmpty());
}

TEST_F(VerifyTest, ARecordThatDoesNotDecodeIsLeftToPeople) {
  Break(Put{.table = &kNoteTable, .key = NoteKey("1"), .document = R"({"id":7})"});
  EXPECT_THAT(Findings(Mode::kRepair), ElementsAre("unreadable notes 1/ "));
  EXPECT_EQ(report_.repaired, 0U);
}

TEST_F(VerifyTest, ARecordInTheWrongPlaceIsLeftToPeople) {
  Break(Put{.table = &kNoteTable,
            .key = NoteKey("3"),
            .document = R"({"id":"4","folder":"f","title":"","tags":[]})"});
  EXPECT_THAT(Findings(Mode::kRepair), ElementsAre("misplaced notes 3/ "));
}

TEST_F(VerifyTest, ADocumentThatIsNoJsonIsFoundInEveryTable) {
  Break(Put{.table = &kPlain, .key = {.partition = "p"}, .document = "{"});
  EXPECT_THAT(Findings(), ElementsAre("unreadable plain p/ "));
}

TEST_F(VerifyTest, ANumberThatALogNeverGaveIsFound) {
  Break(Put{.table = &kChanges,
            .key = {.partition = "folder:f", .sort = SequenceKey(3)},
            .document = "{}"});
  EXPECT_THAT(Findings(), ElementsAre(::testing::StartsWith("log_disordered changes folder:f/")));
}

}  // namespace
}  // namespace atrium::store
