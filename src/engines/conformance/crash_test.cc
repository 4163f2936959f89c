// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/testing.h"
#include "engines/conformance/child_process.h"
#include "engines/conformance/crash_testing.h"
#include "engines/conformance/crash_witness.h"
#include "engines/conformance/crash_workload.h"
#include "engines/conformance/temporary_folder.h"
#include "store/op_context_testing.h"

namespace atrium::engines {
namespace {

using std::chrono::milliseconds;

/// Goes on where the worker before it was stopped. Ends only with the process.
void Work(store::Engine& engine, Step step) {
  std::mt19937_64 random(step.number);
  while (true) {
    ++step.number;
    const auto receipt = engine.Commit(store::kTestOp, WritesOf(step, Filler(random, 600)));
    if (!receipt) {
      std::cerr << "step " << LogDocument(step) << ": " << Describe(receipt.error()) << std::endl;
      ::_exit(EXIT_FAILURE);
    }
    // Shorter than what a pipe takes as a whole, so workers need not take turns.
    const Acknowledged acknowledged{
        .step = step, .version = receipt->version.number, .number = receipt->appended.at(0)};
    if (::write(ChildProcess::kPipe, &acknowledged, sizeof(acknowledged)) < 0) {
      ::_exit(EXIT_FAILURE);
    }
  }
}

}  // namespace

int CommitUntilKilled(const std::string& folder) {
  const SystemClock clock;
  const auto engine = rocks::RocksEngine::Open(SmallStore(folder), clock);
  if (!engine) {
    std::cerr << Describe(engine.error()) << std::endl;
    return EXIT_FAILURE;
  }
  const Result<StepsDone> done = ReadStepsDone(**engine);
  if (!done) {
    std::cerr << Describe(done.error()) << std::endl;
    return EXIT_FAILURE;
  }
  std::vector<std::jthread> workers;
  for (std::uint32_t worker = 0; worker < kWorkers; ++worker) {
    workers.emplace_back(
        [&engine, step = Step{worker, done->at(worker)}] { Work(**engine, step); });
  }
  return EXIT_SUCCESS;
}

namespace {

/// When a child is killed: after so many commits were acknowledged, or after so long, whichever
/// comes first.
struct Moment {
  std::size_t acknowledged;
  milliseconds passed;
};

/// Half of the moments may lie in the opening of the store, which mends what the last kill left.
Moment NextMoment(std::mt19937_64& random) {
  if (random() % 2 == 0) {
    return {.acknowledged = SIZE_MAX, .passed = milliseconds(random() % 300)};
  }
  return {.acknowledged = 1 + random() % 1500, .passed = std::chrono::seconds(20)};
}

/// Lets a child commit until the moment, kills it, and shows the witness what was acknowledged.
void RunUntil(const Moment& moment, const std::string& folder, Witness& witness) {
  ChildProcess child({{kChildRole, "commit"}, {kChildFolder, folder}});
  std::string bytes;
  std::size_t seen = 0;
  const auto take = [&](milliseconds patience) {
    bytes += child.Read(64 * sizeof(Acknowledged), patience);
    while (bytes.size() >= sizeof(Acknowledged)) {
      Acknowledged acknowledged;
      std::memcpy(&acknowledged, bytes.data(), sizeof(acknowledged));
      bytes.erase(0, sizeof(acknowledged));
      witness.Saw(acknowledged);
      ++seen;
    }
  };
  const auto deadline = std::chrono::steady_clock::now() + moment.passed;
  while (seen < moment.acknowledged && !child.AtEnd()) {
    const auto left =
        std::chrono::duration_cast<milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left <= milliseconds::zero()) {
      break;
    }
    take(left);
  }
  child.Kill();
  while (!child.AtEnd()) {
    take(milliseconds(-1));
  }
  const int status = child.Wait();
  witness.WorkersEnded();
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
      << "the child ended by itself, status " << status;
}

std::size_t Rounds() {
  const char* text = std::getenv("STORE_CRASH_ROUNDS");
  return text == nullptr ? 20 : std::strtoull(text, nullptr, 10);
}

TEST(Crash, WhatWasAcknowledgedIsThereAndNothingIsTorn) {
  // A store is left behind before it is so large that looking at all of it takes long.
  constexpr std::size_t kRoundsPerStore = 20;
  const char* given = std::getenv("STORE_TEST_SEED");
  const std::uint64_t seed =
      given == nullptr ? std::random_device()() : std::strtoull(given, nullptr, 10);
  std::cout << "STORE_TEST_SEED=" << seed << " STORE_CRASH_ROUNDS=" << Rounds() << std::endl;
  std::mt19937_64 random(seed);
  std::size_t acknowledged = 0;
  for (std::size_t first = 0; first < Rounds(); first += kRoundsPerStore) {
    const TemporaryFolder folder;
    const std::string store = folder.Path() / "store";
    Witness witness;
    const std::size_t end = std::min(first + kRoundsPerStore, Rounds());
    for (std::size_t round = first; round < end && !::testing::Test::HasFailure(); ++round) {
      SCOPED_TRACE(::testing::Message() << "round " << round);
      RunUntil(NextMoment(random), store, witness);
      // Now and then the next child is the first to open what the kill has left.
      if (random() % 3 != 0 || round + 1 == end) {
        ExpectIntact(SmallStore(store), witness);
      }
    }
    acknowledged += witness.Count();
  }
  EXPECT_GT(acknowledged, Rounds()) << "hardly any commit was made: the run shows nothing";
  std::cout << acknowledged << " commits were acknowledged" << std::endl;
}

}  // namespace
}  // namespace atrium::engines

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  const char* role = std::getenv(atrium::engines::kChildRole);
  const char* folder = std::getenv(atrium::engines::kChildFolder);
  if (role == nullptr || folder == nullptr) {
    return RUN_ALL_TESTS();
  }
  return std::string_view(role) == "commit" ? atrium::engines::CommitUntilKilled(folder)
                                            : atrium::engines::FillTheDisk(folder);
}
