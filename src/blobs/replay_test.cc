// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "blobs/replay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/testing.h"
#include "blobs/blobs_testing.h"

namespace atrium::blobs {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

namespace fs = std::filesystem;

class ReplayTest : public BlobsTest {
 protected:
  static std::vector<std::string> NotesOf(const World& world) {
    std::vector<std::string> notes;
    for (const NotedBlob& recovered : world.GetRecovered()) {
      notes.push_back(recovered.note);
    }
    return notes;
  }
  static void ExpectReads(World& world, const std::string& bytes) {
    EXPECT_THAT(world.Blobs().Read({}, BlobId::Of(bytes)), Holds(bytes));
  }

  const std::string large_ = std::string(3000, 'L');
};

TEST_F(ReplayTest, WhatWasPutSurvivesACrash) {
  world_.Put("hello");
  world_.Put(large_);
  const auto after = world_.AfterCrash();
  after->Open();
  ExpectReads(*after, "hello");
  ExpectReads(*after, large_);
  EXPECT_EQ(after->Blobs().Statistics().count, 2U);
  EXPECT_EQ(after->Blobs().Statistics().own_files, 1U);
  EXPECT_THAT(after->PackFiles(), SizeIs(1)) << "nothing was torn, so it goes on";
}

TEST_F(ReplayTest, NotesComeBack) {
  const auto first = Blobs().Put({}, "hello", {.note = "first"});
  const auto second = Blobs().Put({}, large_, {.note = "second"});
  const auto silent = Blobs().Put({}, "silent", {});
  const auto third = Blobs().Put({}, "hello", {.note = "third"});
  const auto after = world_.AfterCrash();
  after->Open();
  EXPECT_THAT(NotesOf(*after), ElementsAre("first", "second", "third"));
  EXPECT_EQ(after->GetRecovered()[1].id, BlobId::Of(large_));
  EXPECT_EQ(after->GetRecovered()[1].bytes, large_.size());
  EXPECT_EQ(after->GetRecovered()[2].id, BlobId::Of("hello"));
}

TEST_F(ReplayTest, NotesAreHandedOutUntilSomebodyTookThem) {
  world_.Put("hello", "first");
  const auto after = world_.AfterCrash();
  int asked = 0;
  after->Options().recovered = [&](std::span<const NotedBlob>) -> Result<void> {
    ++asked;
    return FailPrivately(ErrorCode::kUnavailable, "no");
  };
  EXPECT_THAT(after->TryOpen(), FailsWith(ErrorCode::kUnavailable));
  EXPECT_THAT(after->TryOpen(), FailsWith(ErrorCode::kUnavailable));
  EXPECT_EQ(asked, 2);
}

TEST_F(ReplayTest, NotesThatAreSettledDoNotComeBack) {
  world_.Put("one", "first");
  // A commit that begins after the pin is gone has the rows of whoever held it, too.
  ASSERT_THAT(Blobs().Remove({}, world_.Put("other")), IsOk());
  world_.Put("two", "second");
  const auto after = world_.AfterCrash();
  after->Open();
  EXPECT_THAT(NotesOf(*after), ElementsAre("second"));
}

TEST_F(ReplayTest, NotesAreKeptAsLongAsTheirPin) {
  const auto pinned = Blobs().Put({}, "one", {.note = "first"});
  world_.Put("two", "second");
  ASSERT_THAT(Blobs().Remove({}, world_.Put("other")), IsOk());
  {
    const auto after = world_.AfterCrash();
    after->Open();
    EXPECT_THAT(NotesOf(*after), ElementsAre("first", "second"));
  }
  // The second again, because it lies behind the first, which is still needed.
  world_.Close();
  world_.Open();
  EXPECT_THAT(NotesOf(world_), ElementsAre("first", "second"));
}

TEST_F(ReplayTest, NotesOfRemovedBlobsDoNotComeBack) {
  const auto pinned = Blobs().Put({}, "one", {.note = "first"});
  const BlobId gone = world_.Put("gone", "second");
  ASSERT_THAT(Blobs().Remove({}, gone), IsOk());
  const auto after = world_.AfterCrash();
  after->Open();
  EXPECT_THAT(NotesOf(*after), ElementsAre("first"));
  EXPECT_FALSE(after->Has(gone));
}

TEST_F(ReplayTest, WhatWasRemovedStaysRemoved) {
  const BlobId small = world_.Put("hello");
  const BlobId large = world_.Put(large_);
  ASSERT_THAT(Blobs().Remove({}, small), IsOk());
  ASSERT_THAT(Blobs().Remove({}, large), IsOk());
  const auto after = world_.AfterCrash();
  after->Open();
  EXPECT_FALSE(after->Has(small));
  EXPECT_FALSE(after->Has(large));
  EXPECT_EQ(after->Blobs().Statistics().count, 0U);
}

TEST_F(ReplayTest, WhatWasRemovedAndPutAgainIsThere) {
  ASSERT_THAT(Blobs().Remove({}, world_.Put("hello")), IsOk());
  world_.Put("hello");
  ASSERT_THAT(Blobs().Remove({}, world_.Put(large_)), IsOk());
  world_.Put(large_);
  const auto after = world_.AfterCrash();
  after->Open();
  ExpectReads(*after, "hello");
  ExpectReads(*after, large_);
  EXPECT_EQ(after->Blobs().Statistics().count, 2U);
}

TEST_F(ReplayTest, ACleanEndLeavesNothingToRecover) {
  world_.Put("one", "first");
  world_.Put(large_, "second");
  world_.Reopen();
  EXPECT_THAT(NotesOf(world_), IsEmpty());
}

TEST_F(ReplayTest, SeveralCrashesInARow) {
  auto world = world_.AfterCrash();
  std::vector<std::string> put;
  for (int round = 0; round < 5; ++round) {
    world->Open();
    put.push_back("round " + std::to_string(round));
    world->Put(put.back(), put.back());
    world = world->AfterCrash();
  }
  world->Open();
  for (const std::string& bytes : put) {
    ExpectReads(*world, bytes);
  }
  EXPECT_THAT(NotesOf(*world), ElementsAre("round 4"));
  EXPECT_EQ(world->Blobs().Statistics().count, 5U);
}

/// The heart of it: whatever the disk has of the end of a pack, exactly the whole records are
/// there.
TEST_F(ReplayTest, EveryPrefixOfAPackRecoversToItsWholeRecords) {
  std::mt19937_64 random(TestSeed());
  struct PutRecord {
    std::string bytes;
    std::string note;
    std::uint64_t end;
  };
  std::vector<PutRecord> put;
  std::uint64_t end = kHeadBytes;
  for (int i = 0; i < 12; ++i) {
    // No two alike: what is there already is not put again.
    PutRecord one{.bytes = std::to_string(i) + RandomBytes(random, random() % 90),
                  .note = i % 3 == 0 ? "" : "note " + std::to_string(i),
                  .end = 0};
    end += kHeadBytes + one.bytes.size() + one.note.size();
    one.end = end;
    world_.Put(one.bytes, one.note);
    put.push_back(one);
  }
  const auto crashed = world_.AfterCrash();
  const fs::path name = crashed->PackFiles().front().filename();
  const std::string whole = ReadFile(crashed->PackFiles().front()).substr(0, end);
  WriteFile(crashed->PackFiles().front(), whole);
  const auto is_near_an_end = [&](std::size_t cut) {
    return std::ranges::any_of(
        put, [&](const PutRecord& one) { return one.end < cut + 3 && cut < one.end + 3; });
  };
  for (std::size_t cut = 0; cut <= whole.size();
       cut += is_near_an_end(cut) ? 1 : 1 + random() % 12) {
    SCOPED_TRACE(::testing::Message() << "cut at " << cut);
    const auto after = crashed->AfterCrash();
    // What is behind the cut: nothing, zeros, or what the file system had there before.
    std::string bytes = whole.substr(0, cut);
    const auto rest = static_cast<int>(random() % 3);
    bytes += rest == 0 ? "" : rest == 1 ? std::string(200, '\0') : RandomBytes(random, 100);
    WriteFile(after->Folder() / "packs" / name, bytes);
    after->Open();
    std::vector<std::string> notes;
    std::size_t count = 0;
    for (const PutRecord& one : put) {
      // Not `one.end <= cut`: what was there before may be the very byte that was cut off.
      const bool is_whole = bytes.starts_with(std::string_view(whole).substr(0, one.end));
      EXPECT_EQ(after->Has(BlobId::Of(one.bytes)), is_whole);
      count += is_whole ? 1 : 0;
      if (is_whole) {
        ExpectReads(*after, one.bytes);
      }
      if (is_whole && !one.note.empty()) {
        notes.push_back(one.note);
      }
    }
    EXPECT_EQ(NotesOf(*after), notes);
    EXPECT_EQ(after->Blobs().Statistics().count, count);
    // And it goes on from there.
    after->Put("what comes next");
    after->Reopen();
    ExpectReads(*after, "what comes next");
    EXPECT_EQ(after->Blobs().Statistics().count, count + 1);
    if (HasFailure()) {
      break;
    }
  }
}

TEST_F(ReplayTest, ATornPackIsNotGoneOnWith) {
  world_.Put("one");
  const auto after = world_.AfterCrash();
  const fs::path pack = after->PackFiles().front();
  WriteFile(pack, ReadFile(pack).substr(0, 2 * kHeadBytes + 3) + "torn");
  after->Open();
  ExpectReads(*after, "one");
  EXPECT_EQ(fs::file_size(pack), 2 * kHeadBytes + 3);
  after->Put("two");
  EXPECT_THAT(after->PackFiles(), SizeIs(2));
}

TEST_F(ReplayTest, DamageInTheMiddleDoesNotCutOffWhatWasAcknowledged) {
  world_.Put("one");
  world_.Put("two");
  world_.Put("three");
  const auto after = world_.AfterCrash();
  DamageAt(after->PackFiles().front(), "two");
  after->Open();
  ExpectReads(*after, "one");
  EXPECT_FALSE(after->Has(BlobId::Of("two")));
  ExpectReads(*after, "three");
}

TEST_F(ReplayTest, APackWithoutAHeadIsThrownAway) {
  const auto after = world_.AfterCrash();
  fs::create_directories(after->Folder() / "packs");
  WriteFile(after->Folder() / "packs" / "00000000000000ff.pack", "");
  after->Open();
  EXPECT_THAT(after->PackFiles(), IsEmpty());
}

TEST_F(ReplayTest, APackWithADamagedHeadIsLeftAlone) {
  world_.Put("one");
  world_.Close();
  World empty;
  fs::copy(world_.Folder(), empty.Folder(), fs::copy_options::recursive);
  DamageAt(empty.PackFiles().front(), "ATRPACK1");
  empty.Open();
  EXPECT_THAT(empty.PackFiles(), SizeIs(1));
}

TEST_F(ReplayTest, AFileWithoutARecordIsNotThere) {
  world_.Put("one");
  const auto after = world_.AfterCrash();
  const BlobId id = BlobId::Of(large_);
  fs::create_directories(after->OwnFile(id).parent_path());
  WriteFile(after->OwnFile(id), large_);
  after->Open();
  EXPECT_FALSE(after->Has(id));
}

TEST_F(ReplayTest, AnOlderStoreFindsWhatCameAfterIt) {
  world_.Put("before");
  ASSERT_THAT(Blobs().Remove({}, world_.Put("other")), IsOk());
  std::unique_ptr<ForgetfulEngine> backup = world_.Engine().AfterCrash();
  world_.Put("after", "note");
  world_.Reopen();
  world_.Put(large_);
  world_.Close();

  World restored(std::move(backup));
  restored.Options().own_file_bytes = kOwnFileBytes;
  fs::copy(world_.Folder(), restored.Folder(), fs::copy_options::recursive);
  restored.Open();
  ExpectReads(restored, "before");
  ExpectReads(restored, "after");
  ExpectReads(restored, large_);
  EXPECT_THAT(NotesOf(restored), ElementsAre("note"));
}

TEST_F(ReplayTest, AnEmptyStoreFindsEverything) {
  for (int i = 0; i < 600; ++i) {
    world_.Put("blob " + std::to_string(i), std::to_string(i));
  }
  world_.Put(large_);
  world_.Close();
  World empty;
  empty.Options().own_file_bytes = kOwnFileBytes;
  fs::copy(world_.Folder(), empty.Folder(), fs::copy_options::recursive);
  empty.Open();
  EXPECT_EQ(empty.Blobs().Statistics().count, 601U);
  EXPECT_THAT(NotesOf(empty), SizeIs(600));
  ExpectReads(empty, "blob 599");
  ExpectReads(empty, large_);
}

/// What a room does with notes: after a crash its own rows are there again.
TEST_F(ReplayTest, OneSyncMakesBlobAndMappingDurable) {
  const auto mapping = [](std::string_view note, const BlobId& id) {
    return store::ImmutableRow{.key = {.partition = std::string(note)},
                               .document = "\"" + id.Render() + "\""};
  };
  const std::uint64_t syncs = world_.GetDisk().Syncs();
  {
    const auto pin = Blobs().Put({}, "hello", {.note = "library/sha1"});
    ASSERT_THAT(pin, IsOk());
    const auto row = mapping("library/sha1", pin->Id());
    ASSERT_THAT(world_.Engine().WriteImmutable({}, kMappings, std::span(&row, 1)), IsOk());
  }
  EXPECT_EQ(world_.GetDisk().Syncs(), syncs + 2) << "one for the new pack, one for the record";

  const auto after = world_.AfterCrash();
  const store::KeyView key{.partition = "library/sha1"};
  EXPECT_THAT(after->Engine().Get({}, kMappings, key), Holds(std::nullopt)) << "it was lost";
  after->Options().recovered = [&](std::span<const NotedBlob> some) -> Result<void> {
    for (const NotedBlob& recovered : some) {
      const auto row = mapping(recovered.note, recovered.id);
      RETURN_IF_ERROR(after->Engine().WriteImmutable({}, kMappings, std::span(&row, 1)));
    }
    return {};
  };
  after->Open();
  const auto twice = after->AfterCrash();
  EXPECT_THAT(twice->Engine().Get({}, kMappings, key), Holds(::testing::Ne(std::nullopt)))
      << "durable before the blobs are open";
}

}  // namespace
}  // namespace atrium::blobs
