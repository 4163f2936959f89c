// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/tree_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/testing.h"

namespace atrium::files {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;

/// About so many bytes of it.
Directory DirectoryOf(std::size_t bytes) {
  std::vector<Dirent> entries(bytes / sizeof(Dirent), {.mode = kDirectoryMode});
  for (std::size_t i = 0; i < entries.size(); ++i) {
    entries[i].name = std::to_string(i);
  }
  return Directory::Make(std::move(entries)).value();
}

class TreeMemoryTest : public ::testing::Test {
 protected:
  std::shared_ptr<TreeMemory> Make(std::size_t bytes_max = kWalkBytesMax) {
    return std::make_shared<TreeMemory>(
        budget_, TreeMemory::Limits{.bytes = bytes_max, .patience = std::chrono::milliseconds(0)});
  }

  MemoryBudget budget_{64 * kMiB};
};

TEST_F(TreeMemoryTest, LittleNeedsNothingOfTheBudget) {
  const auto memory = Make();
  const auto some = memory->HandOut(DirectoryOf(kMiB / 2));
  EXPECT_THAT(some, IsOk());
  EXPECT_THAT(memory->Lend(kMiB / 2), IsOk());
  EXPECT_EQ(budget_.Used(), 0U);
}

TEST_F(TreeMemoryTest, MuchIsTakenUntilNobodyHasIt) {
  auto memory = Make();
  auto large = memory->HandOut(DirectoryOf(10 * kMiB)).value();
  const auto copy = large;
  memory.reset();
  large.reset();
  EXPECT_GT(budget_.Used(), 8 * kMiB);
  EXPECT_LT(budget_.Used(), 12 * kMiB);
  EXPECT_FALSE(copy->empty());
}

TEST_F(TreeMemoryTest, NothingIsLeftBehind) {
  const auto memory = Make();
  for (int i = 0; i < 20; ++i) {
    const auto first = memory->HandOut(DirectoryOf(4 * kMiB));
    const auto second = memory->HandOut(DirectoryOf(8 * kMiB));
    ASSERT_THAT(second, IsOk());
  }
  EXPECT_EQ(budget_.Used(), 0U);
}

TEST_F(TreeMemoryTest, OneWalkHasABound) {
  const auto memory = Make(3 * kMiB);
  {
    const auto first = memory->HandOut(DirectoryOf(2 * kMiB));
    ASSERT_THAT(first, IsOk());
    EXPECT_THAT(memory->HandOut(DirectoryOf(2 * kMiB)), FailsWith(ErrorCode::kLimitExceeded));
  }
  EXPECT_THAT(memory->HandOut(DirectoryOf(2 * kMiB)), IsOk());
}

TEST_F(TreeMemoryTest, AllTogetherHaveABound) {
  const auto theirs = Make();
  std::vector<std::shared_ptr<const Directory>> held(5);
  for (std::shared_ptr<const Directory>& one : held) {
    one = theirs->HandOut(DirectoryOf(10 * kMiB)).value();
  }
  const auto ours = Make();
  EXPECT_THAT(ours->HandOut(DirectoryOf(10 * kMiB)), FailsWith(ErrorCode::kUnavailable));
  EXPECT_THAT(ours->Lend(10 * kMiB), FailsWith(ErrorCode::kUnavailable));
  EXPECT_THAT(ours->HandOut(DirectoryOf(kMiB / 2)), IsOk()) << "what is short is read all the same";
  held.clear();
  EXPECT_THAT(ours->HandOut(DirectoryOf(10 * kMiB)), IsOk());
}

}  // namespace
}  // namespace atrium::files
