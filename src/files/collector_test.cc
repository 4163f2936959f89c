// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/collector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "base/testing.h"
#include "files/blob_sweep.h"
#include "files/condemned.h"
#include "files/heads_testing.h"
#include "files/kept_history.h"
#include "files/keys.h"
#include "files/libraries.h"
#include "files/objects.h"
#include "files/sync_tokens.h"
#include "store/store.h"

namespace atrium::files {
namespace {

using std::chrono::days;
using std::chrono::hours;
using ::testing::ElementsAre;
using testing::Files;
using testing::HeadsTest;
using ::testing::IsEmpty;
using testing::Noise;
using ::testing::Pair;
using ::testing::SizeIs;

class CollectorTest : public HeadsTest {
 protected:
  Collection Collect(const CollectionOptions& options = {}) {
    const auto done = collector_.Collect(options, {});
    EXPECT_THAT(done, IsOk());
    return done.value_or(Collection());
  }
  /// As often as it takes: condemned first, removed a grace period later.
  Collection CollectInTime() {
    Collect();
    clock_.Advance(kGrace + hours(1));
    Collect();
    clock_.Advance(kGrace + hours(1));
    return Collect();
  }
  std::uint64_t CountRows(const store::Table& table) {
    std::uint64_t count = 0;
    store::FunctionSink sink([&](const store::RowView&) { ++count; });
    EXPECT_THAT(store_.Walk({}, {.table = &table, .limit = 10'000}, sink), IsOk());
    return count;
  }
  void KeepDays(int kept) {
    EXPECT_THAT(libraries_.Update({}, ann_, id_, {.keep_days = kept}), IsOk());
  }
  bool Vouches(const std::string& block) {
    return content_->VouchesForBlock({}, id_, BlockIdOf(block)).value();
  }

  LibraryService libraries_{Ground(), heads_, people_};
  SyncTokenService tokens_{Ground(), people_, SecretKey{std::byte{1}}};
  PartialUploads uploads_{folder_.Path() / "uploads", clock_};
  Collector collector_{{.ground = Ground(),
                        .blobs = *blobs_,
                        .content = *content_,
                        .heads = heads_,
                        .people = people_,
                        .uploads = uploads_}};
};

TEST_F(CollectorTest, WhatAStateNamesStays) {
  ASSERT_THAT(Publish(Now(), {{"a", "alto"}, {"b", "bass"}}), IsOk());
  ASSERT_THAT(Publish(Now(), {{"a", "alto again"}}, "Changed."), IsOk());
  ASSERT_THAT(Publish(Now(), {}, "Removed."), IsOk());
  clock_.Advance(days(1000));
  const Collection done = CollectInTime();
  EXPECT_EQ(done.libraries, 1U);
  EXPECT_EQ(done.commits, Amount());
  EXPECT_EQ(done.objects, Amount());
  EXPECT_EQ(done.blocks, Amount());
  EXPECT_EQ(done.waiting, Amount());
  EXPECT_EQ(done.blobs, Amount());
  EXPECT_THAT(done.damaged, IsEmpty());
  for (const Move& move : History()) {
    EXPECT_TRUE(content_->FindCommit({}, id_, move.commit).value().has_value());
  }
  EXPECT_TRUE(Vouches("bass"));
}

TEST_F(CollectorTest, WhatWasNeverPublishedGoesWhenItsTimeIsOver) {
  ASSERT_THAT(Publish(Now(), {{"a", "alto"}}), IsOk());
  Upload({{"b", "bass"}});
  const Collection young = Collect();
  EXPECT_EQ(young.waiting.count, 3U);
  EXPECT_TRUE(Vouches("bass"));

  clock_.Advance(kGrace + hours(1));
  EXPECT_EQ(Collect().waiting.count, 3U);
  // Still there, but nobody is to rely on it.
  EXPECT_FALSE(Vouches("bass"));
  EXPECT_TRUE(content_->FindBlock({}, id_, BlockIdOf("bass")).value().has_value());

  clock_.Advance(kGrace - hours(1));
  EXPECT_EQ(Collect().blocks.count, 0U);
  clock_.Advance(hours(2));
  const Collection gone = Collect();
  EXPECT_EQ(gone.blocks, (Amount{.count = 1, .bytes = 4}));
  EXPECT_EQ(gone.objects.count, 2U);
  EXPECT_EQ(gone.blobs, (Amount{.count = 1, .bytes = 4}));
  EXPECT_EQ(gone.waiting, Amount());
  EXPECT_EQ(CountRows(kCondemnedTable), 0U);
  EXPECT_THAT(Listing(), ElementsAre(Pair("a", "alto")));
  EXPECT_EQ(Defects(), 0U);
}

TEST_F(CollectorTest, ADryRunTellsAndChangesNothing) {
  Upload({{"b", "bass"}});
  clock_.Advance(kGrace + hours(1));
  const CollectionOptions dry{.mode = CollectionOptions::Mode::kDryRun};
  EXPECT_EQ(Collect(dry).waiting, (Collect(dry).waiting));
  EXPECT_EQ(CountRows(kCondemnedTable), 0U);
  Collect();
  clock_.Advance(kGrace + hours(1));
  const Collection would = Collect(dry);
  EXPECT_EQ(would.blocks, (Amount{.count = 1, .bytes = 4}));
  EXPECT_EQ(would.objects.count, 2U);
  EXPECT_EQ(CountRows(kBlockTable), 1U);
  EXPECT_EQ(Collect().blocks, would.blocks);
  EXPECT_EQ(CountRows(kBlockTable), 0U);
}

TEST_F(CollectorTest, WithoutAGracePeriodGarbageGoesAtOnce) {
  ASSERT_THAT(Publish(Now(), {{"a", "alto"}}), IsOk());
  Upload({{"b", "bass"}});
  const Collection gone = Collect({.grace = std::chrono::seconds(0)});
  EXPECT_EQ(gone.blocks.count, 1U);
  EXPECT_EQ(gone.blobs.count, 1U);
  EXPECT_THAT(Listing(), ElementsAre(Pair("a", "alto")));
}

TEST_F(CollectorTest, WhoPutsItAgainKeepsItForAnotherPeriod) {
  Upload({{"b", "bass"}});
  clock_.Advance(kGrace + hours(1));
  Collect();
  clock_.Advance(kGrace);
  const ObjectId root = Upload({{"b", "bass"}});
  EXPECT_TRUE(Vouches("bass"));
  EXPECT_TRUE(content_->VouchesForObject({}, id_, root).value());
  const Collection done = Collect();
  EXPECT_EQ(done.blocks.count, 0U);
  clock_.Advance(kGrace - hours(1));
  EXPECT_EQ(Collect().blocks.count, 0U);
  const Commit commit = CommitOn(Now(), root, "Added b.");
  ASSERT_THAT(heads_.Publish({}, author_, id_, commit.id), IsOk());
  CollectInTime();
  EXPECT_THAT(Listing(), ElementsAre(Pair("b", "bass")));
  EXPECT_EQ(CountRows(kCondemnedTable), 0U);
}

TEST_F(CollectorTest, StatesThatAreNotKeptGoWithWhatTheyAloneName) {
  ASSERT_THAT(Publish(Now(), {{"a", "first"}, {"b", "bass"}}), IsOk());
  ASSERT_THAT(Publish(Now(), {{"a", "second"}, {"b", "bass"}}, "Changed."), IsOk());
  KeepDays(7);
  clock_.Advance(days(8));
  ASSERT_THAT(Publish(Now(), {{"a", "third"}, {"b", "bass"}}, "Changed."), IsOk());
  CollectInTime();
  EXPECT_FALSE(content_->FindBlock({}, id_, BlockIdOf("first")).value().has_value());
  // Six days before, the second was there.
  EXPECT_TRUE(Vouches("second"));
  clock_.Advance(days(8));
  CollectInTime();
  EXPECT_FALSE(content_->FindBlock({}, id_, BlockIdOf("second")).value().has_value());
  EXPECT_THAT(Listing(), ElementsAre(Pair("a", "third"), Pair("b", "bass")));
  // What was published is remembered for longer than its content.
  EXPECT_THAT(History(), SizeIs(5));
  clock_.Advance(days(1001));
  EXPECT_EQ(Collect().states, 4U);
  EXPECT_THAT(History(), SizeIs(1));
  EXPECT_EQ(Defects(), 0U);
}

TEST_F(CollectorTest, StatesWhoseContentIsGoneStayOutOfReach) {
  ASSERT_THAT(Publish(Now(), {{"a", "first"}}), IsOk());
  ASSERT_THAT(Publish(Now(), {{"a", "second"}}, "Changed."), IsOk());
  KeepDays(1);
  clock_.Advance(days(2));
  CollectInTime();
  EXPECT_FALSE(content_->FindBlock({}, id_, BlockIdOf("first")).value().has_value());
  KeepDays(0);
  EXPECT_EQ(FirstKept(store_, {}, Now(), clock_.Now()).value(), 4U);
  EXPECT_THAT(CollectInTime().damaged, IsEmpty());
  EXPECT_THAT(Listing(), ElementsAre(Pair("a", "second")));
}

TEST_F(CollectorTest, AClientWhoseStateIsNotKeptLosesNothing) {
  ASSERT_THAT(Publish(Now(), {{"a", "first"}, {"b", "bass"}}), IsOk());
  const Library seen = Now();
  KeepDays(1);
  clock_.Advance(days(2));
  ASSERT_THAT(Publish(Now(), {{"b", "bass"}}, "Removed a."), IsOk());
  clock_.Advance(days(2));
  CollectInTime();
  ASSERT_THAT(Publish(seen, {{"a", "first"}, {"b", "bass"}, {"c", "choir"}}, "Added c."), IsOk());
  EXPECT_THAT(Listing(), ElementsAre(Pair("a", "first"), Pair("b", "bass"), Pair("c", "choir")));
}

TEST_F(CollectorTest, AMergeDoesWithoutATreeThatOutlivedItsCommit) {
  ASSERT_THAT(Publish(Now(), {{"a", "alto"}}), IsOk());
  const Library seen = Now();
  ASSERT_THAT(Publish(Now(), {{"b", "bass"}}, "Another."), IsOk());
  store::WriteSet erase{{store::Erase{.table = &kObjectTable, .key = ObjectKey(id_, seen.root)}}};
  ASSERT_THAT(store_.Commit({}, std::move(erase)), IsOk());
  ASSERT_THAT(Publish(seen, {{"c", "choir"}}, "A third."), IsOk());
  EXPECT_THAT(Listing(), ElementsAre(Pair("b", "bass"), Pair("c", "choir")));
}

TEST_F(CollectorTest, ALongObjectGoesWithAllItsRows) {
  const std::string noise = Noise(200'000);
  const PackedObject object{.id = ObjectIdOf(noise), .deflated = noise};
  ASSERT_THAT(content_->PutObjects({}, id_, std::span(&object, 1)), IsOk());
  ASSERT_EQ(CountRows(kObjectTable), 5U);
  EXPECT_EQ(CollectInTime().objects.count, 1U);
  EXPECT_EQ(CountRows(kObjectTable), 0U);
}

TEST_F(CollectorTest, AnObjectOfMoreRowsThanACommitTakesGoes) {
  // As if it did not compress at all.
  const std::string noise = Noise(5 << 20);
  const PackedObject object{.id = ObjectIdOf(noise), .deflated = noise};
  ASSERT_THAT(content_->PutObjects({}, id_, std::span(&object, 1)), IsOk());
  ASSERT_GT(CountRows(kObjectTable), 100U);
  EXPECT_EQ(CollectInTime().objects.count, 1U);
  EXPECT_EQ(CountRows(kObjectTable), 0U);
  EXPECT_EQ(CountRows(kCondemnedTable), 0U);
}

TEST_F(CollectorTest, ADamagedLibraryIsLeftAlone) {
  ASSERT_THAT(Publish(Now(), {{"a", "alto"}}), IsOk());
  Upload({{"b", "bass"}});
  store::WriteSet erase{{store::Erase{.table = &kObjectTable, .key = ObjectKey(id_, Now().root)}}};
  ASSERT_THAT(store_.Commit({}, std::move(erase)), IsOk());
  const Collection done = CollectInTime();
  EXPECT_THAT(done.damaged, ElementsAre(id_.Render()));
  EXPECT_EQ(done.blocks, Amount());
  EXPECT_TRUE(Vouches("bass"));
}

TEST_F(CollectorTest, ABlobThatAnotherLibraryNamesStays) {
  const LibraryId other = libraries_.Create({}, ann_, {.name = "Other"}).value().record.id;
  ASSERT_THAT(Publish(Now(), {{"a", "alto"}}), IsOk());
  ASSERT_THAT(content_->PutBlock({}, other, BlockIdOf("alto"), "alto"), IsOk());
  EXPECT_EQ(CollectInTime().blocks.count, 1U);
  EXPECT_EQ(blobs_->Statistics().count, 1U);
  EXPECT_THAT(Listing(), ElementsAre(Pair("a", "alto")));
}

TEST_F(CollectorTest, ABlobThatIsNamedWhileBlobsAreSweptStays) {
  Upload({{"b", "bass"}});
  CollectInTime();
  ASSERT_THAT(blobs_->Put({}, "alto", {}), IsOk());
  clock_.Advance(kGrace + hours(1));
  IdFilter filter(ids_.NewUuid());
  {
    const auto watch = content_->Uses().Begin(filter);
    ASSERT_THAT(watch, IsOk());
    EXPECT_THAT(content_->Uses().Begin(filter), FailsWith(ErrorCode::kRefusedByState));
    PutBlocks({{"a", "alto"}});
    EXPECT_TRUE(filter.MayHave(blobs::BlobId::Of("alto").Bytes()));
  }
  PutBlocks({{"c", "choir"}});
  EXPECT_FALSE(filter.MayHave(blobs::BlobId::Of("choir").Bytes()));
}

TEST_F(CollectorTest, ALibraryGoesForGoodWithAllThatIsItsOwn) {
  ASSERT_THAT(Publish(Now(), {{"a", "alto"}, {"b", "bass"}}), IsOk());
  ASSERT_THAT(tokens_.Issue({}, ann_, id_), IsOk());
  ASSERT_THAT(libraries_.Delete({}, ann_, id_), IsOk());
  clock_.Advance(kTrashKept - hours(1));
  EXPECT_EQ(Collect().erased_libraries, 0U);
  EXPECT_EQ(SpaceOfAnn(), 8);
  clock_.Advance(hours(2));
  EXPECT_EQ(Collect({.mode = CollectionOptions::Mode::kDryRun}).erased_libraries, 1U);
  const Collection done = Collect();
  EXPECT_EQ(done.erased_libraries, 1U);
  EXPECT_EQ(done.blobs.count, 2U);
  EXPECT_EQ(SpaceOfAnn(), 0);
  EXPECT_EQ(SpaceOfOrg(), 0);
  for (const store::Table* table :
       {&kLibraryTable, &kLibrariesByOwner, &kLibrariesToErase, &kMoveTable, &kMovesByCommit,
        &kLibraryCounts, &kCommitTable, &kObjectTable, &kBlockTable, &kSyncTokenTable,
        &kSyncTokensByLibrary, &kCondemnedTable}) {
    EXPECT_EQ(CountRows(*table), 0U) << table->name;
  }
  EXPECT_EQ(Defects(), 0U);
}

TEST_F(CollectorTest, ALibraryWhoseOwnerIsGoneGoesToTheTrash) {
  const auto begun = heads_.Begin({}, author_,
                                  {.id = LibraryId(ids_.NewUuid()),
                                   .org = org_,
                                   .owner = UserId(ids_.NewUuid()),
                                   .name = "Of somebody",
                                   .created_at = clock_.Now()});
  ASSERT_THAT(begun, IsOk());
  EXPECT_EQ(Collect({.mode = CollectionOptions::Mode::kDryRun}).abandoned_libraries, 1U);
  EXPECT_EQ(Collect().abandoned_libraries, 1U);
  EXPECT_EQ(Collect().abandoned_libraries, 0U);
  clock_.Advance(kTrashKept + hours(1));
  EXPECT_EQ(Collect().erased_libraries, 1U);
  EXPECT_EQ(CountRows(kLibraryTable), 1U);
  EXPECT_EQ(Now().deleted_at, std::nullopt);
}

TEST_F(CollectorTest, RowsOfALibraryThatIsGoneGo) {
  const LibraryId nobody(ids_.NewUuid());
  ASSERT_THAT(content_->PutBlock({}, nobody, BlockIdOf("alto"), "alto"), IsOk());
  EXPECT_EQ(Collect().orphans, 0U);
  clock_.Advance(kGrace + hours(1));
  const Collection done = Collect();
  EXPECT_EQ(done.orphans, 1U);
  EXPECT_EQ(done.blobs.count, 1U);
  EXPECT_EQ(CountRows(kBlockTable), 0U);
}

TEST_F(CollectorTest, TokensThatOpenNothingGo) {
  ASSERT_THAT(tokens_.Issue({}, ann_, id_), IsOk());
  EXPECT_EQ(Collect().tokens, 0U);
  Person ann = ann_;
  ann.generation = 1;
  people_.Change(ann);
  EXPECT_EQ(Collect().tokens, 1U);
  EXPECT_EQ(CountRows(kSyncTokenTable), 0U);
}

TEST_F(CollectorTest, ARunThatWasStoppedIsTakenUpAgain) {
  for (int i = 0; i < 3; ++i) {
    ASSERT_THAT(libraries_.Create({}, ann_, {.name = "More " + std::to_string(i)}), IsOk());
  }
  std::stop_source stop;
  int libraries = 0;
  const WorkSigns signs{.stop = stop.get_token(), .progress = [&](const std::string& text) {
                          if (text.ends_with("libraries") && ++libraries == 2) {
                            stop.request_stop();
                          }
                        }};
  EXPECT_THAT(collector_.Collect({}, signs), FailsWith(ErrorCode::kUnavailable));
  EXPECT_EQ(Collect().libraries, 2U);
  EXPECT_EQ(Collect().libraries, 4U);
}

}  // namespace
}  // namespace atrium::files
