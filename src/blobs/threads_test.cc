// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "base/error.h"
#include "base/testing.h"
#include "blobs/blobs_testing.h"
#include "engines/conformance/crew.h"

namespace atrium::blobs {
namespace {

using ::testing::IsEmpty;

/// Many threads at once; to be run under the thread sanitizer, too.
class ThreadsTest : public BlobsTest {
 protected:
  static std::string BytesOf(std::uint64_t number) {
    std::string bytes = "blob " + std::to_string(number) + " ";
    bytes.resize(number % 7 == 0 ? 2000 : 300, static_cast<char>('a' + number % 26));
    return bytes;
  }
};

TEST_F(ThreadsTest, ThoseWhoWaitShareOneWriteAndOneSync) {
  constexpr std::size_t kThreads = 16;
  world_.Put("the pack is there");
  world_.GetDisk().HoldSyncs();
  const BlobStatistics before = Blobs().Statistics();
  {
    std::vector<std::jthread> threads;
    threads.emplace_back([&] { world_.Put("leads"); });
    world_.GetDisk().AwaitHeldSync();
    for (std::size_t i = 1; i < kThreads; ++i) {
      threads.emplace_back([&, i] { world_.Put(std::to_string(i)); });
    }
    while (Blobs().Statistics().waiting < kThreads - 1) {
      std::this_thread::yield();
    }
    world_.GetDisk().LetGo();
  }
  EXPECT_EQ(Blobs().Statistics().appended - before.appended, kThreads);
  EXPECT_EQ(Blobs().Statistics().groups - before.groups, 2U);
}

TEST_F(ThreadsTest, TheSameBytesFromManyAreWrittenOnce) {
  engines::RunTogether(8, [&](std::size_t) {
    for (std::uint64_t i = 0; i < 50; ++i) {
      world_.Put(BytesOf(i));
    }
  });
  EXPECT_EQ(Blobs().Statistics().appended, 50U);
  EXPECT_EQ(Blobs().Statistics().count, 50U);
}

TEST_F(ThreadsTest, WhatIsPinnedIsThereWhateverOthersDo) {
  world_.Close();
  world_.Options().pack_bytes = 20'000;
  world_.Open();
  const std::uint64_t seed = TestSeed();
  constexpr std::uint64_t kDifferent = 60;
  constexpr std::size_t kWorkers = 6;
  std::atomic<std::uint64_t> removed = 0;
  std::atomic<std::uint64_t> compacted = 0;
  const auto put = [&](std::uint64_t number, std::mt19937_64& random) {
    const std::string bytes = BytesOf(number);
    const auto pin = Blobs().Put({}, bytes, {.note = random() % 2 == 0 ? "note" : ""});
    ASSERT_THAT(pin, IsOk());
    EXPECT_THAT(Blobs().Read({}, pin->Id()), Holds(bytes));
    EXPECT_THAT(Blobs().Open({}, pin->Id()), IsOk());
  };
  const auto read = [&](std::uint64_t number) {
    const std::string bytes = BytesOf(number);
    const auto found = Blobs().Read({}, BlobId::Of(bytes));
    EXPECT_TRUE(found ? *found == bytes : found.error().code == ErrorCode::kNotFound)
        << Describe(found.error());
  };
  const auto remove = [&](std::uint64_t number) {
    const std::vector<BlobId> ids = {BlobId::Of(BytesOf(number)),
                                     BlobId::Of(BytesOf((number + 1) % kDifferent))};
    const auto removal = Blobs().Remove({}, ids, {});
    ASSERT_THAT(removal, IsOk());
    removed += removal->removed;
  };
  const auto pin = [&](std::uint64_t number) {
    const auto pinned = Blobs().FindPinned({}, BlobId::Of(BytesOf(number)));
    ASSERT_THAT(pinned, IsOk());
    if (*pinned) {
      EXPECT_THAT(Blobs().Read({}, (*pinned)->Id()), Holds(BytesOf(number)));
    }
  };
  engines::RunWatched({.workers = kWorkers,
                       .work =
                           [&](std::size_t worker) {
                             std::mt19937_64 random(seed + worker);
                             for (int i = 0; i < 400; ++i) {
                               const std::uint64_t number = random() % kDifferent;
                               switch (random() % 5) {
                                 case 0:
                                 case 1:
                                   put(number, random);
                                   break;
                                 case 2:
                                   remove(number);
                                   break;
                                 case 3:
                                   pin(number);
                                   break;
                                 default:
                                   read(number);
                               }
                             }
                           },
                       .watchers = 2,
                       .watch =
                           [&](std::size_t watcher) {
                             if (watcher == 0) {
                               const auto report = Blobs().Compact({}, {});
                               ASSERT_THAT(report, IsOk());
                               compacted += report->packs;
                             } else {
                               const auto page =
                                   Blobs().Verify({}, {.mode = VerifyRequest::Mode::kRepair});
                               ASSERT_THAT(page, IsOk());
                               EXPECT_THAT(page->findings, IsEmpty());
                             }
                           }});
  EXPECT_GT(removed, 0U);
  EXPECT_GT(compacted, 0U);

  std::uint64_t count = 0;
  for (std::uint64_t number = 0; number < kDifferent; ++number) {
    count += world_.Has(BlobId::Of(BytesOf(number))) ? 1 : 0;
    read(number);
  }
  EXPECT_EQ(Blobs().Statistics().count, count);
  world_.Reopen();
  EXPECT_EQ(Blobs().Statistics().count, count);
  const auto after = world_.AfterCrash();
  after->Open();
  EXPECT_EQ(after->Blobs().Statistics().count, count);
}

TEST_F(ThreadsTest, OneCompactsAtATime) {
  world_.Put("one");
  ASSERT_THAT(Blobs().Remove({}, BlobId::Of("one")), IsOk());
  world_.Put("two");
  // Compaction moves "two", which somebody else has locked by a removal that thinks about it.
  std::atomic<bool> thinking = false;
  std::atomic<bool> may_end = false;
  std::jthread removing([&] {
    const BlobId id = BlobId::Of("two");
    EXPECT_THAT(Blobs().Remove({}, std::span(&id, 1),
                               [&](const BlobId&) {
                                 thinking = true;
                                 thinking.notify_all();
                                 may_end.wait(false);
                                 return Result<bool>(false);
                               }),
                IsOk());
  });
  thinking.wait(false);
  std::jthread compacting([&] { EXPECT_THAT(Blobs().Compact({}, {}), IsOk()); });
  // Until the other one is at it, this one has nothing to do.
  while (true) {
    const auto mine = Blobs().Statistics();
    if (mine.packs > 1) {
      break;
    }
    std::this_thread::yield();
  }
  EXPECT_THAT(Blobs().Compact({}, {}), FailsWith(ErrorCode::kRefusedByState));
  EXPECT_THAT(Blobs().Read({}, BlobId::Of("two")), Holds(std::string("two")));
  may_end = true;
  may_end.notify_all();
}

}  // namespace
}  // namespace atrium::blobs
