// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/transfers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "files/libraries.h"
#include "files/past_testing.h"

namespace atrium::files {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

class TransfersTest : public testing::PastTest {
 protected:
  LibraryId MakeLibrary(const std::string& name, const Person& person,
                        const std::optional<std::string>& password = {}) {
    return libraries_.Create({}, person, {.name = name, .password = password})->record.id;
  }
  TransferOrder Order(TransferKind kind, const std::string& name) {
    return {.kind = kind, .from = id_, .names = {name}, .to = other_};
  }
  TransferWork::Row RowOf(const TransferId& id) {
    return store::Load(store_, {}, Transfers(), TransferKey(id)).value();
  }
  /// As if the server had ended before it wrote the row of the last step.
  void Forget(const TransferWork::Row& before) {
    const TransferWork::Row now = RowOf(before.record.id);
    store::Batch batch;
    batch.Replace(Transfers(), now, before.record);
    ASSERT_THAT(store_.Commit({}, std::move(batch)), IsOk());
  }
  /// A transfer that is written down, and that nobody has begun with.
  TransferWork::Row Written(const TransferOrder& order) {
    Transfer transfer{.id = TransferId(ids_.NewUuid()),
                      .org = org_,
                      .user = ann_.id,
                      .kind = order.kind,
                      .from = order.from,
                      .from_folder = order.from_folder.Render(),
                      .to = order.to,
                      .to_folder = order.to_folder.Render(),
                      .taken = order.taken,
                      .created_at = clock_.Now(),
                      .updated_at = clock_.Now()};
    for (const std::string& name : order.names) {
      transfer.items.push_back({.name = name});
    }
    store::Batch batch;
    batch.Create(Transfers(), transfer);
    EXPECT_THAT(store_.Commit({}, std::move(batch)), IsOk());
    return RowOf(transfer.id);
  }
  TransferWork::Row Step(const TransferWork::Row& row) {
    TransferSigns signs;
    const auto after = work_.Step(row, signs, {});
    EXPECT_THAT(after, IsOk());
    return after ? *after : row;
  }
  Transfer WaitFor(const TransferId& id) {
    while (true) {
      const auto transfer = transfers_.Load({}, ann_, id);
      EXPECT_THAT(transfer, IsOk());
      if (!transfer || !IsOpen(*transfer)) {
        return transfer.value_or(Transfer());
      }
      std::this_thread::yield();
    }
  }

  LibraryService libraries_{Ground(), heads_, people_};
  const TransferWork::Parts parts_{.ground = Ground(),
                                   .content = *content_,
                                   .blobs = *blobs_,
                                   .heads = heads_,
                                   .people = people_};
  TransferWork work_{parts_};
  TransferService transfers_{parts_};
  const LibraryId other_ = MakeLibrary("Other", ann_);
};

TEST_F(TransfersTest, AFolderIsCopiedToAnotherLibrary) {
  Write("/songs/old/a", "1");
  Write("/songs/b", testing::Noise(100'000));
  Write("/songs/empty", "");
  const auto submitted = transfers_.Submit({}, ann_, Order(TransferKind::kCopy, "songs"));
  ASSERT_THAT(submitted, IsOk());
  const Transfer done = WaitFor(submitted->id);
  EXPECT_EQ(done.state, TransferState::kDone);
  EXPECT_EQ(done.total, 3);
  EXPECT_EQ(done.done, 3);
  EXPECT_EQ(TreeOf(other_), Tree());
  EXPECT_EQ(Defects(), 0U);
}

TEST_F(TransfersTest, ATransferEndsWithTheSessionThatAskedForIt) {
  Write("/a", "1");
  Person ann = ann_;
  ann.by = {.kind = api::Credential::kSession, .id = "lost", .user = ann.id};
  people_.End(ann.by);
  EXPECT_THAT(transfers_.Do({}, ann, Order(TransferKind::kMove, "a")),
              FailsSaying(ErrorCode::kRefusedByState, "has ended"));
  EXPECT_THAT(TreeOf(other_), IsEmpty());
  const auto queued = transfers_.Submit({}, ann, Order(TransferKind::kMove, "a"));
  ASSERT_THAT(queued, IsOk());
  const Transfer over = WaitFor(queued->id);
  EXPECT_EQ(over.state, TransferState::kFailed);
  EXPECT_EQ(over.reason, "the session or token that asked for it has ended");
  EXPECT_THAT(TreeOf(other_), IsEmpty());
}

TEST_F(TransfersTest, EntriesKeepWhoWroteThemAndWhen) {
  Write("/a", "1");
  ASSERT_THAT(transfers_.Do({}, ann_, Order(TransferKind::kCopy, "a")), IsOk());
  LibraryReader there(*content_, {}, other_);
  LibraryReader here(*content_, {}, id_);
  const auto root = store::Load(store_, {}, Libraries(), LibraryRowKey(other_)).value().record.root;
  EXPECT_EQ(there.ReadDirectory(root).value()->Entries(),
            here.ReadDirectory(Now().root).value()->Entries());
}

TEST_F(TransfersTest, WhatIsMovedIsGoneWhereItWas) {
  Write("/a", "1");
  Write("/b", "22");
  ASSERT_THAT(transfers_.Do({}, ann_, Order(TransferKind::kMove, "a")), IsOk());
  EXPECT_THAT(Tree(), ElementsAre(Pair("/b", "22")));
  EXPECT_THAT(TreeOf(other_), ElementsAre(Pair("/a", "1")));
  EXPECT_EQ(SpaceOfAnn(), 3);
}

TEST_F(TransfersTest, AMoveThatIsCutOffAfterTheCopyGoesOn) {
  Write("/a", "1");
  const auto placed = Step(Written(Order(TransferKind::kMove, "a")));
  EXPECT_EQ(placed.record.state, TransferState::kPlaced);
  EXPECT_THAT(Tree(), ElementsAre(Pair("/a", "1")));
  EXPECT_THAT(TreeOf(other_), ElementsAre(Pair("/a", "1")));
  ASSERT_THAT(transfers_.Resume({}), IsOk());
  EXPECT_EQ(RowOf(placed.record.id).record.state, TransferState::kDone);
  EXPECT_THAT(Tree(), IsEmpty());
  EXPECT_THAT(TreeOf(other_), ElementsAre(Pair("/a", "1")));
}

TEST_F(TransfersTest, WhatWasPlacedBeforeTheServerEndedIsNotPlacedAgain) {
  Write("/a", "1");
  const auto written = Written(Order(TransferKind::kMove, "a"));
  const auto placed = Step(written);
  Transfer noted = placed.record;
  noted.state = TransferState::kWaiting;
  Forget({.record = noted});
  ASSERT_THAT(transfers_.Resume({}), IsOk());
  EXPECT_THAT(Tree(), IsEmpty());
  EXPECT_THAT(TreeOf(other_), ElementsAre(Pair("/a", "1")));
}

TEST_F(TransfersTest, WhatWasRemovedBeforeTheServerEndedIsNotRemovedAgain) {
  Write("/a", "1");
  const auto placed = Step(Written(Order(TransferKind::kMove, "a")));
  Step(placed);
  // Somebody puts the very same there again, before the row is written.
  Forget(placed);
  Write("/a", "1");
  ASSERT_THAT(transfers_.Resume({}), IsOk());
  EXPECT_THAT(Tree(), ElementsAre(Pair("/a", "1")));
}

TEST_F(TransfersTest, ACopyWithinALibraryThatWasCutOffIsNotDoneTwice) {
  Write("/a", "1");
  Write("/songs/b", "2");
  TransferOrder order{.from = id_, .names = {"a"}, .to = id_, .to_folder = At("/songs")};
  const auto written = Written(order);
  Step(written);
  Forget(written);
  ASSERT_THAT(transfers_.Resume({}), IsOk());
  EXPECT_THAT(Tree(), ElementsAre(Pair("/a", "1"), Pair("/songs", "/"), Pair("/songs/a", "1"),
                                  Pair("/songs/b", "2")));
}

TEST_F(TransfersTest, WhatWasChangedWhileItWasMovedStays) {
  Write("/a", "1");
  Write("/b", "2");
  TransferOrder order = Order(TransferKind::kMove, "a");
  order.names.push_back("b");
  const auto placed = Step(Written(order));
  Write("/a", "new");
  const auto removed = Step(placed);
  EXPECT_EQ(removed.record.state, TransferState::kFailed);
  EXPECT_THAT(removed.record.reason, ::testing::HasSubstr("\"a\" was changed meanwhile"));
  EXPECT_THAT(Tree(), ElementsAre(Pair("/a", "new")));
  EXPECT_THAT(TreeOf(other_), ElementsAre(Pair("/a", "1"), Pair("/b", "2")));
}

TEST_F(TransfersTest, ATransferThatWasLeftForTooLongFails) {
  Write("/a", "1");
  const auto written = Written(Order(TransferKind::kCopy, "a"));
  clock_.Advance(std::chrono::hours(23));
  EXPECT_EQ(Step(written).record.state, TransferState::kFailed);
  EXPECT_THAT(TreeOf(other_), IsEmpty());
}

TEST_F(TransfersTest, TakenNamesAreReplacedRenamedOrSkipped) {
  Write("/a", "1");
  ASSERT_THAT(transfers_.Do({}, ann_, Order(TransferKind::kCopy, "a")), IsOk());
  Write("/a", "22");
  ASSERT_THAT(transfers_.Do({}, ann_, Order(TransferKind::kCopy, "a")), IsOk());
  EXPECT_THAT(TreeOf(other_), ElementsAre(Pair("/a", "1"), Pair("/a (1)", "22")));
  TransferOrder order = Order(TransferKind::kMove, "a");
  order.taken = TakenPolicy::kSkip;
  ASSERT_THAT(transfers_.Do({}, ann_, order), IsOk());
  // What was skipped stays where it was.
  EXPECT_THAT(Tree(), ElementsAre(Pair("/a", "22")));
  EXPECT_THAT(TreeOf(other_), ElementsAre(Pair("/a", "1"), Pair("/a (1)", "22")));
  order.taken = TakenPolicy::kReplace;
  ASSERT_THAT(transfers_.Do({}, ann_, order), IsOk());
  EXPECT_THAT(Tree(), IsEmpty());
  EXPECT_THAT(TreeOf(other_), ElementsAre(Pair("/a", "22"), Pair("/a (1)", "22")));
}

TEST_F(TransfersTest, WithinALibraryItIsOneState) {
  Write("/a", "1");
  Write("/b", "2");
  Write("/songs/c", "3");
  const std::uint64_t moves = Now().moves;
  ASSERT_THAT(transfers_.Do({}, ann_,
                            {.kind = TransferKind::kMove,
                             .from = id_,
                             .names = {"a", "b"},
                             .to = id_,
                             .to_folder = At("/songs")}),
              IsOk());
  EXPECT_EQ(Now().moves, moves + 1);
  EXPECT_THAT(Tree(), ElementsAre(Pair("/songs", "/"), Pair("/songs/a", "1"), Pair("/songs/b", "2"),
                                  Pair("/songs/c", "3")));
}

TEST_F(TransfersTest, WhatIsNotThereCannotGo) {
  Write("/songs/a", "1");
  EXPECT_THAT(transfers_.Submit({}, ann_, Order(TransferKind::kCopy, "none")),
              FailsWith(ErrorCode::kNotFound));
  TransferOrder order = Order(TransferKind::kCopy, "songs");
  order.to_folder = At("/none");
  EXPECT_THAT(transfers_.Submit({}, ann_, order), FailsWith(ErrorCode::kNotFound));
  order = {.from = id_, .names = {"songs"}, .to = id_, .to_folder = At("/songs")};
  EXPECT_THAT(transfers_.Submit({}, ann_, order), FailsWith(ErrorCode::kInvalidArgument));
  order.names = {};
  EXPECT_THAT(transfers_.Submit({}, ann_, order), FailsWith(ErrorCode::kInvalidArgument));
  order.names = {".."};
  EXPECT_THAT(transfers_.Submit({}, ann_, order), FailsWith(ErrorCode::kInvalidArgument));
  order.names = std::vector<std::string>(900, std::string(255, 'x'));
  EXPECT_THAT(transfers_.Submit({}, ann_, order), FailsWith(ErrorCode::kLimitExceeded));
}

TEST_F(TransfersTest, NothingLeavesOrEntersLibrariesOfOthers) {
  Write("/a", "1");
  const LibraryId bobs = MakeLibrary("Bob's", bob_);
  TransferOrder order = Order(TransferKind::kCopy, "a");
  EXPECT_THAT(transfers_.Submit({}, bob_, order), FailsWith(ErrorCode::kNotFound));
  order.to = bobs;
  EXPECT_THAT(transfers_.Submit({}, ann_, order), FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(transfers_.Submit({}, bob_, order), FailsWith(ErrorCode::kNotFound));
  Person reader = ann_;
  reader.may_write = false;
  EXPECT_THAT(transfers_.Submit({}, reader, Order(TransferKind::kCopy, "a")),
              FailsWith(ErrorCode::kPermissionDenied));
}

TEST_F(TransfersTest, WhoLosesTheRightMeanwhileTransfersNothing) {
  Write("/a", "1");
  const auto written = Written(Order(TransferKind::kMove, "a"));
  Person ann = ann_;
  ann.is_active = false;
  people_.Change(ann);
  EXPECT_EQ(Step(written).record.state, TransferState::kFailed);
  EXPECT_THAT(TreeOf(other_), IsEmpty());
  EXPECT_THAT(Tree(), ElementsAre(Pair("/a", "1")));
}

TEST_F(TransfersTest, ContentOfEncryptedLibrariesStays) {
  Write("/a", "1");
  TransferOrder order = Order(TransferKind::kCopy, "a");
  order.to = MakeLibrary("Secret", ann_, "sesame");
  EXPECT_THAT(transfers_.Submit({}, ann_, order), FailsWith(ErrorCode::kRefusedByState));
}

TEST_F(TransfersTest, WhatDoesNotFitFailsAndStays) {
  Write("/a", "12345");
  Person ann = ann_;
  ann.quota_bytes = 7;
  people_.Change(ann);
  EXPECT_THAT(transfers_.Do({}, ann_, Order(TransferKind::kMove, "a")),
              FailsSaying(ErrorCode::kRefusedByState, "no space"));
  EXPECT_THAT(Tree(), ElementsAre(Pair("/a", "12345")));
}

TEST_F(TransfersTest, OthersSeeNoneOfIt) {
  Write("/a", "1");
  const auto submitted = transfers_.Submit({}, ann_, Order(TransferKind::kCopy, "a"));
  ASSERT_THAT(submitted, IsOk());
  EXPECT_THAT(transfers_.Load({}, bob_, submitted->id), FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(transfers_.Cancel({}, bob_, submitted->id), FailsWith(ErrorCode::kNotFound));
  WaitFor(submitted->id);
  EXPECT_THAT(transfers_.Cancel({}, ann_, submitted->id), FailsWith(ErrorCode::kRefusedByState));
}

TEST_F(TransfersTest, WhatIsCancelledBeforeItIsPlacedLeavesNothing) {
  Write("/songs/a", "1");
  const auto written = Written(Order(TransferKind::kMove, "songs"));
  TransferSigns signs;
  signs.cancelled = true;
  const auto after = work_.Step(written, signs, {});
  ASSERT_THAT(after, IsOk());
  EXPECT_EQ(after->record.state, TransferState::kCancelled);
  EXPECT_THAT(TreeOf(other_), IsEmpty());
  EXPECT_THAT(transfers_.Cancel({}, ann_, written.record.id), IsOk());
}

TEST_F(TransfersTest, AServerThatStopsLeavesItToTheNext) {
  Write("/a", "1");
  const auto written = Written(Order(TransferKind::kMove, "a"));
  std::stop_source stop;
  stop.request_stop();
  TransferSigns signs;
  EXPECT_THAT(work_.Step(written, signs, stop.get_token()), FailsWith(ErrorCode::kUnavailable));
  EXPECT_EQ(WaitFor(written.record.id).state, TransferState::kDone);
}

}  // namespace
}  // namespace atrium::files
