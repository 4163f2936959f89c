// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/import_outline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "base/testing.h"
#include "calendar/memory_testing.h"

namespace atrium::calendar {
namespace {

using ::testing::SizeIs;

std::string File(const std::string& items) {
  return "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n" + items + "END:VCALENDAR\r\n";
}

/// Changes of single occurrences of one series, each as short as it can be: five lines.
std::string Occurrences(std::size_t count) {
  std::string items;
  for (std::size_t i = 0; i < count; ++i) {
    items +=
        "BEGIN:VEVENT\r\nUID:a\r\nRECURRENCE-ID:20260302T090000Z\r\n"
        "DTSTART:20260302T100000Z\r\nEND:VEVENT\r\n";
  }
  return File(items);
}

std::size_t LineOfOccurrence(std::size_t number) {
  return 3 + 5 * number;
}

TEST(ImportOutlineTest, OccurrencesAreKeptUntilTheirSeriesComes) {
  auto outline = ImportOutline::Read(Occurrences(100));
  ASSERT_THAT(outline, IsOk());
  EXPECT_FALSE(outline->IsTooMany(LineOfOccurrence(99)));
  EXPECT_THAT(outline->TakeOccurrences("a"), SizeIs(100));
  EXPECT_THAT(outline->TakeOccurrences("a"), SizeIs(0));
}

TEST(ImportOutlineTest, TinyOccurrencesThatAreLargeInMemoryAreTooMany) {
  constexpr std::size_t kCount = 30'000;
  auto outline = ImportOutline::Read(Occurrences(kCount));
  ASSERT_THAT(outline, IsOk());
  EXPECT_FALSE(outline->IsTooMany(LineOfOccurrence(1000)));
  EXPECT_TRUE(outline->IsTooMany(LineOfOccurrence(kCount - 1)));
  EXPECT_TRUE(outline->Names("a"));
}

TEST(ImportOutlineTest, TakesLittleMoreMemoryThanItIsBoundTo) {
  if (!testing::DoesAllocatorTell()) {
    GTEST_SKIP() << "the allocator does not say what is allocated";
  }
  const std::string text = Occurrences(30'000);
  const std::size_t before = testing::AllocatedBytes();
  const auto outline = ImportOutline::Read(text);
  ASSERT_THAT(outline, IsOk());
  EXPECT_LT(testing::AllocatedBytes() - before, OutlineBytesMax(text.size()));
}

TEST(ImportOutlineTest, MoreUidsThanCanBeKnownAreRefused) {
  // Nothing is shorter than a task of which nothing is said.
  std::string items;
  for (char a = 'A'; a <= 'Z'; ++a) {
    for (char b = 'A'; b <= 'Z'; ++b) {
      for (char c = 'A'; c <= 'Z'; ++c) {
        items += "BEGIN:VTODO\nUID:" + std::string{a, b, c} + "\nEND:VTODO\n";
      }
    }
  }
  EXPECT_THAT(ImportOutline::Read(File(items)),
              FailsSaying(ErrorCode::kLimitExceeded, "bring it in as several"));
}

}  // namespace
}  // namespace atrium::calendar
