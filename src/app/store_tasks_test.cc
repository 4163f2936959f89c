// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/store_tasks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <latch>
#include <stop_token>

#include "app/progress.h"
#include "app/store_operations.h"
#include "app/store_reports.h"
#include "base/error.h"
#include "base/result.h"
#include "base/testing.h"

namespace atrium::app {
namespace {

using ::testing::AllOf;
using ::testing::Field;
using ::testing::Optional;

constexpr std::chrono::seconds kLong{60};
constexpr std::chrono::seconds kAtOnce{0};

/// Ends at once, but a verification goes on until it is let go or asked to stop.
class StoreTasksTest : public ::testing::Test {
 protected:
  Result<TaskOutcome> Perform(const TaskRequest& request, const WorkHooks& hooks) {
    if (request.task == StoreTask::kBackup) {
      return Fail(ErrorCode::kInvalidArgument, "no folder");
    }
    if (request.task == StoreTask::kCompact) {
      return TaskOutcome{.compaction = CompactionReport{.duration_ms = 7}};
    }
    hooks.progress({.done = 3, .unit = WorkUnit::kRows});
    begun_.count_down();
    const std::stop_callback on_stop(hooks.stop, [this] { go_on_.count_down(); });
    go_on_.wait();
    return TaskOutcome{.verification =
                           VerificationReport{.rows = hooks.stop.stop_requested() ? 0U : 9U}};
  }

  std::latch begun_{1};
  std::latch go_on_{1};
  StoreTasks tasks_{[this](const TaskRequest& request, const WorkHooks& hooks) {
    return Perform(request, hooks);
  }};
};

TEST_F(StoreTasksTest, TheLatestIsRememberedAfterItsEnd) {
  EXPECT_FALSE(tasks_.Latest().has_value());
  const TaskReport begun = tasks_.Begin({.task = StoreTask::kCompact}).value();
  ASSERT_THAT(tasks_.Await(begun.id, kLong), IsOk());
  EXPECT_THAT(tasks_.Latest(), Optional(AllOf(Field(&TaskReport::id, begun.id),
                                              Field(&TaskReport::state, TaskState::kSucceeded))));
}

TEST_F(StoreTasksTest, ATaskEndsWithItsOutcome) {
  const TaskReport begun = tasks_.Begin({.task = StoreTask::kCompact}).value();
  const TaskReport ended = tasks_.Await(begun.id, kLong).value();
  EXPECT_EQ(ended.state, TaskState::kSucceeded);
  ASSERT_TRUE(ended.outcome.has_value());
  EXPECT_THAT(ended.outcome->compaction, Optional(Field(&CompactionReport::duration_ms, 7)));
}

TEST_F(StoreTasksTest, ATaskThatFailsSaysWhy) {
  const TaskReport begun = tasks_.Begin({.task = StoreTask::kBackup}).value();
  EXPECT_THAT(tasks_.Await(begun.id, kLong),
              Holds(AllOf(Field(&TaskReport::state, TaskState::kFailed),
                          Field(&TaskReport::error_code, "invalid_argument"),
                          Field(&TaskReport::error, "no folder"))));
}

TEST_F(StoreTasksTest, OneTaskIsAtWorkAtATimeAndSaysHowFarItIs) {
  const TaskReport begun = tasks_.Begin({.task = StoreTask::kVerify}).value();
  begun_.wait();
  EXPECT_THAT(tasks_.Begin({.task = StoreTask::kCompact}),
              FailsSaying(ErrorCode::kConflict, "verify"));
  EXPECT_THAT(tasks_.Await(begun.id, kAtOnce),
              Holds(AllOf(Field(&TaskReport::state, TaskState::kRunning),
                          Field(&TaskReport::progress, Field(&WorkProgress::done, 3U)))));
  go_on_.count_down();
  EXPECT_THAT(tasks_.Await(begun.id, kLong),
              Holds(Field(&TaskReport::state, TaskState::kSucceeded)));
  EXPECT_THAT(tasks_.Begin({.task = StoreTask::kCompact}), IsOk());
}

TEST_F(StoreTasksTest, OnlyTheLatestIsRemembered) {
  const TaskReport first = tasks_.Begin({.task = StoreTask::kCompact}).value();
  ASSERT_THAT(tasks_.Await(first.id, kLong), IsOk());
  const TaskReport second = tasks_.Begin({.task = StoreTask::kCompact}).value();
  EXPECT_THAT(tasks_.Await(first.id, kLong), FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(tasks_.Await(second.id, kLong), IsOk());
}

TEST_F(StoreTasksTest, AStopEndsTheTaskAndNothingBeginsAnyMore) {
  ASSERT_THAT(tasks_.Begin({.task = StoreTask::kVerify}), IsOk());
  begun_.wait();
  tasks_.RequestStop();
  EXPECT_THAT(tasks_.Begin({.task = StoreTask::kVerify}), FailsWith(ErrorCode::kUnavailable));
}

}  // namespace
}  // namespace atrium::app
