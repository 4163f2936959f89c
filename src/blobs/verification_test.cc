// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "blobs/verification.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/testing.h"
#include "blobs/blobs_testing.h"

namespace atrium::blobs {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

namespace fs = std::filesystem;
using Mode = VerifyRequest::Mode;

class VerificationTest : public BlobsTest {
 protected:
  struct Outcome {
    std::uint64_t blobs = 0;
    std::vector<Finding> findings{};
    std::size_t pages = 0;
  };
  Outcome Verify(Mode mode) {
    Outcome outcome;
    VerifyRequest request{.mode = mode};
    do {
      auto page = Blobs().Verify({}, request);
      EXPECT_THAT(page, IsOk());
      if (!page) {
        break;
      }
      ++outcome.pages;
      outcome.blobs += page->blobs;
      outcome.findings.insert(outcome.findings.end(), page->findings.begin(), page->findings.end());
      request.after = page->resume;
    } while (request.after);
    return outcome;
  }
  /// The one defect there is, which a report leaves alone and a repair mends.
  void ExpectOne(Defect defect, const BlobId& id) {
    for (const Mode mode : {Mode::kReport, Mode::kReport, Mode::kRepair}) {
      const Outcome outcome = Verify(mode);
      ASSERT_THAT(outcome.findings, SizeIs(1));
      EXPECT_EQ(outcome.findings[0].defect, defect) << Name(outcome.findings[0].defect);
      EXPECT_EQ(outcome.findings[0].id, id);
      EXPECT_FALSE(outcome.findings[0].remedy.empty());
    }
    EXPECT_THAT(Verify(Mode::kReport).findings, IsEmpty());
  }

  const std::string large_ = std::string(3000, 'L');
};

TEST_F(VerificationTest, FindsNothingWhereAllIsWell) {
  for (int i = 0; i < 100; ++i) {
    world_.Put("blob " + std::to_string(i));
  }
  world_.Put(large_);
  const Outcome outcome = Verify(Mode::kReport);
  EXPECT_EQ(outcome.blobs, 101U);
  EXPECT_THAT(outcome.findings, IsEmpty());
  EXPECT_GT(outcome.pages, 2U);
}

TEST_F(VerificationTest, WrongBytesInAPackAreSetAsideAndHealed) {
  const BlobId id = world_.Put("hello");
  world_.Put("other");
  DamageAt(world_.PackFiles().front(), "hello");
  ExpectOne(Defect::kDamaged, id);
  EXPECT_FALSE(world_.Has(id));
  EXPECT_EQ(world_.CountFiles("set-aside"), 1U);
  EXPECT_EQ(Blobs().Statistics().count, 1U);
  world_.Put("hello");
  EXPECT_THAT(Blobs().Read({}, id), Holds(std::string("hello")));
  EXPECT_THAT(Verify(Mode::kReport).findings, IsEmpty());
}

TEST_F(VerificationTest, AWrongHeadInAPackIsFound) {
  const BlobId id = world_.Put("hello");
  DamageAt(world_.PackFiles().front(), id.Bytes());
  EXPECT_THAT(Blobs().Open({}, id), FailsWith(ErrorCode::kCorrupt));
  ExpectOne(Defect::kDamaged, id);
}

TEST_F(VerificationTest, ABlobOfWhichOnlyTheHeadIsDamagedIsWrittenAnew) {
  const BlobId id = world_.Put("hello");
  // The eight bytes in front of the payload are a checksum that readers do not look at.
  DamageAt(world_.PackFiles().front(),
           ReadFile(world_.PackFiles().front()).substr(2 * kHeadBytes - 8, 13));
  EXPECT_THAT(Blobs().Read({}, id), Holds(std::string("hello")));
  ExpectOne(Defect::kDamaged, id);
  EXPECT_THAT(Blobs().Read({}, id), Holds(std::string("hello")));
  EXPECT_EQ(Blobs().Statistics().count, 1U);
}

TEST_F(VerificationTest, WrongBytesInAFileAreSetAsideAndHealed) {
  const BlobId id = world_.Put(large_);
  DamageAt(world_.OwnFile(id), "LLL");
  ExpectOne(Defect::kDamaged, id);
  EXPECT_EQ(world_.CountFiles("files"), 0U);
  EXPECT_EQ(world_.CountFiles("set-aside"), 1U);
  world_.Put(large_);
  EXPECT_THAT(Blobs().Read({}, id), Holds(large_));
}

TEST_F(VerificationTest, AMissingFileIsFound) {
  const BlobId id = world_.Put(large_);
  fs::remove(world_.OwnFile(id));
  ExpectOne(Defect::kMissing, id);
  EXPECT_FALSE(world_.Has(id));
  world_.Put(large_);
  EXPECT_THAT(Blobs().Read({}, id), Holds(large_));
}

TEST_F(VerificationTest, AMissingPackIsFound) {
  const BlobId id = world_.Put("hello");
  world_.Close();
  fs::remove(world_.PackFiles().front());
  world_.Open();
  ExpectOne(Defect::kMissing, id);
  world_.Put("hello");
  EXPECT_THAT(Blobs().Read({}, id), Holds(std::string("hello")));
}

TEST_F(VerificationTest, APackWithADamagedHeadIsReadAndWrittenAnew) {
  const BlobId one = world_.Put("one");
  const BlobId two = world_.Put("two");
  world_.Close();
  const fs::path pack = world_.PackFiles().front();
  DamageAt(pack, "ATRPACK1");
  world_.Open();
  EXPECT_THAT(Blobs().Read({}, one), Holds(std::string("one")));
  EXPECT_THAT(Blobs().Open({}, two), IsOk());
  EXPECT_THAT(Verify(Mode::kRepair).findings, SizeIs(2));
  EXPECT_THAT(Verify(Mode::kReport).findings, IsEmpty());
  EXPECT_THAT(Blobs().Read({}, one), Holds(std::string("one")));
  EXPECT_THAT(Blobs().Read({}, two), Holds(std::string("two")));
  world_.Reopen();
  EXPECT_TRUE(fs::exists(pack)) << "it was not sealed, so it may have more than the store knew";
  EXPECT_THAT(Blobs().Read({}, two), Holds(std::string("two")));
}

TEST_F(VerificationTest, NothingIsRepairedInAFolderThatWentAway) {
  const BlobId id = world_.Put(large_);
  const fs::path elsewhere = world_.Folder().string() + ".unmounted";
  fs::rename(world_.Folder(), elsewhere);
  EXPECT_THAT(Blobs().Verify({}, {.mode = Mode::kRepair}), FailsWith(ErrorCode::kUnavailable));
  EXPECT_THAT(Blobs().Open({}, id), FailsWith(ErrorCode::kUnavailable));
  EXPECT_THAT(Blobs().Put({}, large_, {}), FailsWith(ErrorCode::kUnavailable));
  fs::rename(elsewhere, world_.Folder());
  EXPECT_THAT(Blobs().Read({}, id), Holds(large_));
  EXPECT_THAT(Verify(Mode::kRepair).findings, IsEmpty());
}

TEST_F(VerificationTest, AnOrphanedFileJoinsTheIndex) {
  const BlobId id = BlobId::Of(large_);
  fs::create_directories(world_.OwnFile(id).parent_path());
  WriteFile(world_.OwnFile(id), large_);
  ExpectOne(Defect::kOrphaned, id);
  EXPECT_THAT(Blobs().Read({}, id), Holds(large_));
  EXPECT_EQ(Blobs().Statistics().own_files, 1U);
  world_.Reopen();
  EXPECT_THAT(Blobs().Read({}, id), Holds(large_));
}

TEST_F(VerificationTest, AnOrphanedFileThatIsNotWhatItsNameSaysIsSetAside) {
  const BlobId id = BlobId::Of(large_);
  fs::create_directories(world_.OwnFile(id).parent_path());
  WriteFile(world_.OwnFile(id), "something else");
  ExpectOne(Defect::kOrphaned, id);
  EXPECT_FALSE(world_.Has(id));
  EXPECT_EQ(world_.CountFiles("set-aside"), 1U);
}

TEST_F(VerificationTest, AFileOfABlobInAPackIsRemoved) {
  const BlobId id = world_.Put("hello");
  fs::create_directories(world_.OwnFile(id).parent_path());
  WriteFile(world_.OwnFile(id), "hello");
  ExpectOne(Defect::kOrphaned, id);
  EXPECT_THAT(Blobs().Read({}, id), Holds(std::string("hello")));
}

TEST_F(VerificationTest, EachOfManyDefectsIsFoundOnce) {
  std::vector<BlobId> ids;
  for (int i = 0; i < 200; ++i) {
    ids.push_back(world_.Put("this is blob " + std::to_string(1000 + i)));
  }
  for (int i = 0; i < 200; i += 10) {
    DamageAt(world_.PackFiles().front(), "this is blob " + std::to_string(1000 + i));
  }
  EXPECT_THAT(Verify(Mode::kReport).findings, SizeIs(20));
  EXPECT_THAT(Verify(Mode::kRepair).findings, SizeIs(20));
  EXPECT_THAT(Verify(Mode::kRepair).findings, IsEmpty());
  EXPECT_EQ(Blobs().Statistics().count, 180U);
}

TEST_F(VerificationTest, AWrongTokenIsRefused) {
  for (const char* token : {"files:256", "files:", "files:x", "somewhere"}) {
    EXPECT_THAT(Blobs().Verify({}, {.after = token}), FailsWith(ErrorCode::kInvalidArgument))
        << token;
  }
}

TEST_F(VerificationTest, ARepairThatTheStoreRefusesCanBeRepeated) {
  const BlobId id = world_.Put(large_);
  DamageAt(world_.OwnFile(id), "LLL");
  world_.Engine().FailCommits(ForgetfulEngine::CommitFault{});
  EXPECT_THAT(Blobs().Verify({}, {.mode = Mode::kRepair}), FailsWith(ErrorCode::kUnavailable));
  world_.Engine().FailCommits(std::nullopt);
  const Outcome outcome = Verify(Mode::kRepair);
  ASSERT_THAT(outcome.findings, SizeIs(1));
  EXPECT_FALSE(world_.Has(id));
  world_.Put(large_);
  EXPECT_THAT(Blobs().Read({}, id), Holds(large_));
}

}  // namespace
}  // namespace atrium::blobs
