// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "blobs/pack_scan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "base/testing.h"
#include "blobs/blobs_testing.h"

namespace atrium::blobs {
namespace {

using ::testing::ElementsAre;

class PackScanTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto folder = Folder::Open(temporary_.Path() / "blobs", ids_.NewUuid(), disk_);
    ASSERT_THAT(folder, IsOk());
    folder_.emplace(*std::move(folder));
    auto writer = PackWriter::Create(*folder_, 1, disk_);
    ASSERT_THAT(writer, IsOk());
    writer_.emplace(*std::move(writer));
  }

  std::uint64_t Append(std::string_view payload, std::string_view note = {}) {
    const NewRecord record{
        .id = BlobId::Of(payload), .bytes = payload.size(), .payload = payload, .note = note};
    const auto places = writer_->Append(std::span(&record, 1));
    EXPECT_THAT(places, IsOk());
    return places->at(0);
  }

  /// What a scan shows: payloads, those that are not sound as "?".
  std::vector<std::string> Scan(PackScan::Payloads payloads = PackScan::Payloads::kRead) {
    const auto pack = PackFile::Open(*folder_, 1);
    EXPECT_THAT(pack, IsOk());
    PackScan scan(*pack, {.before = writer_->End(), .payloads = payloads});
    std::vector<std::string> seen;
    while (true) {
      const auto record = scan.Next();
      EXPECT_THAT(record, IsOk());
      if (!record || !*record) {
        break;
      }
      const ScannedRecord& one = **record;
      seen.push_back(!one.sound         ? "?"
                     : one.note.empty() ? std::string(one.payload)
                                        : std::string(one.payload) + "/" + std::string(one.note));
    }
    passed_over_ = scan.PassedOver();
    return seen;
  }
  std::filesystem::path Path() const { return folder_->PackAt(1); }

  engines::TemporaryFolder temporary_;
  FixedIdSource ids_;
  FaultyDisk disk_;
  std::optional<Folder> folder_;
  std::optional<PackWriter> writer_;
  bool passed_over_ = false;
};

TEST_F(PackScanTest, ShowsRecordsInTheirOrder) {
  Append("one");
  Append("two", "noted");
  Append("");
  EXPECT_THAT(Scan(), ElementsAre("one", "two/noted", ""));
  EXPECT_FALSE(passed_over_);
}

TEST_F(PackScanTest, MayLeaveThePayloadsOut) {
  Append("one", "first");
  Append("two", "second");
  EXPECT_THAT(Scan(PackScan::Payloads::kSkip), ElementsAre("/first", "/second"));
}

TEST_F(PackScanTest, AWrongPayloadCostsOneRecord) {
  Append("one");
  Append("two");
  Append("three");
  DamageAt(Path(), "two");
  EXPECT_THAT(Scan(), ElementsAre("one", "?", "three"));
  EXPECT_FALSE(passed_over_);
}

TEST_F(PackScanTest, AWrongNoteCostsOneRecord) {
  Append("one", "first");
  Append("two");
  DamageAt(Path(), "first");
  EXPECT_THAT(Scan(), ElementsAre("?", "two"));
}

TEST_F(PackScanTest, AWrongHeadIsPassedOver) {
  Append("one");
  Append("two");
  Append("three");
  DamageAt(Path(), BlobId::Of("two").Bytes());
  EXPECT_THAT(Scan(), ElementsAre("one", "three"));
  EXPECT_TRUE(passed_over_);
}

TEST_F(PackScanTest, ARecordInsideAPayloadIsNone) {
  Append("one");
  const std::string inner = ReadFile(Path()).substr(kHeadBytes, kHeadBytes + 3);
  Append(inner);
  Append("two");
  DamageAt(Path(), BlobId::Of(inner).Bytes());
  EXPECT_THAT(Scan(), ElementsAre("one", "two"));
}

TEST_F(PackScanTest, FindsRecordsBehindMuchDamage) {
  std::mt19937_64 random(TestSeed());
  const std::string large = RandomBytes(random, 3'000'000);
  Append(large);
  Append("two");
  DamageAt(Path(), BlobId::Of(large).Bytes());
  EXPECT_THAT(Scan(), ElementsAre("two"));
}

/// Whatever the disk makes of a pack, what is shown as sound is what was written.
TEST_F(PackScanTest, ShowsNothingAsSoundThatWasNotWritten) {
  std::mt19937_64 random(TestSeed());
  std::set<std::string> written;
  for (int i = 0; i < 20; ++i) {
    const std::string payload = RandomBytes(random, random() % 200);
    const std::string note = RandomBytes(random, random() % 20);
    Append(payload, note);
    written.insert(note.empty() ? payload : payload + "/" + note);
  }
  const std::string whole = ReadFile(Path()).substr(0, writer_->End());
  for (int round = 0; round < 300; ++round) {
    std::string bytes = whole;
    for (std::size_t i = 0; i <= random() % 4; ++i) {
      // A few bytes are overwritten, moved, or gone.
      const std::size_t at = kHeadBytes + random() % (bytes.size() - kHeadBytes);
      const std::size_t from = kHeadBytes + random() % (bytes.size() - kHeadBytes);
      const std::size_t count = random() % 150;
      switch (random() % 3) {
        case 0:
          bytes.replace(at, count, RandomBytes(random, count));
          break;
        case 1:
          bytes.replace(at, count, bytes.substr(from, count));
          break;
        default:
          bytes.erase(at, count);
      }
    }
    WriteFile(Path(), bytes);
    for (const std::string& seen : Scan()) {
      EXPECT_TRUE(seen == "?" || written.contains(seen));
    }
  }
}

}  // namespace
}  // namespace atrium::blobs
