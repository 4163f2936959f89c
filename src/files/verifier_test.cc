// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/verifier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "base/testing.h"
#include "files/heads_testing.h"
#include "files/keys.h"
#include "store/store.h"

namespace atrium::files {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using testing::HeadsTest;
using ::testing::IsEmpty;
using testing::Noise;
using ::testing::Not;
using ::testing::Pair;

class VerifierTest : public HeadsTest {
 protected:
  Verification Verify(VerificationOptions::Mode mode = VerificationOptions::Mode::kReport) {
    const auto seen = verifier_.Verify({.mode = mode}, {});
    EXPECT_THAT(seen, IsOk());
    return seen.value_or(Verification());
  }
  Verification Repair() { return Verify(VerificationOptions::Mode::kRepair); }

  /// "file:/a", "object:/", "commit:".
  static std::vector<std::string> Words(const Verification& seen) {
    std::vector<std::string> words;
    words.reserve(seen.list.size());
    for (const Defect& defect : seen.list) {
      words.push_back(defect.of + ":" + defect.path);
    }
    return words;
  }
  void Erase(const store::Table& table, const store::Key& key) {
    store::WriteSet writes{{store::Erase{.table = &table, .key = key}}};
    EXPECT_THAT(store_.Commit({}, std::move(writes)), IsOk());
  }
  void Replace(const store::Table& table, const store::Key& key, const std::string& document) {
    Erase(table, key);
    const store::ImmutableRow row{.key = key, .document = document};
    EXPECT_THAT(store_.WriteImmutable({}, table, {&row, 1}), IsOk());
  }
  /// Turns a byte of each file that holds a blob of its own.
  void DamageFiles() {
    namespace fs = std::filesystem;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.Path() / "blobs")) {
      if (entry.is_regular_file() && entry.path().filename().string().size() >= 60) {
        std::fstream file(entry.path(), std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(1000);
        file.put('!');
      }
    }
  }

  Verifier verifier_{
      {.ground = Ground(), .blobs = *blobs_, .content = *content_, .people = people_}};
};

TEST_F(VerifierTest, AWholeLibraryHasNoDefects) {
  people_.count_of_org = [this](const OrgId&) { return std::optional(SpaceOfOrg()); };
  ASSERT_THAT(Publish(Now(), {{"a", "alto"}, {"b", "bass"}}), IsOk());
  ASSERT_THAT(Publish(Now(), {{"a", "alto!"}, {"b", "bass"}}, "Changed."), IsOk());
  const Verification seen = Verify();
  EXPECT_THAT(seen.list, IsEmpty());
  EXPECT_EQ(seen.libraries, 1U);
  EXPECT_EQ(seen.states, 3U);
  EXPECT_EQ(seen.commits, 3U);
  EXPECT_EQ(seen.objects, 5U);
  EXPECT_EQ(seen.blocks, 3U);
  EXPECT_EQ(seen.bytes, 13U);
}

TEST_F(VerifierTest, ALostBlockIsToldWithThePathOfItsFile) {
  ASSERT_THAT(Publish(Now(), {{"a", "alto"}, {"b", "bass"}}), IsOk());
  Erase(kBlockTable, BlockKey(id_, BlockIdOf("alto")));
  const Verification seen = Verify();
  EXPECT_THAT(Words(seen), ElementsAre("file:/a"));
  EXPECT_EQ(Repair().repaired, 0U);
  PutBlocks({{"a", "alto"}});
  EXPECT_EQ(Verify().defects, 0U);
}

TEST_F(VerifierTest, ADamagedBlockIsFoundAndHealsWhenItIsSentAgain) {
  const std::string large = Noise(300'000);
  ASSERT_THAT(Publish(Now(), {{"a", large}}), IsOk());
  DamageFiles();
  EXPECT_THAT(Words(Verify()), ElementsAre("block:", "file:/a"));
  // Whoever asks is told to send it again, and whoever sends it heals it.
  EXPECT_FALSE(content_->VouchesForBlock({}, id_, BlockIdOf(large)).value());
  PutBlocks({{"a", large}});
  EXPECT_TRUE(content_->VouchesForBlock({}, id_, BlockIdOf(large)).value());
  EXPECT_EQ(Verify().defects, 0U);
  EXPECT_THAT(Listing(), ElementsAre(Pair("a", large)));
}

TEST_F(VerifierTest, ADamagedBlockThatNobodyHasReadHealsWhenItIsSentAgain) {
  const std::string large = Noise(300'000);
  ASSERT_THAT(Publish(Now(), {{"a", large}}), IsOk());
  DamageFiles();
  PutBlocks({{"a", large}});
  EXPECT_THAT(Listing(), ElementsAre(Pair("a", large)));
}

TEST_F(VerifierTest, ARepairSetsDamagedBlobsAsideForGood) {
  const std::string large = Noise(300'000);
  ASSERT_THAT(Publish(Now(), {{"a", large}}), IsOk());
  DamageFiles();
  EXPECT_THAT(Words(Repair()), ElementsAre("blob:", "block:", "file:/a"));
  EXPECT_EQ(blobs_->Statistics().count, 0U);
  PutBlocks({{"a", large}});
  EXPECT_EQ(Verify().defects, 0U);
}

TEST_F(VerifierTest, AFolderThatIsMissingIsTold) {
  ASSERT_THAT(Publish(Now(), {{"a", "alto"}}), IsOk());
  Erase(kObjectTable, ObjectKey(id_, Now().root));
  EXPECT_THAT(Words(Verify()), Contains("object:/"));
  PutTree({{"a", "alto"}});
  EXPECT_EQ(Verify().defects, 0U);
}

TEST_F(VerifierTest, ADamagedObjectIsTakenAwaySoThatItCanBeSentAgain) {
  ASSERT_THAT(Publish(Now(), {{"a", "alto"}}), IsOk());
  Replace(kObjectTable, ObjectKey(id_, Now().root), R"({"deflated":"eJwDAAAAAAE="})");
  EXPECT_THAT(Words(Verify()), Contains("object:"));
  EXPECT_FALSE(LibraryReader(*content_, {}, id_).ReadDirectory(Now().root).has_value());
  EXPECT_EQ(Repair().repaired, 1U);
  PutTree({{"a", "alto"}});
  EXPECT_EQ(Verify().defects, 0U);
  EXPECT_THAT(Listing(), ElementsAre(Pair("a", "alto")));
}

TEST_F(VerifierTest, ACommitThatIsMissingIsMadeAnew) {
  ASSERT_THAT(Publish(Now(), {{"a", "alto"}}), IsOk());
  const Move first = History().front();
  const Library library = Now();
  Erase(kCommitTable, CommitKey(id_, library.head));
  EXPECT_THAT(Words(Verify()), ElementsAre("commit:"));
  EXPECT_EQ(Repair().repaired, 1U);
  EXPECT_EQ(Verify().defects, 0U);
  const auto commit = content_->FindCommit({}, id_, library.head).value().value();
  EXPECT_EQ(commit.root, library.root);
  EXPECT_EQ(commit.parent, first.commit);
  EXPECT_EQ(commit.description, "Added files.");
  EXPECT_TRUE(commit.repaired);
}

TEST_F(VerifierTest, WrongCountsAreCountedAnew) {
  ASSERT_THAT(Publish(Now(), {{"a", "alto"}, {"b", "bass"}}), IsOk());
  auto stored = store::Load(store_, {}, Libraries(), LibraryRowKey(id_)).value();
  Library wrong = stored.record;
  wrong.bytes = 3;
  wrong.files = 1;
  store::Batch batch;
  batch.Replace(Libraries(), stored, wrong);
  ASSERT_THAT(store_.Commit({}, std::move(batch)), IsOk());
  EXPECT_THAT(Words(Verify()), ElementsAre("library:", "space:"));
  Repair();
  EXPECT_EQ(Now().bytes, 8);
  EXPECT_EQ(Now().files, 2);
  EXPECT_EQ(SpaceOfAnn(), 8);
  EXPECT_EQ(Verify().defects, 0U);
}

TEST_F(VerifierTest, SpaceThatIsCountedWrongIsCountedAnew) {
  people_.count_of_org = [this](const OrgId&) { return std::optional(SpaceOfOrg()); };
  ASSERT_THAT(Publish(Now(), {{"a", "alto"}}), IsOk());
  store::WriteSet writes{
      {store::Add{
           .table = &kSpaceTable, .key = SpaceKey(ann_.id), .counter = "bytes", .delta = 100},
       store::Add{.table = &testing::Acquaintances::kOrgSpace,
                  .key = {.partition = org_.Render()},
                  .counter = "bytes",
                  .delta = -1}}};
  ASSERT_THAT(store_.Commit({}, std::move(writes)), IsOk());
  EXPECT_EQ(Verify().defects, 2U);
  EXPECT_EQ(Repair().repaired, 2U);
  EXPECT_EQ(SpaceOfAnn(), 4);
  EXPECT_EQ(SpaceOfOrg(), 4);
  EXPECT_EQ(Verify().defects, 0U);
}

TEST_F(VerifierTest, AStateThatIsMissingIsTold) {
  ASSERT_THAT(Publish(Now(), {{"a", "alto"}}), IsOk());
  ASSERT_THAT(Publish(Now(), {{"a", "bass"}}, "Changed."), IsOk());
  Erase(kMoveTable, MoveKey(id_, 2));
  EXPECT_THAT(Words(Verify()), ElementsAre("state:"));
}

TEST_F(VerifierTest, ALibraryThatIsNotThereCannotBeVerified) {
  EXPECT_THAT(verifier_.Verify({.library = LibraryId(ids_.NewUuid())}, {}),
              FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(verifier_.Verify({.library = id_}, {}), IsOk());
}

}  // namespace
}  // namespace atrium::files
