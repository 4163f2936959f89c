// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/id_source.h"
#include "base/testing.h"
#include "blobs/blobs_testing.h"
#include "engines/conformance/child_process.h"
#include "engines/conformance/temporary_folder.h"
#include "engines/rocksdb/engine.h"

namespace atrium::blobs {
namespace {

using std::chrono::milliseconds;

constexpr const char* kChildFolder = "BLOBS_CRASH_FOLDER";
constexpr const char* kChildSeed = "BLOBS_CRASH_SEED";
constexpr std::size_t kWorkers = 4;

/// What a child says about each blob: short enough to be written to a pipe as a whole.
struct Acknowledged {
  std::array<char, 16> note{};
  BlobId id{};
};

/// The real thing: blobs on a real disk, their rows in RocksDB, and the rows of a room about them.
class RealWorld {
 public:
  static Result<std::unique_ptr<RealWorld>> Open(const std::string& folder) {
    auto world = std::unique_ptr<RealWorld>(new RealWorld());
    ASSIGN_OR_RETURN(
        world->engine_,
        rocks::RocksEngine::Open({.path = folder + "/store", .memory_bytes = std::size_t{16} << 20},
                                 world->clock_));
    world->store_ = std::make_unique<store::Store>(*world->engine_, world->clock_);
    RealWorld& self = *world;
    const LocalOptions options{
        .folder = folder + "/blobs",
        .own_file_bytes = 20'000,
        .pack_bytes = 1'000'000,
        .recovered = [&self](std::span<const NotedBlob> some) -> Result<void> {
          for (const NotedBlob& one : some) {
            RETURN_IF_ERROR(self.Map(one.note, one.id));
          }
          return {};
        }};
    ASSIGN_OR_RETURN(world->blobs_, LocalBlobs::Open(options, {.store = *world->store_,
                                                               .clock = world->clock_,
                                                               .ids = world->ids_}));
    return world;
  }

  Result<void> Map(std::string_view note, const BlobId& id) {
    const store::ImmutableRow row{.key = {.partition = std::string(note)},
                                  .document = "\"" + id.Render() + "\""};
    return store_->WriteImmutable({}, kMappings, std::span(&row, 1));
  }
  LocalBlobs& Blobs() { return *blobs_; }
  store::Store& Store() { return *store_; }

 private:
  RealWorld() = default;

  SystemClock clock_;
  SystemIdSource ids_{clock_};
  std::unique_ptr<rocks::RocksEngine> engine_;
  std::unique_ptr<store::Store> store_;
  std::unique_ptr<LocalBlobs> blobs_;
};

Result<Acknowledged> PutOne(RealWorld& world, std::mt19937_64& random) {
  Acknowledged done;
  const std::string note = std::to_string(random() % 1'000'000'000);
  note.copy(done.note.data(), done.note.size() - 1);
  const std::string bytes = RandomBytes(random, random() % 10 == 0 ? 30'000 : random() % 6000);
  ASSIGN_OR_RETURN(const Pin pin, world.Blobs().Put({}, bytes, {.note = note}));
  RETURN_IF_ERROR(world.Map(note, pin.Id()));
  done.id = pin.Id();
  return done;
}

/// Ends only with the process.
void Work(RealWorld& world, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<BlobId> mine;
  while (true) {
    const auto done = PutOne(world, random);
    if (!done || ::write(engines::ChildProcess::kPipe, &*done, sizeof(*done)) < 0) {
      std::cerr << (done ? "no pipe" : Describe(done.error())) << std::endl;
      ::_exit(EXIT_FAILURE);
    }
    // What is removed was never acknowledged, so the witness does not miss it.
    const auto extra = world.Blobs().Put({}, RandomBytes(random, 3000), {});
    mine.push_back(extra ? extra->Id() : BlobId());
    if (mine.size() > 20) {
      static_cast<void>(world.Blobs().Remove({}, mine, {}));
      mine.clear();
    }
  }
}

int PutUntilKilled(const std::string& folder, std::uint64_t seed) {
  auto world = RealWorld::Open(folder);
  if (!world) {
    std::cerr << Describe(world.error()) << std::endl;
    return EXIT_FAILURE;
  }
  std::vector<std::jthread> workers;
  for (std::uint64_t worker = 0; worker < kWorkers; ++worker) {
    workers.emplace_back([&world, seed, worker] { Work(**world, seed * kWorkers + worker); });
  }
  while (true) {
    static_cast<void>((*world)->Blobs().Compact({}, {}));
    std::this_thread::yield();
  }
}

/// Lets a child work for a while, kills it, and remembers what it has acknowledged.
void RunAndKill(const std::string& folder, std::mt19937_64& random,
                std::vector<Acknowledged>& acknowledged) {
  engines::ChildProcess child(
      {{kChildFolder, folder}, {kChildSeed, std::to_string(random() % 1'000'000'000)}});
  const std::size_t wanted = acknowledged.size() + 1 + random() % 300;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  std::string bytes;
  const auto take = [&](milliseconds patience) {
    bytes += child.Read(64 * sizeof(Acknowledged), patience);
    for (; bytes.size() >= sizeof(Acknowledged); bytes.erase(0, sizeof(Acknowledged))) {
      std::memcpy(&acknowledged.emplace_back(), bytes.data(), sizeof(Acknowledged));
    }
  };
  while (acknowledged.size() < wanted && !child.AtEnd() &&
         std::chrono::steady_clock::now() < deadline) {
    take(milliseconds(100));
  }
  child.Kill();
  while (!child.AtEnd()) {
    take(milliseconds(-1));
  }
  const int status = child.Wait();
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
      << "the child ended by itself, status " << status;
}

void ExpectAllThere(const std::string& folder, const std::vector<Acknowledged>& acknowledged) {
  auto world = RealWorld::Open(folder);
  ASSERT_THAT(world, IsOk());
  for (const Acknowledged& one : acknowledged) {
    EXPECT_THAT((*world)->Blobs().Read({}, one.id), IsOk());
    EXPECT_THAT((*world)->Store().Get({}, kMappings, {.partition = one.note.data()}),
                Holds(::testing::Ne(std::nullopt)));
  }
  VerifyRequest request;
  do {
    const auto page = (*world)->Blobs().Verify({}, request);
    ASSERT_THAT(page, IsOk());
    for (const Finding& finding : page->findings) {
      // A kill between the name of a file and its record leaves an orphan, and nothing else.
      EXPECT_EQ(finding.defect, Defect::kOrphaned) << finding.explanation;
    }
    request.after = page->resume;
  } while (request.after);
}

TEST(Crash, WhatWasAcknowledgedIsThereAfterAKill) {
  std::mt19937_64 random(TestSeed());
  const engines::TemporaryFolder folder;
  std::vector<Acknowledged> acknowledged;
  for (int round = 0; round < 8 && !::testing::Test::HasFailure(); ++round) {
    SCOPED_TRACE(::testing::Message() << "round " << round);
    RunAndKill(folder.Path(), random, acknowledged);
    if (random() % 3 != 0 || round == 7) {
      ExpectAllThere(folder.Path(), acknowledged);
    }
  }
  EXPECT_GT(acknowledged.size(), 8U) << "hardly anything was put: the run shows nothing";
  std::cout << acknowledged.size() << " blobs were acknowledged" << std::endl;
}

}  // namespace
}  // namespace atrium::blobs

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  const char* folder = std::getenv(atrium::blobs::kChildFolder);
  const char* seed = std::getenv(atrium::blobs::kChildSeed);
  if (folder == nullptr || seed == nullptr) {
    return RUN_ALL_TESTS();
  }
  return atrium::blobs::PutUntilKilled(folder, std::strtoull(seed, nullptr, 10));
}
