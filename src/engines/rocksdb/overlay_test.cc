// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/rocksdb/overlay.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace atrium::rocks {
namespace {

TEST(OverlayTest, FindsTheLastWriteOfEachKeyUntilItIsCleared) {
  std::vector<std::string> keys;
  for (int i = 0; i < 5'000; ++i) {
    keys.push_back("key" + std::to_string(i));
  }
  Overlay overlay;
  for (int round = 0; round < 2; ++round) {
    for (const std::string& key : keys) {
      // Few hashes, so that keys meet in a slot.
      overlay.Add({.key = key, .hash = HashOf(key) % 64, .value = "before"});
    }
    for (const std::string& key : keys) {
      overlay.Add({.key = key, .hash = HashOf(key) % 64, .value = key});
    }
    for (const std::string& key : keys) {
      const StagedWrite* found = overlay.Find(key, HashOf(key) % 64);
      ASSERT_NE(found, nullptr);
      EXPECT_EQ(found->value, key);
    }
    EXPECT_EQ(overlay.Find("other", HashOf("other") % 64), nullptr);
    overlay.Clear();
    EXPECT_EQ(overlay.Find(keys[0], HashOf(keys[0]) % 64), nullptr);
  }
}

TEST(OverlayTest, AnErasedRowIsFoundAsErased) {
  Overlay overlay;
  overlay.Add({.key = "a", .hash = 1});
  const StagedWrite* found = overlay.Find("a", 1);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->value, std::nullopt);
}

TEST(LastWritesTest, ARowIsUnchangedSinceTheBatchThatWroteItLast) {
  LastWrites writes;
  EXPECT_TRUE(writes.UnchangedSince(7, 0));
  writes.Note(7, 3);
  EXPECT_FALSE(writes.UnchangedSince(7, 2));
  EXPECT_TRUE(writes.UnchangedSince(7, 3));
}

}  // namespace
}  // namespace atrium::rocks
