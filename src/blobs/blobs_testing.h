// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/id_source.h"
#include "base/log.h"
#include "base/testing.h"
#include "blobs/disk.h"
#include "blobs/keys.h"
#include "blobs/local_blobs.h"
#include "engines/conformance/temporary_folder.h"
#include "engines/memory/engine.h"
#include "store/ground.h"
#include "store/store.h"

namespace atrium::blobs {

inline constexpr Instant kTestNow{std::chrono::days(20'000)};

/// The seed of a random test, printed so that the test can be repeated.
inline std::uint64_t TestSeed() {
  const char* given = std::getenv("BLOBS_TEST_SEED");
  const std::uint64_t seed =
      given == nullptr ? std::random_device()() : std::strtoull(given, nullptr, 10);
  std::cout << "BLOBS_TEST_SEED=" << seed << std::endl;
  return seed;
}

inline std::string RandomBytes(std::mt19937_64& random, std::size_t bytes) {
  std::string text(bytes, '\0');
  for (char& byte : text) {
    byte = static_cast<char>(random());
  }
  return text;
}

/// A disk that fails on demand, and otherwise does not wait for anything to be durable.
class FaultyDisk final : public Disk {
 public:
  /// With which number calls fail, from which on, and how many.
  struct Fault {
    int number = 0;
    int after = 0;
    int count = 1 << 30;
  };
  /// Writes fail after half of their bytes.
  void FailWrites(const Fault& fault) { Set(writes_, fault); }
  void FailSyncs(const Fault& fault) { Set(syncs_, fault); }
  void FailFolderSyncs(const Fault& fault) { Set(folders_, fault); }
  void Mend() {
    Set(writes_, {.count = 0});
    Set(syncs_, {.count = 0});
    Set(folders_, {.count = 0});
  }
  void SetFreeBytes(std::optional<std::uint64_t> bytes) {
    const std::scoped_lock lock(mutex_);
    free_ = bytes;
  }
  std::uint64_t Syncs() const { return synced_.load(); }

  /// Syncs wait until they are let go.
  void HoldSyncs() {
    const std::scoped_lock lock(mutex_);
    held_ = true;
  }
  void LetGo() {
    const std::scoped_lock lock(mutex_);
    held_ = false;
    changed_.notify_all();
  }
  void AwaitHeldSync() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return waiting_ > 0; });
  }

  Result<void> Write(int file, std::span<iovec> pieces, std::uint64_t offset) override {
    if (const int number = Take(writes_)) {
      std::span<iovec> half = pieces.first((pieces.size() + 1) / 2);
      if (half.size() == 1) {
        half.front().iov_len /= 2;
      }
      EXPECT_THAT(Disk::Write(file, half, offset), IsOk());
      return SystemFailure("write blobs", number);
    }
    return Disk::Write(file, pieces, offset);
  }
  Result<void> Sync(int /*file*/) override {
    Wait();
    synced_.fetch_add(1);
    const int number = Take(syncs_);
    return number == 0 ? Result<void>() : SystemFailure("sync blobs", number);
  }
  Result<void> SyncFolder(const std::filesystem::path& /*folder*/) override {
    const int number = Take(folders_);
    return number == 0 ? Result<void>() : SystemFailure("sync a folder", number);
  }
  Result<std::uint64_t> FreeBytes(const std::filesystem::path& folder) override {
    {
      const std::scoped_lock lock(mutex_);
      if (free_) {
        return *free_;
      }
    }
    return Disk::FreeBytes(folder);
  }

 private:
  void Set(Fault& fault, const Fault& value) {
    const std::scoped_lock lock(mutex_);
    fault = value;
  }
  int Take(Fault& fault) {
    const std::scoped_lock lock(mutex_);
    if (fault.count == 0 || fault.after-- > 0) {
      return 0;
    }
    --fault.count;
    return fault.number;
  }
  void Wait() {
    std::unique_lock lock(mutex_);
    ++waiting_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return !held_; });
    --waiting_;
  }

  std::atomic<std::uint64_t> synced_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  // Guarded by mutex_.
  Fault writes_{.count = 0};
  Fault syncs_{.count = 0};
  Fault folders_{.count = 0};
  std::optional<std::uint64_t> free_{};
  bool held_ = false;
  int waiting_ = 0;
};

/// Rows that tests write about blobs, as a room would: by the note.
inline constexpr store::Table kMappings{
    .number = 900, .name = "mappings", .kind = store::TableKind::kImmutable};

/// An engine that knows what a loss of power would leave: immutable rows that no commit followed
/// are gone. Also fails on demand.
class ForgetfulEngine final : public store::Engine {
 public:
  explicit ForgetfulEngine(const Clock& clock) : clock_(clock), memory_(clock) {}

  void FailImmutable(std::optional<ErrorCode> code) {
    const std::scoped_lock lock(mutex_);
    fail_immutable_ = code;
  }
  /// Whether a commit that fails happens all the same.
  enum class Fate : std::uint8_t { kNotDone, kDone };
  struct CommitFault {
    ErrorCode code = ErrorCode::kUnavailable;
    /// So many pass before.
    int after = 0;
    Fate fate = Fate::kNotDone;
  };
  void FailCommits(const std::optional<CommitFault>& fault) {
    const std::scoped_lock lock(mutex_);
    commit_fault_ = fault;
  }

  /// A new engine with what is durable.
  std::unique_ptr<ForgetfulEngine> AfterCrash() {
    auto copy = std::make_unique<ForgetfulEngine>(clock_);
    const std::scoped_lock lock(mutex_);
    for (const store::Table* table : {&kPlaces, &kFacts, &kMappings}) {
      store::FunctionSink sink([&](const store::RowView& row) {
        const store::KeyedRow owned = store::Copy(row);
        if (!unsure_.contains({table->number, owned.key})) {
          EXPECT_THAT(copy->memory_.Load({}, *table, std::span(&owned, 1)), IsOk());
        }
      });
      store::WalkRequest request{.table = table};
      do {
        auto end = memory_.Walk({}, request, sink);
        EXPECT_THAT(end, IsOk());
        request.after = end->resume;
      } while (request.after);
    }
    return copy;
  }

  Result<std::optional<store::Row>> Get(const store::OpContext& op, const store::Table& table,
                                        const store::KeyView& key) override {
    return memory_.Get(op, table, key);
  }
  Result<store::ScanEnd> Scan(const store::OpContext& op, const store::ScanRequest& request,
                              store::RowSink& sink) override {
    return memory_.Scan(op, request, sink);
  }
  Result<store::Receipt> Commit(const store::OpContext& op, store::WriteSet writes) override {
    const std::scoped_lock lock(mutex_);
    const bool fails = commit_fault_ && commit_fault_->after-- <= 0;
    if (!fails || commit_fault_->fate == Fate::kDone) {
      unsure_.clear();
      auto receipt = memory_.Commit(op, std::move(writes));
      if (!fails || !receipt) {
        return receipt;
      }
    }
    return FailPrivately(commit_fault_->code, "as the test wants it");
  }
  Result<void> WriteImmutable(const store::OpContext& op, const store::Table& table,
                              std::span<const store::ImmutableRow> rows) override {
    const std::scoped_lock lock(mutex_);
    if (fail_immutable_) {
      return FailPrivately(*fail_immutable_, "as the test wants it");
    }
    for (const store::ImmutableRow& row : rows) {
      const auto there = memory_.Get({}, table, row.key);
      if (there && !*there) {
        unsure_.insert({table.number, row.key});
      }
    }
    return memory_.WriteImmutable(op, table, rows);
  }
  Result<store::WalkEnd> Walk(const store::OpContext& op, const store::WalkRequest& request,
                              store::RowSink& sink) override {
    return memory_.Walk(op, request, sink);
  }
  Result<void> Load(const store::OpContext& op, const store::Table& table,
                    std::span<const store::KeyedRow> rows) override {
    return memory_.Load(op, table, rows);
  }
  std::vector<store::Statistic> Statistics() override { return memory_.Statistics(); }

 private:
  const Clock& clock_;
  engines::MemoryEngine memory_;
  std::mutex mutex_;
  // Guarded by mutex_.
  std::set<std::pair<std::uint16_t, store::Key>> unsure_;
  std::optional<ErrorCode> fail_immutable_;
  std::optional<CommitFault> commit_fault_;
};

/// Everything that a LocalBlobs stands on, and one.
class World {
 public:
  World() : World(std::make_unique<ForgetfulEngine>(Clock())) {}
  explicit World(std::unique_ptr<ForgetfulEngine> engine)
      : engine_(std::move(engine)), store_(*engine_, Clock()) {
    options_.folder = folder_.Path() / "blobs";
    options_.disk = disk_;
    options_.reserve_bytes = 0;
    options_.recovered = [this](std::span<const NotedBlob> some) -> Result<void> {
      recovered_.insert(recovered_.end(), some.begin(), some.end());
      return {};
    };
  }

  static FixedClock& Clock() {
    static FixedClock clock(kTestNow);
    return clock;
  }

  Result<void> TryOpen() {
    recovered_.clear();
    auto opened = LocalBlobs::Open(options_, {.store = store_, .clock = Clock(), .ids = ids_});
    if (!opened) {
      return std::unexpected(opened.error());
    }
    blobs_ = *std::move(opened);
    return {};
  }
  void Open() { ASSERT_THAT(TryOpen(), IsOk()); }
  void Close() { blobs_.reset(); }
  void Reopen() {
    Close();
    Open();
  }

  /// Another world, in which this one lost its power just now. Not opened yet.
  std::unique_ptr<World> AfterCrash() {
    auto after = std::make_unique<World>(engine_->AfterCrash());
    after->options_.own_file_bytes = options_.own_file_bytes;
    after->options_.pack_bytes = options_.pack_bytes;
    std::filesystem::copy(options_.folder, after->options_.folder,
                          std::filesystem::copy_options::recursive);
    return after;
  }

  LocalBlobs& Blobs() { return *blobs_; }
  FaultyDisk& GetDisk() { return *disk_; }
  ForgetfulEngine& Engine() { return *engine_; }
  LocalOptions& Options() { return options_; }
  const std::vector<NotedBlob>& GetRecovered() const { return recovered_; }
  const std::filesystem::path& Folder() const { return options_.folder; }

  /// Puts and lets go of the pin at once.
  BlobId Put(std::string_view bytes, std::string_view note = {}) {
    const Result<Pin> pin = blobs_->Put({}, bytes, {.note = note});
    EXPECT_THAT(pin, IsOk());
    return pin ? pin->Id() : BlobId();
  }
  bool Has(const BlobId& id) {
    const Result<bool> has = blobs_->Contains({}, id);
    EXPECT_THAT(has, IsOk());
    return has.value_or(false);
  }

  /// The pack files, in the order of their numbers.
  std::vector<std::filesystem::path> PackFiles() const {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(options_.folder / "packs")) {
      files.push_back(entry.path());
    }
    std::ranges::sort(files);
    return files;
  }
  /// How many files lie below a folder of the blobs.
  std::size_t CountFiles(const std::string& below) const {
    std::size_t count = 0;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(options_.folder / below)) {
      count += entry.is_regular_file() ? 1 : 0;
    }
    return count;
  }
  std::filesystem::path OwnFile(const BlobId& id) const {
    const std::string name = id.Render();
    return options_.folder / "files" / name.substr(0, 2) / name.substr(2, 2) / name;
  }

 private:
  engines::TemporaryFolder folder_;
  std::shared_ptr<FaultyDisk> disk_ = std::make_shared<FaultyDisk>();
  std::unique_ptr<ForgetfulEngine> engine_;
  store::Store store_;
  FixedIdSource ids_;
  LocalOptions options_;
  std::vector<NotedBlob> recovered_;
  std::unique_ptr<LocalBlobs> blobs_;
};

/// A world with blobs of up to 1,000 bytes in packs.
class BlobsTest : public ::testing::Test {
 protected:
  static constexpr std::uint64_t kOwnFileBytes = 1000;

  static void SetUpTestSuite() {
    // What is torn and damaged on purpose is not worth a line each.
    log::Configure({.sink = [](std::string_view) {}});
  }
  static void TearDownTestSuite() { log::Configure({}); }

  BlobsTest() { world_.Options().own_file_bytes = kOwnFileBytes; }
  void SetUp() override { world_.Open(); }

  LocalBlobs& Blobs() { return world_.Blobs(); }

  World world_;
};

inline std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes(std::filesystem::file_size(path), '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return bytes;
}

inline void WriteFile(const std::filesystem::path& path, std::string_view bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// Changes the byte at which `text` begins in a file; the text is there.
inline void DamageAt(const std::filesystem::path& path, std::string_view text) {
  std::string bytes = ReadFile(path);
  const std::size_t at = bytes.find(text);
  ASSERT_NE(at, std::string::npos);
  bytes[at] = static_cast<char>(bytes[at] ^ 1);
  WriteFile(path, bytes);
}

}  // namespace atrium::blobs
