// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "blobs/blob_locks.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "engines/conformance/crew.h"

namespace atrium::blobs {
namespace {

const BlobId& Some() {
  static const BlobId id = BlobId::Of("some");
  return id;
}

TEST(BlobLocks, ALockKnowsOfPins) {
  BlobLocks locks;
  EXPECT_FALSE(locks.Take(Some()).IsPinned());
  locks.Pin(Some());
  locks.Pin(Some());
  EXPECT_TRUE(locks.Take(Some()).IsPinned());
  locks.Unpin(Some());
  EXPECT_TRUE(locks.Take(Some()).IsPinned());
  locks.Unpin(Some());
  EXPECT_FALSE(locks.Take(Some()).IsPinned());
}

TEST(BlobLocks, ALockTurnsIntoAPin) {
  BlobLocks locks;
  locks.Take(Some()).TurnIntoPin();
  EXPECT_TRUE(locks.Take(Some()).IsPinned());
  locks.Unpin(Some());
  EXPECT_FALSE(locks.Take(Some()).IsPinned());
}

TEST(BlobLocks, ALockIsHandedOn) {
  BlobLocks locks;
  std::optional<BlobLocks::Lock> kept;
  {
    BlobLocks::Lock lock = locks.Take(Some());
    kept.emplace(std::move(lock));
  }
  kept.reset();
  EXPECT_FALSE(locks.Take(Some()).IsPinned());
}

TEST(BlobLocks, WhoeverPinsWaitsForTheLockToEnd) {
  BlobLocks locks;
  std::atomic<bool> ended = false;
  std::optional<BlobLocks::Lock> lock(locks.Take(Some()));
  std::jthread pinning([&] {
    locks.Pin(Some());
    EXPECT_TRUE(ended);
    locks.Unpin(Some());
  });
  ended = true;
  lock.reset();
}

TEST(BlobLocks, OneLocksAtATime) {
  BlobLocks locks;
  const std::array<BlobId, 3> ids = {BlobId::Of("a"), BlobId::Of("b"), BlobId::Of("c")};
  std::array<int, 3> counts{};
  engines::RunTogether(8, [&](std::size_t thread) {
    for (std::size_t i = 0; i < 300; ++i) {
      const std::size_t one = (thread + i) % ids.size();
      BlobLocks::Lock lock = locks.Take(ids.at(one));
      ++counts.at(one);
      if (i % 2 == 0) {
        lock.TurnIntoPin();
        locks.Unpin(ids.at(one));
      }
    }
  });
  EXPECT_EQ(counts[0] + counts[1] + counts[2], 8 * 300);
  EXPECT_FALSE(locks.Take(ids[0]).IsPinned());
}

}  // namespace
}  // namespace atrium::blobs
