// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/loose_space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "base/testing.h"
#include "files/content.h"
#include "files/file_writer.h"
#include "files/heads_testing.h"
#include "files/keys.h"
#include "files/space.h"
#include "files/verifier.h"

namespace atrium::files {
namespace {

using testing::HeadsTest;
using testing::Noise;

/// Ann's library, on content that is counted.
class LooseSpaceTest : public HeadsTest {
 protected:
  void LimitAnn(std::int64_t bytes) {
    Person ann = ann_;
    ann.quota_bytes = bytes;
    people_.Change(ann);
  }
  Result<void> Put(const std::string& block) {
    return counted_.PutBlock({}, id_, BlockIdOf(block), block);
  }
  std::int64_t LooseInStore() { return CounterAt(kLibraryCounts, LooseKey(id_), kBytesCounter); }
  LibraryId BeginAnother() {
    const auto begun = heads_.Begin({}, author_,
                                    {.id = LibraryId(ids_.NewUuid()),
                                     .org = org_,
                                     .owner = ann_.id,
                                     .name = "Parts",
                                     .created_at = clock_.Now()});
    EXPECT_THAT(begun, IsOk());
    return begun ? begun->record.id : LibraryId();
  }
  /// Of a block that does not come after all.
  Result<LooseSpace::Hold> ReserveNever() {
    return loose_.ReserveBlock(
        {}, {.library = id_, .block = BlockIdOf("never"), .bytes = kUnsettledBytesMax}, {});
  }
  /// As a state does that names blocks of so many bytes.
  static void GiveBack(LooseSpace& space, const LooseSpace::Release& release, store::Store& store) {
    if (release.settled > 0) {
      store::Batch batch;
      LooseSpace::AddTo(batch, release);
      EXPECT_THAT(store.Commit({}, std::move(batch)), IsOk());
    }
    space.Apply(release);
  }

  std::int64_t elsewhere_ = 0;
  LooseSpace loose_{store_, people_,
                    [this](const UserId&) -> Result<std::int64_t> { return elsewhere_; }};
  Content counted_{store_, *blobs_, &loose_};
  Heads counting_{Ground(), counted_, people_};
};

TEST_F(LooseSpaceTest, BlocksThatNobodyNamesCount) {
  LimitAnn(10);
  EXPECT_THAT(Put("six .."), IsOk());
  const Result<void> refused = Put("fiver");
  ASSERT_THAT(refused, FailsWith(ErrorCode::kLimitExceeded));
  EXPECT_TRUE(IsAboutSpace(refused.error()));
  EXPECT_THAT(counted_.FindBlock({}, id_, BlockIdOf("fiver")), Holds(std::nullopt));
  EXPECT_THAT(Put("four"), IsOk());
  EXPECT_THAT(Put("four"), IsOk()) << "it is there already";
}

TEST_F(LooseSpaceTest, WhatLiesElsewhereCountsAlong) {
  LimitAnn(10);
  elsewhere_ = 7;
  EXPECT_THAT(Put("four"), FailsWith(ErrorCode::kLimitExceeded));
  elsewhere_ = 6;
  EXPECT_THAT(Put("four"), IsOk());
}

TEST_F(LooseSpaceTest, FewBlocksCostNoCommit) {
  store::Tally tally;
  EXPECT_THAT(counted_.PutBlock({.tally = &tally}, id_, BlockIdOf("four"), "four"), IsOk());
  EXPECT_EQ(tally.commits, 0U);
  EXPECT_EQ(LooseInStore(), 0);
  EXPECT_THAT(loose_.SettleAll({}), IsOk());
  EXPECT_EQ(LooseInStore(), 4);
  EXPECT_EQ(SpaceOfAnn(), 4);
  EXPECT_EQ(SpaceOfOrg(), 4);
}

TEST_F(LooseSpaceTest, MuchIsWrittenDownAtOnce) {
  const std::string large = Noise(kUnsettledBytesMax);
  EXPECT_THAT(Put(large), IsOk());
  EXPECT_EQ(LooseInStore(), kUnsettledBytesMax);
  EXPECT_EQ(SpaceOfAnn(), kUnsettledBytesMax);
}

TEST_F(LooseSpaceTest, WhatAStateNamesCountsOnce) {
  LimitAnn(10);
  ASSERT_THAT(Put("alto"), IsOk());
  ASSERT_THAT(loose_.SettleAll({}), IsOk());
  ASSERT_THAT(Put("bass.."), IsOk());
  ASSERT_THAT(counting_.Apply({}, author_, id_, Adding("a", "alto")), IsOk());
  EXPECT_EQ(LooseInStore(), 0);
  EXPECT_EQ(SpaceOfAnn(), 4);
  ASSERT_THAT(counting_.Apply({}, author_, id_, Adding("b", "bass..")), IsOk());
  EXPECT_EQ(SpaceOfAnn(), 10);
  EXPECT_EQ(SpaceOfOrg(), 10);
  // Nothing is left to settle.
  ASSERT_THAT(loose_.SettleAll({}), IsOk());
  EXPECT_EQ(SpaceOfAnn(), 10);
}

TEST_F(LooseSpaceTest, WhatWasNotKeptIsGivenBack) {
  LimitAnn(10);
  {
    const auto hold = loose_.Reserve({}, id_, 8);
    ASSERT_THAT(hold, IsOk());
    EXPECT_THAT(Put("four"), FailsWith(ErrorCode::kLimitExceeded));
  }
  EXPECT_THAT(Put("four"), IsOk());
}

TEST_F(LooseSpaceTest, UploadsThatAreBrokenOffWhileOthersCountLeaveNothing) {
  const LibraryId other = BeginAnother();
  std::optional<Result<LooseSpace::Hold>> first(loose_.Reserve({}, id_, 5'000'000));
  ASSERT_THAT(Put("a"), IsOk());
  ASSERT_THAT(Put("b"), IsOk());
  first.reset();
  std::optional<Result<LooseSpace::Hold>> second(loose_.Reserve({}, other, 4'999'999));
  {
    const auto third = loose_.Reserve({}, other, 5);
  }
  second.reset();
  ASSERT_THAT(loose_.SettleAll({}), IsOk());
  EXPECT_EQ(LooseInStore(), 2);
  EXPECT_EQ(SpaceOfAnn(), 2);
}

TEST_F(LooseSpaceTest, WhatIsUnderWayIsNotWrittenDown) {
  {
    const auto hold = loose_.Reserve({}, id_, 100 * kUnsettledBytesMax);
    ASSERT_THAT(Put("four"), IsOk());
    ASSERT_THAT(loose_.SettleAll({}), IsOk());
    EXPECT_EQ(LooseInStore(), 4);
  }
  LimitAnn(8);
  EXPECT_THAT(Put("also"), IsOk());
}

TEST_F(LooseSpaceTest, ABlockThatWasWrittenDownAndDidNotComeIsGivenBack) {
  {
    const auto hold = ReserveNever();
    ASSERT_THAT(hold, IsOk());
    EXPECT_EQ(LooseInStore(), kUnsettledBytesMax);
  }
  LimitAnn(kUnsettledBytesMax);
  EXPECT_THAT(Put("four"), IsOk()) << "the process knows better than the store";
  ASSERT_THAT(loose_.SettleAll({}), IsOk());
  EXPECT_EQ(LooseInStore(), 4);
  EXPECT_EQ(SpaceOfAnn(), 4);
}

TEST_F(LooseSpaceTest, WhatIsWrittenDownWhileAStateNamesItCountsOnce) {
  ASSERT_THAT(Put("four"), IsOk());
  const auto release = loose_.PlanRelease({}, Now(), 4);
  ASSERT_THAT(release, IsOk());
  ASSERT_THAT(loose_.SettleAll({}), IsOk());
  GiveBack(loose_, *release, store_);
  ASSERT_THAT(loose_.SettleAll({}), IsOk());
  EXPECT_EQ(LooseInStore(), 0);
}

TEST_F(LooseSpaceTest, WhatIsYetToBeGivenBackIsNotGivenBackTwice) {
  {
    const auto never = ReserveNever();
  }
  ASSERT_EQ(LooseInStore(), kUnsettledBytesMax);
  const auto release = loose_.PlanRelease({}, Now(), kUnsettledBytesMax);
  ASSERT_THAT(release, IsOk());
  GiveBack(loose_, *release, store_);
  ASSERT_THAT(loose_.SettleAll({}), IsOk());
  EXPECT_EQ(LooseInStore(), 0);
}

TEST_F(LooseSpaceTest, WhatAnotherServerGaveBackIsNotGivenBackAgain) {
  {
    const auto never = ReserveNever();
  }
  LooseSpace other(store_, people_, [](const UserId&) -> Result<std::int64_t> { return 0; });
  const auto release = other.PlanRelease({}, Now(), kUnsettledBytesMax - 1);
  ASSERT_THAT(release, IsOk());
  GiveBack(other, *release, store_);
  ASSERT_THAT(loose_.SettleAll({}), IsOk());
  EXPECT_EQ(LooseInStore(), 0);
}

TEST_F(LooseSpaceTest, BytesCountBeforeTheyAreABlock) {
  LimitAnn(3 << 20);
  const std::string two = Noise(2 << 20);
  auto first = counted_.BeginBlock({}, id_, std::nullopt);
  ASSERT_THAT((*first)->Write({}, two), IsOk());
  const auto second = counted_.BeginBlock({}, id_, std::nullopt);
  EXPECT_THAT((*second)->Write({}, two), FailsWith(ErrorCode::kLimitExceeded));
  first->reset();
  EXPECT_THAT(Put(two), IsOk());
  EXPECT_THAT(Put(Noise(1 << 20)), IsOk()) << "each byte of the quota can be used";
}

TEST_F(LooseSpaceTest, WhatWasAnnouncedIsThereForItsBytes) {
  const std::string file = Noise(10 << 20);
  const auto size = static_cast<std::int64_t>(file.size());
  LimitAnn(size);
  auto announced = loose_.Announce({}, id_, size);
  ASSERT_THAT(announced, IsOk());
  EXPECT_THAT(loose_.Announce({}, id_, 1), FailsWith(ErrorCode::kLimitExceeded));
  EXPECT_THAT(Put("x"), FailsWith(ErrorCode::kLimitExceeded));
  FileWriter writer(counted_, id_, nullptr, &*announced);
  ASSERT_THAT(writer.Write({}, file), IsOk());
  EXPECT_THAT(Put("x"), FailsWith(ErrorCode::kLimitExceeded));
  ASSERT_THAT(writer.Finish({}), IsOk());
  EXPECT_EQ(announced->Announced(), 0);
  ASSERT_THAT(loose_.SettleAll({}), IsOk());
  EXPECT_EQ(SpaceOfAnn(), size);
}

TEST_F(LooseSpaceTest, WhatIsSentAgainNeedsSpaceWhenItComesTwiceAtOnce) {
  LimitAnn(10);
  ASSERT_THAT(Put("lie there"), IsOk());
  EXPECT_THAT(Put("lie there"), IsOk());
  const auto again = loose_.Announce({}, id_, 9);
  ASSERT_THAT(again, IsOk());
  EXPECT_THAT(loose_.Announce({}, id_, 9), FailsWith(ErrorCode::kLimitExceeded));
  EXPECT_THAT(loose_.Announce({}, BeginAnother(), 9), FailsWith(ErrorCode::kLimitExceeded));
}

TEST_F(LooseSpaceTest, WhatIsOnItsWayCountsForTheOrganisation) {
  people_.org_quota = 10;
  const Person bob = people_.Add("bob", org_);
  const auto his = heads_.Begin({}, author_,
                                {.id = LibraryId(ids_.NewUuid()),
                                 .org = org_,
                                 .owner = bob.id,
                                 .name = "Parts",
                                 .created_at = clock_.Now()});
  ASSERT_THAT(his, IsOk());
  {
    const auto hold = loose_.Announce({}, his->record.id, 7);
    ASSERT_THAT(hold, IsOk());
    EXPECT_THAT(Put("four"), FailsWith(ErrorCode::kLimitExceeded));
  }
  EXPECT_THAT(Put("four"), IsOk());
}

TEST_F(LooseSpaceTest, CountersThatAreWrongAreFoundAndMended) {
  ASSERT_THAT(Put("four"), IsOk());
  ASSERT_THAT(loose_.SettleAll({}), IsOk());
  people_.count_of_org = [this](const OrgId&) { return std::optional(SpaceOfOrg()); };
  Verifier verifier({.ground = Ground(), .blobs = *blobs_, .content = counted_, .people = people_});
  EXPECT_EQ(verifier.Verify({}, {})->defects, 0U);
  store::WriteSet wrong;
  wrong.mutations.push_back(store::Add{.table = &kLibraryCounts,
                                       .key = LooseKey(id_),
                                       .counter = std::string(kBytesCounter),
                                       .delta = 100});
  ASSERT_THAT(store_.Commit({}, std::move(wrong)), IsOk());
  EXPECT_GT(verifier.Verify({}, {})->defects, 0U);
  ASSERT_THAT(verifier.Verify({.mode = VerificationOptions::Mode::kRepair}, {}), IsOk());
  EXPECT_EQ(LooseInStore(), 4);
  EXPECT_EQ(verifier.Verify({.mode = VerificationOptions::Mode::kRepair}, {})->defects, 0U);
  EXPECT_EQ(SpaceOfAnn(), 4);
}

}  // namespace
}  // namespace atrium::files
