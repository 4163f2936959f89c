// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <thread>

#include "base/clock.h"
#include "base/testing.h"
#include "engines/conformance/child_process.h"
#include "engines/conformance/crash_testing.h"
#include "engines/conformance/crash_witness.h"
#include "engines/conformance/crash_workload.h"
#include "engines/conformance/crew.h"
#include "engines/conformance/tables.h"
#include "engines/conformance/temporary_folder.h"
#include "store/op_context_testing.h"

namespace atrium::engines {
namespace {

using std::chrono::seconds;

/// How long a commit may take, whatever the disk is like.
constexpr seconds kPatience{5};
/// After that a child is taken to hang.
constexpr seconds kChildPatience{240};

/// A disk of the child's own, which ends with it.
Result<void> MountSmallDisk(const std::string& folder) {
  const auto failed = [](std::string_view what) {
    return FailPrivately(ErrorCode::kUnavailable,
                         std::string(what) + ": " + std::string(std::strerror(errno)));
  };
  const uid_t user = ::geteuid();
  if (::unshare(CLONE_NEWNS) != 0) {
    if (::unshare(CLONE_NEWNS | CLONE_NEWUSER) != 0) {
      return failed("no mount namespace of its own");
    }
    std::ofstream("/proc/self/uid_map") << "0 " << user << " 1";
  }
  if (::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
      ::mount("tmpfs", folder.c_str(), "tmpfs", 0, "size=64m") != 0) {
    return failed("no tmpfs");
  }
  return {};
}

/// Takes space away, and gives it back.
class Ballast {
 public:
  explicit Ballast(std::string path) : path_(std::move(path)) {}

  void Take(off_t bytes) {
    const int file = ::open(path_.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    EXPECT_EQ(::posix_fallocate(file, 0, bytes), 0);
    ::close(file);
  }
  void GiveBack() { ::unlink(path_.c_str()); }

 private:
  std::string path_;
};

bool Failed() {
  return ::testing::UnitTest::GetInstance()->Failed();
}

/// Workers on a disk that fills up.
class Crew {
 public:
  explicit Crew(Witness& witness) : witness_(witness) {}

  /// Until each worker was refused so often in a row. What was refused is tried again: had it
  /// happened all the same, that would be a conflict.
  void CommitUntilRefused(store::Engine& engine, int times) {
    const Result<StepsDone> done = ReadStepsDone(engine);
    ASSERT_THAT(done, IsOk());
    RunTogether(kWorkers, [&](std::size_t worker) {
      std::mt19937_64 random(worker + done->at(worker));
      Step step{.worker = static_cast<std::uint32_t>(worker), .number = done->at(worker) + 1};
      for (int refused = 0; refused < times && !Failed();) {
        if (TryStep(engine, step, Filler(random, 20'000))) {
          ++step.number;
          refused = 0;
        } else {
          ++refused;
        }
      }
    });
  }

  /// One more step of each worker, as soon as the disk lets them.
  void CommitOnceEach(store::Engine& engine) {
    const Result<StepsDone> done = ReadStepsDone(engine);
    ASSERT_THAT(done, IsOk());
    RunTogether(kWorkers, [&](std::size_t worker) {
      const Step step{.worker = static_cast<std::uint32_t>(worker), .number = done->at(worker) + 1};
      const auto deadline = std::chrono::steady_clock::now() + seconds(30);
      while (!TryStep(engine, step, "short")) {
        if (Failed() || std::chrono::steady_clock::now() > deadline) {
          ADD_FAILURE() << LogDocument(step) << ": there is space, and it does not go on";
          return;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
      }
    });
  }

  int Refused() const { return refused_; }
  int Unknown() const { return unknown_; }

 private:
  bool TryStep(store::Engine& engine, const Step& step, const std::string& filler) {
    const auto begun = std::chrono::steady_clock::now();
    const Result<store::Receipt> receipt =
        engine.Commit({.deadline = begun + 2 * kPatience}, WritesOf(step, filler));
    EXPECT_LT(std::chrono::steady_clock::now() - begun, kPatience)
        << LogDocument(step) << " was not answered for long";
    if (receipt) {
      const std::scoped_lock lock(mutex_);
      witness_.Saw(
          {.step = step, .version = receipt->version.number, .number = receipt->appended.at(0)});
      return true;
    }
    if (receipt.error().code == ErrorCode::kOutcomeUnknown) {
      ++unknown_;
      return Happened(engine, step);
    }
    EXPECT_THAT(receipt, FailsWith(ErrorCode::kUnavailable)) << LogDocument(step);
    ++refused_;
    return false;
  }

  /// Reading settles it for whoever goes on in the same process.
  bool Happened(store::Engine& engine, const Step& step) {
    const auto row = engine.Get(store::kTestOp, kThings, RecordKey(step));
    EXPECT_THAT(row, IsOk());
    if (!row || !*row) {
      return false;
    }
    const std::scoped_lock lock(mutex_);
    witness_.WorkersEnded();
    return true;
  }

  Witness& witness_;
  std::mutex mutex_;
  std::atomic<int> refused_ = 0;
  std::atomic<int> unknown_ = 0;
};

/// The story: the disk fills up, there is space again, it fills up once more and the store is
/// closed on a full disk.
void LiveOnSmallDisk(const std::string& folder, std::size_t reserve_bytes) {
  const SystemClock clock;
  rocks::RocksOptions options = SmallStore(folder + "/store");
  options.disk_reserve_bytes = reserve_bytes;
  Witness witness;
  Crew crew(witness);
  Ballast ballast(folder + "/ballast");
  ballast.Take(off_t{36} << 20);
  {
    const auto engine = rocks::RocksEngine::Open(options, clock);
    ASSERT_THAT(engine, IsOk());
    crew.CommitUntilRefused(**engine, 5);
    EXPECT_GT(crew.Refused() + crew.Unknown(), 0);
    EXPECT_GT(witness.Count(), 100U);
    ExpectIntact(**engine, witness);

    ballast.GiveBack();
    crew.CommitOnceEach(**engine);
    ExpectIntact(**engine, witness);

    ballast.Take(off_t{20} << 20);
    crew.CommitUntilRefused(**engine, 5);
    ExpectIntact(**engine, witness);
    witness.WorkersEnded();
  }
  if (const auto engine = rocks::RocksEngine::Open(options, clock); engine) {
    ExpectIntact(**engine, witness);
  } else {
    EXPECT_THAT(engine, FailsWith(ErrorCode::kUnavailable));
  }
  ballast.GiveBack();
  ExpectIntact(options, witness);
}

}  // namespace

int FillTheDisk(const std::string& folder) {
  if (const Result<void> mounted = MountSmallDisk(folder); !mounted) {
    ::dprintf(ChildProcess::kPipe, "%s", Describe(mounted.error()).c_str());
    return kNotPossibleHere;
  }
  const char* reserve = std::getenv("STORE_CRASH_RESERVE");
  LiveOnSmallDisk(folder, reserve == nullptr ? 0 : std::strtoull(reserve, nullptr, 10));
  return Failed() ? EXIT_FAILURE : EXIT_SUCCESS;
}

namespace {

/// How many bytes the engine leaves alone: with none, RocksDB itself meets the end of the disk.
class FullDisk : public ::testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Reserve, FullDisk,
                         ::testing::Values(std::size_t{0}, std::size_t{4} << 20));

TEST_P(FullDisk, RefusesCleanlyLosesNothingAndGoesOnWhenThereIsSpace) {
  const TemporaryFolder folder;
  ChildProcess child({{kChildRole, "fill"},
                      {kChildFolder, folder.Path()},
                      {"STORE_CRASH_RESERVE", std::to_string(GetParam())}});
  std::string reason;
  const auto deadline = std::chrono::steady_clock::now() + kChildPatience;
  while (!child.AtEnd() && std::chrono::steady_clock::now() < deadline) {
    reason += child.Read(4096, seconds(1));
  }
  if (!child.AtEnd()) {
    child.Kill();
  }
  const int status = child.Wait();
  ASSERT_FALSE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << "the child hangs";
  ASSERT_TRUE(WIFEXITED(status)) << "the child ended with status " << status;
  if (WEXITSTATUS(status) == kNotPossibleHere) {
    GTEST_SKIP() << "no small disk can be mounted here: " << reason;
  }
  EXPECT_EQ(WEXITSTATUS(status), EXIT_SUCCESS) << "see the output of the child";
}

}  // namespace
}  // namespace atrium::engines
