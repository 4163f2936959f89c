// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <latch>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/result.h"
#include "base/testing.h"
#include "engines/memory/engine.h"
#include "jobs/job.h"
#include "jobs/ledger.h"
#include "jobs/runner.h"
#include "jobs/schedule.h"
#include "jobs/store_ledger.h"

namespace atrium::jobs {
namespace {

using std::chrono::days;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::Field;

/// Counts, and lets the test wait for a count instead of for time.
class Counter {
 public:
  void Add() {
    {
      const std::scoped_lock lock(mutex_);
      ++count_;
    }
    changed_.notify_all();
  }
  void WaitFor(int count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return count_ >= count; });
  }
  int Count() {
    const std::scoped_lock lock(mutex_);
    return count_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  // Guarded by mutex_.
  int count_ = 0;
};

Result<void> WaitForStop(const JobContext& context) {
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock(mutex);
  never.wait(lock, context.StopToken(), [] { return false; });
  return Fail(ErrorCode::kUnavailable, "asked to stop");
}

class RunnerThreadsTest : public ::testing::Test {
 protected:
  std::unique_ptr<Runner> MakeRunner(const std::string& server, unsigned threads = 2) {
    return std::make_unique<Runner>(
        ledger_, clock_,
        RunnerOptions{.server = server, .threads = threads, .poll = milliseconds(1)});
  }
  static JobSpec Job(const std::string& name, Schedule schedule,
                     std::function<Result<void>(JobContext&)> run) {
    return {.name = name, .schedule = schedule, .run = std::move(run)};
  }

  FixedClock clock_{Instant(days(20'000))};
  engines::MemoryEngine engine_{clock_};
  StoreLedger ledger_{engine_};
};

TEST_F(RunnerThreadsTest, RunsWhatIsDueByItself) {
  Counter runs;
  const auto runner = MakeRunner("one");
  ASSERT_THAT(runner->Register(Job("purge", Every{seconds(10)},
                                   [&](JobContext&) {
                                     runs.Add();
                                     return Result<void>();
                                   })),
              IsOk());
  runner->Start();
  for (int round = 1; round <= 5; ++round) {
    runs.WaitFor(round);
    clock_.Advance(seconds(10));
  }
}

TEST_F(RunnerThreadsTest, RegistrationEndsWithTheStart) {
  const auto runner = MakeRunner("one");
  runner->Start();
  EXPECT_THAT(runner->Register(Job("late", Manual(), [](JobContext&) { return Result<void>(); })),
              FailsWith(ErrorCode::kConflict));
}

TEST_F(RunnerThreadsTest, DifferentJobsRunAtOnce) {
  std::latch both(2);
  const auto runner = MakeRunner("one");
  for (const char* name : {"left", "right"}) {
    ASSERT_THAT(runner->Register(Job(name, Manual(),
                                     [&](JobContext&) {
                                       both.arrive_and_wait();
                                       return Result<void>();
                                     })),
                IsOk());
  }
  runner->Start();
  ASSERT_THAT(runner->RunNow("left"), IsOk());
  ASSERT_THAT(runner->RunNow("right"), IsOk());
  both.wait();
}

TEST_F(RunnerThreadsTest, StopAsksRunningJobsToStopAndReleasesTheirLeases) {
  std::latch running(1);
  const auto runner = MakeRunner("one");
  ASSERT_THAT(runner->Register(Job("long", Every{seconds(10)},
                                   [&](JobContext& context) {
                                     running.count_down();
                                     return WaitForStop(context);
                                   })),
              IsOk());
  runner->Start();
  running.wait();
  runner->Stop();
  EXPECT_FALSE(ledger_.Read("long").value().active.has_value());
  EXPECT_THAT(ledger_.History("long", 10),
              Holds(ElementsAre(Field(&FinishedRun::outcome, Outcome::kStopped))));
}

TEST_F(RunnerThreadsTest, WhatWasStoppedIsRunAgainByTheNextServer) {
  Counter runs;
  const auto stopping = MakeRunner("one");
  ASSERT_THAT(stopping->Register(Job("long", Every{seconds(1000)},
                                     [&](JobContext& context) {
                                       runs.Add();
                                       return WaitForStop(context);
                                     })),
              IsOk());
  stopping->Start();
  runs.WaitFor(1);
  stopping->Stop();
  const auto next = MakeRunner("two");
  ASSERT_THAT(next->Register(Job("long", Every{seconds(1000)},
                                 [&](JobContext&) {
                                   runs.Add();
                                   return Result<void>();
                                 })),
              IsOk());
  next->Start();
  runs.WaitFor(2);
}

TEST_F(RunnerThreadsTest, StopMayBeCalledFromSeveralThreads) {
  const auto runner = MakeRunner("one");
  runner->Start();
  const std::jthread first([&] { runner->Stop(); });
  const std::jthread second([&] { runner->Stop(); });
}

TEST_F(RunnerThreadsTest, AJobWhoseLeaseIsTakenOverIsAskedToStop) {
  std::latch running(1);
  Counter stopped;
  const auto runner = MakeRunner("one");
  ASSERT_THAT(runner->Register(Job("long", Manual(),
                                   [&](JobContext& context) {
                                     running.count_down();
                                     Result<void> result = WaitForStop(context);
                                     stopped.Add();
                                     return result;
                                   })),
              IsOk());
  runner->Start();
  ASSERT_THAT(runner->RunNow("long"), IsOk());
  running.wait();
  // Another server takes over as of a time when the lease has run out; here, time has not moved.
  const JobState state = ledger_.Read("long").value();
  ASSERT_THAT(ledger_.Acquire({.job = "long",
                               .server = "two",
                               .revision = state.revision,
                               .now = clock_.Now() + days(1),
                               .duration = seconds(60)}),
              IsOk());
  clock_.Advance(seconds(30));
  stopped.WaitFor(1);
}

/// Many servers, many jobs, and everything that may be called meanwhile is.
TEST_F(RunnerThreadsTest, ServersThatShareALedgerRunEachJobOnceForEachDueTime) {
  constexpr int kRounds = 20;
  constexpr int kServers = 3;
  struct Shared {
    std::atomic<int> inside{0};
    std::atomic<int> most_inside{0};
    Counter runs;
  };
  std::array<Shared, 3> jobs;
  std::vector<std::unique_ptr<Runner>> servers;
  servers.reserve(kServers);
  for (int s = 0; s < kServers; ++s) {
    servers.push_back(MakeRunner("server-" + std::to_string(s)));
    for (std::size_t j = 0; j < jobs.size(); ++j) {
      ASSERT_THAT(servers.back()->Register(Job("job-" + std::to_string(j), Every{seconds(10)},
                                               [shared = &jobs[j]](JobContext& context) {
                                                 const int now_inside = ++shared->inside;
                                                 shared->most_inside = std::max(
                                                     shared->most_inside.load(), now_inside);
                                                 context.Report("busy");
                                                 Result<void> renewed = context.Renew();
                                                 --shared->inside;
                                                 shared->runs.Add();
                                                 return renewed;
                                               })),
                  IsOk());
    }
  }
  for (const auto& server : servers) {
    server->Start();
  }
  for (int round = 1; round <= kRounds; ++round) {
    for (Shared& job : jobs) {
      job.runs.WaitFor(round);
    }
    for (const auto& server : servers) {
      EXPECT_THAT(server->List(), IsOk());
    }
    clock_.Advance(seconds(10));
  }
  for (const auto& server : servers) {
    server->Stop();
  }
  for (Shared& job : jobs) {
    EXPECT_EQ(job.most_inside, 1);
    EXPECT_GE(job.runs.Count(), kRounds);
    // The clock has reached kRounds + 1 due times.
    EXPECT_LE(job.runs.Count(), kRounds + 1);
  }
}

}  // namespace
}  // namespace atrium::jobs
