// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/event_tail.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/id_source.h"
#include "base/testing.h"
#include "engines/memory/engine.h"
#include "store/change_log.h"
#include "store/store.h"

namespace atrium::calendar {
namespace {

using store::OpContext;
using store::Table;

/// Does something while it is being read.
class SlowEngine final : public store::Engine {
 public:
  explicit SlowEngine(store::Engine& engine) : engine_(engine) {}

  Result<std::optional<store::Row>> Get(const OpContext& op, const Table& table,
                                        const store::KeyView& key) override {
    Meanwhile();
    return engine_.Get(op, table, key);
  }
  Result<store::ScanEnd> Scan(const OpContext& op, const store::ScanRequest& request,
                              store::RowSink& sink) override {
    auto end = engine_.Scan(op, request, sink);
    Meanwhile();
    return end;
  }
  Result<store::Receipt> Commit(const OpContext& op, store::WriteSet writes) override {
    return engine_.Commit(op, std::move(writes));
  }
  Result<void> WriteImmutable(const OpContext& op, const Table& table,
                              std::span<const store::ImmutableRow> rows) override {
    return engine_.WriteImmutable(op, table, rows);
  }
  Result<store::WalkEnd> Walk(const OpContext& op, const store::WalkRequest& request,
                              store::RowSink& sink) override {
    return engine_.Walk(op, request, sink);
  }
  Result<void> Load(const OpContext& op, const Table& table,
                    std::span<const store::KeyedRow> rows) override {
    return engine_.Load(op, table, rows);
  }
  std::vector<store::Statistic> Statistics() override { return engine_.Statistics(); }

  std::function<void()> meanwhile{};

 private:
  void Meanwhile() {
    if (const auto once = std::exchange(meanwhile, nullptr)) {
      once();
    }
  }

  store::Engine& engine_;
};

class EventTailTest : public ::testing::Test {
 protected:
  void Change() {
    store::WriteSet writes;
    writes.mutations.emplace_back(
        store::AppendChange(store::kChanges, "topic", R"({"event":"entry_added","data":{}})"));
    EXPECT_THAT(store_.Commit({}, std::move(writes)), IsOk());
  }

  FixedClock clock_{Instant()};
  engines::MemoryEngine engine_{clock_};
  SlowEngine slow_{engine_};
  store::Store store_{slow_, clock_};
  FixedIdSource ids_;
  const store::Ground ground_{.store = store_, .clock = clock_, .ids = ids_};
};

TEST_F(EventTailTest, WhoAsksWhileAnotherReadsIsNotToldThatThereIsNothing) {
  const auto tail = EventTail::Open(ground_, "topic");
  ASSERT_THAT(tail, IsOk());
  Change();
  std::optional<bool> seen_by_another;
  slow_.meanwhile = [&] { seen_by_another = (*tail)->MayHaveMore(0); };
  EXPECT_EQ((*tail)->Read(0, 10)->events.size(), 1U);
  EXPECT_EQ(seen_by_another, true);
  EXPECT_FALSE((*tail)->MayHaveMore(1));
}

TEST_F(EventTailTest, AChangeWhileItReadsIsReadToo) {
  const auto tail = EventTail::Open(ground_, "topic");
  ASSERT_THAT(tail, IsOk());
  Change();
  slow_.meanwhile = [&] { slow_.meanwhile = [&] { Change(); }; };
  const auto page = (*tail)->Read(0, 10);
  ASSERT_THAT(page, IsOk());
  EXPECT_TRUE(page->events.size() == 2 || (*tail)->MayHaveMore(page->events.back()->number));
  EXPECT_EQ(*(*tail)->Last(), 2U);
}

}  // namespace
}  // namespace atrium::calendar
