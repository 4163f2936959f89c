// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/testing.h"
#include "engines/rocksdb/engine.h"
#include "store/engine.h"
#include "store/op_context_testing.h"
#include "store/table.h"
#include "store/write_set.h"

namespace atrium::rocks {

inline constexpr store::Table kThings{.number = 200, .name = "things"};
inline constexpr store::Table kNames{.number = 201, .name = "names"};
inline constexpr store::Table kNews{.number = 202, .name = "news", .kind = store::TableKind::kLog};
inline constexpr store::Table kBlocks{
    .number = 203, .name = "blocks", .kind = store::TableKind::kImmutable};
inline constexpr store::Table kHints{
    .number = 204, .name = "hints", .kind = store::TableKind::kDerived};

/// A folder of its own, gone at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::random_device random;
    path_ = std::filesystem::temp_directory_path() /
            ("atrium-rocks-" + std::to_string(random()) + "-" + std::to_string(random()));
    std::filesystem::create_directory(path_);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  std::string At(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

/// A store in a folder of its own, on a clock that stands still.
class EngineTest : public ::testing::Test {
 protected:
  static constexpr Instant kStart{std::chrono::milliseconds(1'800'000'000'000)};

  void SetUp() override { Open(); }

  RocksOptions Options() const {
    return {.path = folder_.At("store"),
            .memory_bytes = std::size_t{16} << 20,
            .pulse = std::chrono::hours(1)};
  }
  void Open() {
    auto opened = RocksEngine::Open(Options(), clock_);
    ASSERT_THAT(opened, IsOk());
    engine_ = *std::move(opened);
  }
  void Reopen() {
    engine_.reset();
    Open();
  }

  Result<store::Receipt> Put(const store::Key& key, std::string document,
                             std::optional<Instant> expires_at = {}) {
    return engine_->Commit(store::kTestOp, {{store::Put{.table = &kThings,
                                                        .key = key,
                                                        .document = std::move(document),
                                                        .expires_at = expires_at}}});
  }
  Result<std::optional<store::Row>> Get(const store::Key& key) {
    return engine_->Get(store::kTestOp, kThings, key);
  }
  /// The document of a row; empty when there is none.
  std::string DocumentAt(const store::Key& key) { return DocumentIn(*engine_, key); }
  static std::string DocumentIn(store::Engine& engine, const store::Key& key) {
    const auto row = engine.Get(store::kTestOp, kThings, key);
    EXPECT_THAT(row, IsOk());
    return row && *row ? (*row)->document : "";
  }
  double Figure(const std::string& name) {
    for (const store::Statistic& figure : engine_->Statistics()) {
      if (figure.name == name) {
        return figure.value;
      }
    }
    ADD_FAILURE() << "no figure " << name;
    return 0;
  }

  TemporaryFolder folder_;
  FixedClock clock_{kStart};
  std::unique_ptr<RocksEngine> engine_;
};

}  // namespace atrium::rocks
