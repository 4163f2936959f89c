// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "store/batch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/testing.h"
#include "store/notes_testing.h"
#include "store/store.h"
#include "store/verify.h"

namespace atrium::store {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::kNotesByFolder;
using testing::kNotesByTag;
using testing::kNoteSlugs;
using testing::Note;
using testing::NoteKey;
using testing::Notes;

class BatchTest : public ::testing::Test, protected testing::NoteStore {
 protected:
  Result<Receipt> Create(const Note& note) {
    Batch batch;
    batch.Create(Notes(), note);
    return store.Commit(op, std::move(batch));
  }

  Result<Receipt> Replace(const Note& note, const std::string& id) {
    ASSIGN_OR_RETURN(const Stored<Note> old, Load(store, op, Notes(), NoteKey(id)));
    Batch batch;
    batch.Replace(Notes(), old, note);
    return store.Commit(op, std::move(batch));
  }

  std::vector<std::string> TitlesIn(const std::string& folder) {
    const auto page = List<Note>(store, op, {.table = &kNotesByFolder, .partition = folder});
    EXPECT_THAT(page, IsOk());
    std::vector<std::string> titles;
    for (const Stored<Note>& note : page->records) {
      titles.push_back(note.record.title);
    }
    return titles;
  }

  std::vector<std::string> IdsTagged(const std::string& tag) {
    const auto page = CollectPage(store, op, {.table = &kNotesByTag, .partition = tag});
    EXPECT_THAT(page, IsOk());
    std::vector<std::string> ids;
    for (const KeyedRow& row : page->rows) {
      ids.push_back(row.key.sort);
    }
    return ids;
  }

  std::string OwnerOf(const std::string& slug) {
    const auto found = FindBy(store, op, Notes(), kNoteSlugs, {.partition = slug});
    EXPECT_THAT(found, IsOk());
    return *found ? (*found)->record.id : "";
  }

  std::vector<std::string> ChangesOf(const std::string& folder) {
    const std::string topic = "folder:" + folder;
    const auto page = ReadChanges(store, op, {.topic = topic});
    EXPECT_THAT(page, IsOk());
    std::vector<std::string> texts;
    for (const Change& change : page->changes) {
      texts.push_back(change.document);
    }
    return texts;
  }

  void ExpectNothingAmiss() {
    const AnyCollection* collections[] = {&Notes()};
    const auto report = Verify(store, op, {.collections = collections}, {});
    ASSERT_THAT(report, IsOk());
    EXPECT_EQ(report->findings, 0U);
  }
};

TEST_F(BatchTest, ARecordComesWithItsIndexRowsAndItsChange) {
  ASSERT_THAT(Create({.id = "1", .folder = "f", .title = "A", .tags = {"x", "y"}, .slug = "a"}),
              IsOk());
  EXPECT_THAT(TitlesIn("f"), ElementsAre("A"));
  EXPECT_THAT(IdsTagged("x"), ElementsAre("1"));
  EXPECT_THAT(IdsTagged("y"), ElementsAre("1"));
  EXPECT_EQ(OwnerOf("a"), "1");
  EXPECT_THAT(ChangesOf("f"),
              ElementsAre(R"({"change":"created","collection":"notes","document":)"
                          R"({"id":"1","folder":"f","title":"A","tags":["x","y"],"slug":"a"}})"));
  ExpectNothingAmiss();
}

TEST_F(BatchTest, ASecondRecordOfTheSameKeyOrUniqueKeyIsAConflict) {
  ASSERT_THAT(Create({.id = "1", .folder = "f", .slug = "a"}), IsOk());
  EXPECT_THAT(Create({.id = "1", .folder = "g"}), FailsWith(ErrorCode::kConflict));
  EXPECT_THAT(Create({.id = "2", .folder = "g", .slug = "a"}), FailsWith(ErrorCode::kConflict));
  EXPECT_THAT(TitlesIn("g"), IsEmpty());
  EXPECT_THAT(ChangesOf("g"), IsEmpty());
}

TEST_F(BatchTest, AReplacementMovesTheIndexRowsThatChange) {
  ASSERT_THAT(Create({.id = "1", .folder = "f", .title = "A", .tags = {"x", "y"}, .slug = "a"}),
              IsOk());
  ASSERT_THAT(
      Replace({.id = "1", .folder = "f", .title = "B", .tags = {"y", "z"}, .slug = "b"}, "1"),
      IsOk());
  EXPECT_THAT(TitlesIn("f"), ElementsAre("B"));
  EXPECT_THAT(IdsTagged("x"), IsEmpty());
  EXPECT_THAT(IdsTagged("z"), ElementsAre("1"));
  EXPECT_EQ(OwnerOf("a"), "");
  EXPECT_EQ(OwnerOf("b"), "1");
  ExpectNothingAmiss();
}

TEST_F(BatchTest, ARecordThatMovedSinceItWasReadIsAConflict) {
  ASSERT_THAT(Create({.id = "1", .folder = "f", .title = "A"}), IsOk());
  const auto read = Load(store, op, Notes(), NoteKey("1"));
  ASSERT_THAT(read, IsOk());
  ASSERT_THAT(Replace({.id = "1", .folder = "f", .title = "B"}, "1"), IsOk());
  Batch batch;
  batch.Replace(Notes(), *read, Note{.id = "1", .folder = "f", .title = "C"});
  EXPECT_THAT(store.Commit(op, std::move(batch)), FailsWith(ErrorCode::kConflict));
  EXPECT_THAT(TitlesIn("f"), ElementsAre("B"));
}

TEST_F(BatchTest, ARecordMayMoveToAnotherKeyAndTopic) {
  ASSERT_THAT(Create({.id = "1", .folder = "f", .title = "A", .tags = {"x"}, .slug = "a"}), IsOk());
  ASSERT_THAT(Replace({.id = "2", .folder = "g", .title = "A", .tags = {"x"}, .slug = "a"}, "1"),
              IsOk());
  EXPECT_THAT(Find(store, op, Notes(), NoteKey("1")), Holds(::testing::Eq(std::nullopt)));
  EXPECT_THAT(TitlesIn("f"), IsEmpty());
  EXPECT_THAT(TitlesIn("g"), ElementsAre("A"));
  EXPECT_EQ(OwnerOf("a"), "2");
  EXPECT_THAT(ChangesOf("f"), ElementsAre(::testing::HasSubstr("created"),
                                          ::testing::HasSubstr(R"("change":"erased")")));
  EXPECT_THAT(ChangesOf("g"), ElementsAre(::testing::HasSubstr("updated")));
  ExpectNothingAmiss();
}

TEST_F(BatchTest, ErasingLeavesNothingButTheChange) {
  ASSERT_THAT(Create({.id = "1", .folder = "f", .tags = {"x"}, .slug = "a"}), IsOk());
  const auto read = Load(store, op, Notes(), NoteKey("1"));
  ASSERT_THAT(read, IsOk());
  Batch batch;
  batch.Erase(Notes(), *read);
  EXPECT_EQ(batch.GetAnswer(), (Answer{.status = 204}));
  ASSERT_THAT(store.Commit(op, std::move(batch)), IsOk());
  EXPECT_THAT(TitlesIn("f"), IsEmpty());
  EXPECT_THAT(IdsTagged("x"), IsEmpty());
  EXPECT_EQ(OwnerOf("a"), "");
  EXPECT_EQ(ChangesOf("f").size(), 2U);
  ExpectNothingAmiss();
}

TEST_F(BatchTest, TwoRecordsMayTradeAUniqueKey) {
  ASSERT_THAT(Create({.id = "1", .folder = "f", .slug = "a"}), IsOk());
  ASSERT_THAT(Create({.id = "2", .folder = "f", .slug = "b"}), IsOk());
  const auto one = Load(store, op, Notes(), NoteKey("1"));
  const auto two = Load(store, op, Notes(), NoteKey("2"));
  Batch batch;
  batch.Replace(Notes(), *one, Note{.id = "1", .folder = "f", .slug = "b"});
  batch.Replace(Notes(), *two, Note{.id = "2", .folder = "f", .slug = "a"});
  ASSERT_THAT(store.Commit(op, std::move(batch)), IsOk());
  EXPECT_EQ(OwnerOf("a"), "2");
  EXPECT_EQ(OwnerOf("b"), "1");
  ExpectNothingAmiss();
}

TEST_F(BatchTest, IndexRowsExpireWithTheirRecord) {
  const Instant soon = clock.Now() + std::chrono::seconds(5);
  ASSERT_THAT(Create({.id = "1", .folder = "f", .tags = {"x"}, .slug = "a", .gone_at = soon}),
              IsOk());
  clock.Advance(std::chrono::seconds(5));
  EXPECT_THAT(TitlesIn("f"), IsEmpty());
  EXPECT_THAT(IdsTagged("x"), IsEmpty());
  EXPECT_THAT(Create({.id = "2", .folder = "f", .slug = "a"}), IsOk());
  ExpectNothingAmiss();
}

TEST_F(BatchTest, UnknownMembersSurviveAReplacement) {
  WriteSet writes;
  writes.mutations.emplace_back(
      Put{.table = &testing::kNoteTable,
          .key = NoteKey("1"),
          .document = R"({"id":"1","folder":"f","title":"A","tags":[],"later":true})"});
  ASSERT_THAT(store.Commit(op, std::move(writes)), IsOk());
  ASSERT_THAT(Replace({.id = "1", .folder = "f", .title = "B"}, "1"), IsOk());
  const auto row = store.Get(op, testing::kNoteTable, NoteKey("1"));
  ASSERT_THAT(row, IsOk());
  EXPECT_EQ((*row)->document, R"({"id":"1","folder":"f","title":"B","tags":[],"later":true})");
}

TEST_F(BatchTest, AListIsJoinedWithoutBeingParsed) {
  ASSERT_THAT(Create({.id = "1", .folder = "f", .title = "A"}), IsOk());
  ASSERT_THAT(Create({.id = "2", .folder = "f", .title = "B"}), IsOk());
  std::string json = R"({"notes":)";
  ASSERT_THAT(ListJson(store, op, {.table = &kNotesByFolder, .partition = "f"}, json), IsOk());
  EXPECT_EQ(json, R"({"notes":[{"id":"1","folder":"f","title":"A","tags":[]},)"
                  R"({"id":"2","folder":"f","title":"B","tags":[]}])");
  json.clear();
  ASSERT_THAT(ListJson(store, op, {.table = &kNotesByFolder, .partition = "none"}, json), IsOk());
  EXPECT_EQ(json, "[]");
}

TEST_F(BatchTest, AListRowHasTheVersionOfItsRecord) {
  ASSERT_THAT(Create({.id = "1", .folder = "f", .title = "A"}), IsOk());
  const auto receipt = Replace({.id = "1", .folder = "f", .title = "A"}, "1");
  const auto page = List<Note>(store, op, {.table = &kNotesByFolder, .partition = "f"});
  EXPECT_EQ(page->records.at(0).version, receipt->version);
}

TEST_F(BatchTest, ACheckHoldsTheCommitToWhatWasRead) {
  ASSERT_THAT(Create({.id = "1", .folder = "f"}), IsOk());
  const auto read = Load(store, op, Notes(), NoteKey("1"));
  ASSERT_THAT(Replace({.id = "1", .folder = "g"}, "1"), IsOk());
  Batch batch;
  batch.Check(Notes(), *read);
  batch.Create(Notes(), Note{.id = "2", .folder = "f"});
  EXPECT_THAT(store.Commit(op, std::move(batch)), FailsWith(ErrorCode::kConflict));
}

TEST_F(BatchTest, AnUnknownRecordIsNotFound) {
  EXPECT_THAT(Load(store, op, Notes(), NoteKey("9")), FailsWith(ErrorCode::kNotFound));
}

TEST(PointerTest, HasItsGoldenBytes) {
  EXPECT_EQ(EncodePointer({.partition = "1"}), R"({"partition":"MQ","sort":""})");
  EXPECT_THAT(DecodePointer(R"({"partition":"MQ","sort":"_w"})"),
              Holds(Key{.partition = "1", .sort = "\xFF"}));
  EXPECT_THAT(DecodePointer(R"({"partition":"?","sort":""})"), FailsWith(ErrorCode::kCorrupt));
}

}  // namespace
}  // namespace atrium::store
