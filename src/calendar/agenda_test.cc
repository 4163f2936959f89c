// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/agenda.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "calendar/entry_writes.h"
#include "calendar/memory_testing.h"
#include "calendar/room_testing.h"
#include "store/batch.h"
#include "store/forwarding_engine_testing.h"

namespace atrium::calendar {
namespace {

using testing::AllocatedBytes;
using testing::Day;
using ::testing::HasSubstr;
using ::testing::SizeIs;

/// Looks after each scan at what is allocated: whoever reads has seen all of its rows by then, and
/// keeps what it needs of them.
class WatchingEngine final : public store::ForwardingEngine {
 public:
  using ForwardingEngine::ForwardingEngine;

  Result<store::ScanEnd> Scan(const store::OpContext& op, const store::ScanRequest& request,
                              store::RowSink& sink) override {
    auto end = ForwardingEngine::Scan(op, request, sink);
    most_ = std::max(most_, AllocatedBytes());
    return end;
  }

  /// Beyond what was there before.
  std::size_t Most() const { return most_ - std::min(most_, before_); }

 private:
  const std::size_t before_ = AllocatedBytes();
  std::size_t most_ = 0;
};

class AgendaTest : public testing::RoomTest {
 protected:
  /// A series of every day from the first of March on, of which many have another title.
  Entry DailyWithOverrides(int overrides) {
    Entry series = Add(Again(AllDay("2026-03-01"), "FREQ=DAILY")).record;
    for (int i = 0; i < overrides; ++i) {
      series.recurrence->overrides.push_back(
          {.occurrence = {.date = series.start_date + i}, .title = "Day " + std::to_string(i)});
    }
    return series;
  }

  void AddCopies(Entry series, int count) {
    for (int i = 0; i < count; ++i) {
      series.id = EntryId(ids_.NewTimeUuid());
      store::Batch batch;
      WriteNew(batch, {}, clock_.Now(), series);
      ASSERT_THAT(store_.Commit({}, std::move(batch)), IsOk());
    }
  }

  AgendaPage Read(store::Engine& engine, std::string_view day) {
    almanac::ExpansionBudget budget = BudgetForAgenda();
    auto page = ReadAgenda(
        engine, {}, {.calendar = calendar_, .days = {.from = Day(day), .to = Day(day)}}, budget);
    EXPECT_THAT(page, IsOk());
    return std::move(page).value_or(AgendaPage{});
  }
};

TEST_F(AgendaTest, AnOccurrenceThatIsOtherwiseIsShownSo) {
  AddCopies(DailyWithOverrides(3), 1);
  const AgendaPage page = Read(store_, "2026-03-02");
  ASSERT_THAT(page.items, SizeIs(2));
  EXPECT_THAT(page.items[0].json, HasSubstr("Birthday"));
  EXPECT_THAT(page.items[1].json, HasSubstr("Day 1"));
}

TEST_F(AgendaTest, WhatASeriesHasOnOtherDaysTakesNoMemory) {
  if (!testing::DoesAllocatorTell()) {
    GTEST_SKIP() << "the allocator does not say what is allocated";
  }
  constexpr int kSeries = 200;
  AddCopies(DailyWithOverrides(200), kSeries);
  WatchingEngine engine(store_);
  const AgendaPage page = Read(engine, "2026-03-02");
  EXPECT_THAT(page.items, SizeIs(kSeries + 1));
  // A few kilobytes for each; with all that is otherwise on other days it would be 75.
  EXPECT_LT(engine.Most(), kSeries * std::size_t{8} << 10);
}

}  // namespace
}  // namespace atrium::calendar
