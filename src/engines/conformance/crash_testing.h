// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <random>
#include <string>

#include "base/clock.h"
#include "base/testing.h"
#include "engines/conformance/crash_witness.h"
#include "engines/rocksdb/engine.h"

namespace atrium::engines {

/// The settings by which this program knows that it is a child, and what for.
inline constexpr const char* kChildRole = "STORE_CRASH_CHILD";
inline constexpr const char* kChildFolder = "STORE_CRASH_FOLDER";

/// What the children do: see crash_test.cc and full_disk_test.cc. The answer is the exit status.
int CommitUntilKilled(const std::string& folder);
int FillTheDisk(const std::string& folder);
/// Of a child that could not be what it should; why is on its pipe.
inline constexpr int kNotPossibleHere = 77;

/// Little memory, so that files are written and rewritten all the time.
inline rocks::RocksOptions SmallStore(const std::string& folder) {
  return {.path = folder, .memory_bytes = std::size_t{16} << 20};
}

/// The store of a folder holds what the witness saw.
inline void ExpectIntact(store::Engine& engine, Witness& witness) {
  const Result<std::vector<std::string>> problems = witness.Compare(engine);
  ASSERT_THAT(problems, IsOk());
  EXPECT_THAT(*problems, ::testing::IsEmpty());
}

inline void ExpectIntact(const rocks::RocksOptions& options, Witness& witness) {
  const SystemClock clock;
  const auto engine = rocks::RocksEngine::Open(options, clock);
  ASSERT_THAT(engine, IsOk());
  ExpectIntact(**engine, witness);
}

/// Text that does not compress.
inline std::string Filler(std::mt19937_64& random, std::size_t bytes) {
  constexpr std::string_view kDigits =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";
  std::string text(bytes, ' ');
  for (char& digit : text) {
    digit = kDigits[random() % kDigits.size()];
  }
  return text;
}

}  // namespace atrium::engines
