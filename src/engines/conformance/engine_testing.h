// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/instant.h"
#include "base/testing.h"
#include "engines/conformance/tables.h"
#include "engines/conformance/temporary_folder.h"
#include "engines/memory/engine.h"
#include "engines/rocksdb/engine.h"
#include "store/engine.h"
#include "store/op_context_testing.h"

namespace atrium::engines {

/// How to come by an engine.
struct EngineKind {
  std::string name;
  /// What was committed is there when the same folder is opened again.
  bool durable = false;
  std::function<std::unique_ptr<store::Engine>(const std::filesystem::path&, const Clock&)> open;
  /// Rewrites its files, where there are any.
  std::function<Result<void>(store::Engine&)> compact{};

  friend void PrintTo(const EngineKind& kind, std::ostream* out) { *out << kind.name; }
};

inline std::unique_ptr<store::Engine> OpenMemory(const std::filesystem::path& /*folder*/,
                                                 const Clock& clock) {
  return std::make_unique<MemoryEngine>(clock);
}

template <rocks::Durability kDurability>
std::unique_ptr<store::Engine> OpenRocks(const std::filesystem::path& folder, const Clock& clock) {
  auto engine = rocks::RocksEngine::Open({.path = folder.string(),
                                          .memory_bytes = std::size_t{32} << 20,
                                          .durability = kDurability,
                                          .disk_reserve_bytes = 0},
                                         clock);
  EXPECT_THAT(engine, IsOk());
  return engine ? *std::move(engine) : nullptr;
}

inline Result<void> CompactRocks(store::Engine& engine) {
  return dynamic_cast<rocks::RocksEngine&>(engine).Compact({});
}

/// The disk is not waited for, where a process that goes on would not see the difference.
inline std::vector<EngineKind> AllEngines() {
  return {{.name = "Memory", .open = OpenMemory},
          {.name = "RocksDb",
           .durable = true,
           .open = OpenRocks<rocks::Durability::kRelaxed>,
           .compact = CompactRocks}};
}

inline std::string NameOfKind(const ::testing::TestParamInfo<EngineKind>& kind) {
  return kind.param.name;
}

/// An empty engine, and the clock it goes by.
class Subject {
 public:
  explicit Subject(EngineKind kind) : kind_(std::move(kind)) { Open(); }

  store::Engine& Store() { return *engine_; }
  FixedClock& Time() { return clock_; }

  /// Ends the engine and opens it again, where it is durable.
  void Reopen() {
    if (kind_.durable) {
      engine_.reset();
      Open();
    }
  }

 private:
  void Open() { engine_ = kind_.open(folder_.Path() / "store", clock_); }

  EngineKind kind_;
  TemporaryFolder folder_;
  FixedClock clock_{Instant(std::chrono::milliseconds(1'800'000'000'000))};
  std::unique_ptr<store::Engine> engine_;
};

/// What the tests of an engine are written in.
class EngineTest : public ::testing::TestWithParam<EngineKind> {
 protected:
  store::Engine& Store() { return subject_.Store(); }
  FixedClock& Time() { return subject_.Time(); }
  Instant In(std::chrono::milliseconds time) { return Time().Now() + time; }
  void Reopen() { subject_.Reopen(); }

  template <typename... Mutations>
  Result<store::Receipt> Commit(Mutations... mutations) {
    store::WriteSet writes;
    (writes.mutations.emplace_back(std::move(mutations)), ...);
    return Store().Commit(store::kTestOp, std::move(writes));
  }

  /// A commit that must succeed: its version.
  template <typename... Mutations>
  store::Version Committed(Mutations... mutations) {
    const Result<store::Receipt> receipt = Commit(std::move(mutations)...);
    EXPECT_THAT(receipt, IsOk());
    return receipt ? receipt->version : store::Version{};
  }

  std::optional<store::Row> Get(const store::Table& table, const store::Key& key) {
    Result<std::optional<store::Row>> row = Store().Get(store::kTestOp, table, key);
    EXPECT_THAT(row, IsOk());
    return row ? *std::move(row) : std::nullopt;
  }

  /// The document there, "absent" if there is none.
  std::string DocumentAt(const store::Table& table, const store::Key& key) {
    const std::optional<store::Row> row = Get(table, key);
    return row ? row->document : "absent";
  }

  std::int64_t CounterAt(const store::Table& table, const store::Key& key, std::string_view name) {
    const std::optional<store::Row> row = Get(table, key);
    return row ? store::CounterOf(row->counters, name) : 0;
  }

  store::Page OnePage(const store::ScanRequest& request) {
    Result<store::Page> page = store::CollectPage(Store(), store::kTestOp, request);
    EXPECT_THAT(page, IsOk());
    return page ? *std::move(page) : store::Page{};
  }

  /// The sort keys of all pages from this one on.
  std::vector<std::string> Sorts(store::ScanRequest request) {
    std::vector<std::string> sorts;
    do {
      store::Page page = OnePage(request);
      EXPECT_LE(page.rows.size(), request.limit);
      for (store::KeyedRow& row : page.rows) {
        EXPECT_EQ(row.key.partition, request.partition);
        sorts.push_back(std::move(row.key.sort));
      }
      request.after = std::move(page.resume);
    } while (request.after && !HasFailure());
    return sorts;
  }

  /// All rows of a table, in pages of this size.
  std::vector<store::KeyedRow> WalkAll(const store::Table& table, std::size_t limit = 1000) {
    std::vector<store::KeyedRow> rows;
    store::WalkRequest request{.table = &table, .limit = limit};
    do {
      std::size_t taken = 0;
      store::FunctionSink sink([&](const store::RowView& row) {
        rows.push_back(store::Copy(row));
        ++taken;
      });
      Result<store::WalkEnd> end = Store().Walk(store::kTestOp, request, sink);
      EXPECT_THAT(end, IsOk());
      EXPECT_LE(taken, limit);
      request.after = end ? std::move(end->resume) : std::nullopt;
    } while (request.after && !HasFailure());
    return rows;
  }

 private:
  Subject subject_{GetParam()};
};

/// Bytes out of a literal, with the zeros in it.
template <std::size_t kSize>
std::string Bytes(const char (&literal)[kSize]) {
  return std::string(literal, kSize - 1);
}

}  // namespace atrium::engines

/// Runs the tests of a class derived from EngineTest on each engine.
#define FOR_ALL_ENGINES(test)                                                                  \
  INSTANTIATE_TEST_SUITE_P(Engine, test, ::testing::ValuesIn(::atrium::engines::AllEngines()), \
                           ::atrium::engines::NameOfKind)
