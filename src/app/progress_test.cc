// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/progress.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace atrium::app {
namespace {

TEST(ProgressTest, BytesHaveAUnitThatFits) {
  EXPECT_EQ(RenderBytes(0), "0 B");
  EXPECT_EQ(RenderBytes(1023), "1023 B");
  EXPECT_EQ(RenderBytes(1024), "1.0 KiB");
  EXPECT_EQ(RenderBytes((std::uint64_t{3} << 30) + (std::uint64_t{1} << 29)), "3.5 GiB");
  EXPECT_EQ(RenderBytes(std::uint64_t{5000} << 40), "5000.0 TiB");
}

TEST(ProgressTest, TheTotalIsSaidWhenItIsKnown) {
  EXPECT_EQ(Render(WorkProgress{.done = 12, .unit = WorkUnit::kRows}), "12 rows");
  EXPECT_EQ(Render(WorkProgress{.done = 12, .total = 48, .unit = WorkUnit::kRows}),
            "12 of 48 rows, 25 %");
  EXPECT_EQ(Render(WorkProgress{.done = 1024, .total = 2048}), "1.0 KiB of 2.0 KiB, 50 %");
}

TEST(ProgressTest, AnEstimateThatWasTooLowIsNotMoreThanAll) {
  EXPECT_EQ(Render(WorkProgress{.done = 30, .total = 20}), "30 B of 20 B, 100 %");
}

TEST(ProgressTest, NothingIsShownWhereThereIsNoTerminalAndNobodyAsked) {
  ::testing::internal::CaptureStderr();
  {
    ProgressDisplay("backup", ShowProgress::kOnTerminal).Show(WorkProgress{.done = 1});
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST(ProgressTest, LinesComeOnceASecondAndAtTheEnd) {
  ::testing::internal::CaptureStderr();
  {
    ProgressDisplay display("backup", ShowProgress::kAlways);
    for (std::uint64_t done = 1; done <= 4; ++done) {
      display.Show(WorkProgress{.done = done, .total = 4});
    }
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "backup: 1 B of 4 B, 25 %\nbackup: 4 B of 4 B, 100 %\n");
}

}  // namespace
}  // namespace atrium::app
