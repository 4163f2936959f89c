// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/rocksdb/log_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "engines/rocksdb/engine_testing.h"
#include "engines/rocksdb/log_scan.h"
#include "store/op_context_testing.h"

namespace atrium::rocks {
namespace {

namespace fs = std::filesystem;

std::string ReadFile(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void WriteFile(const fs::path& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// The log of a folder; there is one.
fs::path LogOf(const fs::path& folder) {
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".log") {
      return entry.path();
    }
  }
  ADD_FAILURE() << "no log in " << folder;
  return {};
}

/// Where the last byte stands that is not zero, and one more.
std::size_t EndOf(const std::string& log) {
  return log.find_last_not_of('\0') + 1;
}

LogScan Scan(const std::string& log) {
  LogScan scan;
  scan.BeginFile("000001.log");
  for (std::size_t at = 0; at < log.size(); at += LogScan::kBlockBytes) {
    scan.AddBlock(std::string_view(log).substr(at, LogScan::kBlockBytes));
  }
  scan.EndFile();
  return scan;
}

class LogCheckTest : public EngineTest {
 protected:
  void Commit(int from, int to) {
    for (int i = from; i < to; ++i) {
      ASSERT_THAT(Put({"p", std::to_string(i)}, "document " + std::to_string(i) + "."), IsOk());
    }
  }

  /// What a kill at this moment leaves behind.
  fs::path Leave() {
    const fs::path copy = folder_.At("left-" + std::to_string(copies_++));
    fs::copy(folder_.At("store"), copy);
    return copy;
  }

  RocksOptions OptionsFor(const fs::path& folder) const {
    RocksOptions options = Options();
    options.path = folder.string();
    return options;
  }

  void ExpectOpens(const fs::path& folder, int committed) {
    const auto engine = RocksEngine::Open(OptionsFor(folder), clock_);
    ASSERT_THAT(engine, IsOk());
    for (int i = 0; i < committed; ++i) {
      EXPECT_NE(DocumentIn(**engine, {"p", std::to_string(i)}), "") << i;
    }
    EXPECT_FALSE((*engine)->MayHaveGoneBack());
  }

  int copies_ = 0;
};

TEST_F(LogCheckTest, AByteFlippedBeforeTheEndIsRefusedWithWhatToDo) {
  Commit(0, 300);
  const fs::path left = Leave();
  const std::string log = ReadFile(LogOf(left));
  const std::size_t end = EndOf(log);
  for (const std::size_t part : {1U, 30U, 50U, 90U}) {
    std::string flipped = log;
    flipped[end * part / 100] ^= 1;
    WriteFile(LogOf(left), flipped);
    EXPECT_THAT(RocksEngine::Open(OptionsFor(left), clock_),
                FailsSaying(ErrorCode::kCorrupt, "atrium store salvage"))
        << part;
  }
  // It was not touched by the refusals.
  WriteFile(LogOf(left), log);
  ExpectOpens(left, 300);
}

TEST_F(LogCheckTest, DamageIsFoundBehindLaterBlocksToo) {
  for (int i = 0; i < 40; ++i) {
    ASSERT_THAT(Put({"p", std::to_string(i)}, std::string(10'000, 'x')), IsOk());
  }
  const fs::path left = Leave();
  std::string log = ReadFile(LogOf(left));
  // A whole sector of a record that goes over two blocks.
  std::fill_n(log.begin() + LogScan::kBlockBytes, 512, '\0');
  WriteFile(LogOf(left), log);
  const auto damage = RocksEngine::FindDamage(OptionsFor(left), clock_);
  ASSERT_THAT(damage, Holds(::testing::Ne(std::nullopt)));
  EXPECT_GT((*damage)->rows, 30U);
}

TEST_F(LogCheckTest, WhatIsDroppedIsSaidAndTheStoreGoesOnFromBeforeTheDamage) {
  Commit(0, 100);
  const fs::path left = Leave();
  std::string log = ReadFile(LogOf(left));
  log[EndOf(log) / 2] ^= 1;
  WriteFile(LogOf(left), log);
  const auto damage = RocksEngine::FindDamage(OptionsFor(left), clock_);
  ASSERT_THAT(damage, Holds(::testing::Ne(std::nullopt)));
  // A row and the metadata of each commit.
  EXPECT_NEAR(static_cast<double>((*damage)->rows), 100, 10);
  EXPECT_EQ((*damage)->file, LogOf(left).filename());

  RocksOptions options = OptionsFor(left);
  options.on_damage = OnDamage::kDrop;
  {
    const auto engine = RocksEngine::Open(options, clock_);
    ASSERT_THAT(engine, IsOk());
    EXPECT_TRUE((*engine)->MayHaveGoneBack());
    EXPECT_EQ(DocumentIn(**engine, {"p", "30"}), "document 30.");
    EXPECT_EQ(DocumentIn(**engine, {"p", "99"}), "");
  }
  // Nobody has said that whoever knows what is gone was told.
  const auto again = RocksEngine::Open(OptionsFor(left), clock_);
  ASSERT_THAT(again, IsOk());
  EXPECT_TRUE((*again)->MayHaveGoneBack());
  ASSERT_THAT((*again)->Settle(), IsOk());
  EXPECT_FALSE((*again)->MayHaveGoneBack());
}

TEST_F(LogCheckTest, ATornTailIsDroppedWhereverItIsTorn) {
  Commit(0, 20);
  const std::size_t before = EndOf(ReadFile(LogOf(folder_.At("store"))));
  Commit(20, 22);
  const fs::path left = Leave();
  const std::string log = ReadFile(LogOf(left));
  const std::size_t end = EndOf(log);
  for (std::size_t cut = before; cut < end; ++cut) {
    const LogScan shorter = Scan(log.substr(0, cut));
    EXPECT_TRUE(!shorter.Flaw() || shorter.Flaw()->torn) << cut;
    std::string zeroed = log;
    std::fill(zeroed.begin() + static_cast<std::ptrdiff_t>(cut), zeroed.end(), '\0');
    const LogScan zeros = Scan(zeroed);
    EXPECT_TRUE(!zeros.Flaw() || zeros.Flaw()->torn) << cut;
    EXPECT_FALSE(zeros.GoesOnBehindFlaw()) << cut;
    if ((cut - before) % 16 == 0) {
      WriteFile(LogOf(left), zeroed);
      EXPECT_THAT(RocksEngine::FindDamage(OptionsFor(left), clock_), Holds(std::nullopt)) << cut;
    }
  }
  ExpectOpens(left, 20);
}

TEST_F(LogCheckTest, TheLastRecordIsRefusedWhenItDoesNotLookTorn) {
  Commit(0, 20);
  const fs::path left = Leave();
  std::string log = ReadFile(LogOf(left));
  log[EndOf(log) - 10] ^= 1;
  WriteFile(LogOf(left), log);
  EXPECT_THAT(RocksEngine::Open(OptionsFor(left), clock_),
              FailsSaying(ErrorCode::kCorrupt, "what was saved last cannot be read"));
}

TEST_F(LogCheckTest, ALastRecordOfSeveralBlocksIsRefusedToo) {
  Commit(0, 5);
  const std::size_t before = EndOf(ReadFile(LogOf(folder_.At("store"))));
  ASSERT_THAT(Put({"p", "long"}, std::string(60'000, 'x')), IsOk());
  const fs::path left = Leave();
  const std::string log = ReadFile(LogOf(left));
  for (const std::size_t at : {before + 100, std::size_t{LogScan::kBlockBytes} + 100}) {
    std::string flipped = log;
    flipped[at] ^= 1;
    WriteFile(LogOf(left), flipped);
    EXPECT_THAT(RocksEngine::Open(OptionsFor(left), clock_),
                FailsSaying(ErrorCode::kCorrupt, "what was saved last cannot be read"))
        << at;
  }
}

TEST_F(LogCheckTest, ALogThatIsMissingBetweenOthersIsDamage) {
  Commit(0, 10);
  const std::size_t first = EndOf(ReadFile(LogOf(folder_.At("store"))));
  Commit(10, 20);
  const std::size_t second = EndOf(ReadFile(LogOf(folder_.At("store"))));
  Commit(20, 30);
  const fs::path left = Leave();
  const fs::path path = LogOf(left);
  const std::string log = ReadFile(path);
  const std::string next = std::to_string(std::stoi(path.stem()) + 2);
  WriteFile(path, log.substr(0, first));
  WriteFile(left / (std::string(6 - next.size(), '0') + next + ".log"),
            log.substr(second, EndOf(log) - second));
  const auto damage = RocksEngine::FindDamage(OptionsFor(left), clock_);
  ASSERT_THAT(damage, Holds(::testing::Ne(std::nullopt)));
  EXPECT_EQ((*damage)->file, "");
  // A row and the metadata of each commit.
  EXPECT_EQ((*damage)->rows, 20U);
  EXPECT_THAT(RocksEngine::Open(OptionsFor(left), clock_),
              FailsSaying(ErrorCode::kCorrupt, "a file is missing"));
}

TEST_F(LogCheckTest, ARecordWhoseHeadGoesOverTwoBlocksLeavesNoGap) {
  constexpr std::size_t kLeftInBlock = 15;
  const auto end = [&] { return EndOf(ReadFile(LogOf(folder_.At("store")))); };
  const auto put = [&](const std::string& name, std::size_t bytes) {
    ASSERT_THAT(Put({"p", name}, std::string(bytes, 'x')), IsOk());
  };
  put("a", 12'000);
  const std::size_t before = end();
  put("b", 12'000);
  const std::size_t overhead = end() - before - 12'000;
  put("c", LogScan::kBlockBytes - kLeftInBlock - end() - overhead);
  // Room for the head of a fragment and not for that of a batch.
  ASSERT_THAT(LogScan::kBlockBytes - end(),
              ::testing::AllOf(::testing::Gt(7U), ::testing::Lt(19U)));
  Commit(0, 5);
  const LogScan scan = Scan(ReadFile(LogOf(folder_.At("store"))));
  EXPECT_FALSE(scan.IsSuspect());
  ExpectOpens(Leave(), 5);
}

TEST_F(LogCheckTest, AHoleAmongRowsThatNoSyncCoversIsATornTail) {
  Commit(0, 5);
  const std::size_t hole = EndOf(ReadFile(LogOf(folder_.At("store"))));
  for (const char* name : {"h1", "h2"}) {
    const std::vector<store::ImmutableRow> rows = {
        {.key = {name, ""}, .document = std::string(2000, 'x')}};
    ASSERT_THAT(engine_->WriteImmutable(store::kTestOp, kBlocks, rows), IsOk());
  }
  const auto leave_with_hole = [&] {
    fs::path left = Leave();
    std::string log = ReadFile(LogOf(left));
    std::fill_n(log.begin() + static_cast<std::ptrdiff_t>(hole), 1000, '\0');
    WriteFile(LogOf(left), log);
    return left;
  };
  ExpectOpens(leave_with_hole(), 5);
  // The first commit covers what is before it, and the second one knows that.
  Commit(5, 7);
  EXPECT_THAT(RocksEngine::Open(OptionsFor(leave_with_hole()), clock_),
              FailsWith(ErrorCode::kCorrupt));
}

TEST_F(LogCheckTest, ADurableStoreThatWasKilledHasNotGoneBack) {
  Commit(0, 5);
  ExpectOpens(Leave(), 5);
}

TEST_F(LogCheckTest, ARelaxedStoreThatWasNotClosedMayHaveGoneBack) {
  RocksOptions options = OptionsFor(folder_.At("relaxed"));
  options.durability = Durability::kRelaxed;
  const auto copy = fs::path(folder_.At("copy"));
  {
    const auto engine = RocksEngine::Open(options, clock_);
    ASSERT_THAT(engine, IsOk());
    EXPECT_FALSE((*engine)->MayHaveGoneBack()) << "it is new";
    fs::copy(options.path, copy);
  }
  const auto closed = RocksEngine::Open(options, clock_);
  ASSERT_THAT(closed, IsOk());
  EXPECT_FALSE((*closed)->MayHaveGoneBack());
  // Whatever it is opened as next.
  options.path = copy;
  options.durability = Durability::kDurable;
  for (const bool settles : {false, true}) {
    const auto killed = RocksEngine::Open(options, clock_);
    ASSERT_THAT(killed, IsOk());
    EXPECT_TRUE((*killed)->MayHaveGoneBack());
    if (settles) {
      ASSERT_THAT((*killed)->Settle(), IsOk());
    }
  }
  const auto settled = RocksEngine::Open(options, clock_);
  ASSERT_THAT(settled, IsOk());
  EXPECT_FALSE((*settled)->MayHaveGoneBack());
}

}  // namespace
}  // namespace atrium::rocks
