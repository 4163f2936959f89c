// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/testing.h"
#include "engines/conformance/engine_testing.h"
#include "engines/conformance/random_operations.h"
#include "engines/memory/engine.h"
#include "store/op_context_testing.h"

namespace atrium::engines {
namespace {

using store::Expectation;
using store::KeyedRow;
using store::Version;

constexpr std::uint64_t kOperations = 100'000;
constexpr std::uint64_t kOperationsBetweenFullComparisons = 5'000;

std::uint64_t FromEnvironment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

/// Versions are the engine's own affair, but for their order and for which of them are equal: a
/// version of the model stands for one of the other engine, and a later one for a later one.
class VersionPairs {
 public:
  bool Match(Version model, Version other) {
    const auto [pair, fresh] = pairs_.try_emplace(model, other);
    if (!fresh) {
      return pair->second == other;
    }
    const bool above = pair == pairs_.begin() || std::prev(pair)->second < other;
    const bool below = std::next(pair) == pairs_.end() || other < std::next(pair)->second;
    return above && below;
  }

  /// A version that no row of the model ever had is one that no row of the other has.
  Version Translate(Version model) const {
    const auto pair = pairs_.find(model);
    return pair == pairs_.end() ? Version{std::numeric_limits<std::uint64_t>::max()} : pair->second;
  }

 private:
  std::map<Version, Version> pairs_;
};

/// Does every operation on the model and on another engine, and compares what they answer.
class Twins {
 public:
  Twins(const EngineKind& kind, std::uint64_t seed)
      : kind_(kind),
        subject_(kind),
        model_(subject_.Time()),
        source_(seed, model_, subject_.Time()) {}

  /// What differed, if anything did.
  std::optional<std::string> Step() {
    const Operation operation = source_.Next();
    const std::string difference = std::visit([&](const auto& one) { return Do(one); }, operation);
    if (difference.empty()) {
      return std::nullopt;
    }
    return difference + "\n  at " + RenderInstant(subject_.Time().Now()) + " after " +
           Describe(operation);
  }

  std::string CompareEverything() {
    for (const store::Table* table : kTables) {
      if (std::string difference = Do(WalkTable{.table = table, .limit = 1000});
          !difference.empty()) {
        return std::string(table->name) + ": " + difference;
      }
    }
    return "";
  }

 private:
  template <typename T, typename U>
  static std::string Codes(const Result<T>& model, const Result<U>& other) {
    const auto name = [](const auto& result) { return result ? "ok" : Describe(result.error()); };
    const bool same = model.has_value() == other.has_value() &&
                      (model.has_value() || model.error().code == other.error().code);
    return same ? "" : "model: " + name(model) + ", other: " + name(other);
  }

  std::string Rows(const store::Table& table, const std::vector<KeyedRow>& model,
                   std::vector<KeyedRow> other) {
    if (model.size() == other.size()) {
      for (std::size_t i = 0; i < model.size(); ++i) {
        // What is immutable is written outside of commits, where nothing is said about versions.
        if (table.kind == store::TableKind::kImmutable ||
            versions_.Match(model[i].row.version, other[i].row.version)) {
          other[i].row.version = model[i].row.version;
        }
      }
    }
    return model == other ? ""
                          : "model: " + ::testing::PrintToString(Described(table, model)) +
                                "\n  other: " + ::testing::PrintToString(Described(table, other));
  }

  static std::vector<std::string> Described(const store::Table& table,
                                            const std::vector<KeyedRow>& rows) {
    std::vector<std::string> texts;
    for (const KeyedRow& row : rows) {
      texts.push_back(Describe(LoadRows{.table = &table, .rows = {row}}));
    }
    return texts;
  }

  std::string Do(const store::WriteSet& writes) {
    store::WriteSet translated = writes;
    for (store::Mutation& mutation : translated.mutations) {
      std::visit([&](auto& one) { Translate(one); }, mutation);
    }
    const Result<store::Receipt> model = model_.Commit(store::kTestOp, writes);
    const Result<store::Receipt> other =
        subject_.Store().Commit(store::kTestOp, std::move(translated));
    if (std::string codes = Codes(model, other); !codes.empty() || !model) {
      return codes;
    }
    source_.Saw(model->version, other->version);
    if (model->appended != other->appended) {
      return "numbers: model " + ::testing::PrintToString(model->appended) + ", other " +
             ::testing::PrintToString(other->appended);
    }
    return !WritesRow(writes) || versions_.Match(model->version, other->version)
               ? ""
               : "versions do not grow alike: model " + std::to_string(model->version.number) +
                     ", other " + std::to_string(other->version.number);
  }

  /// The version of a commit is that of the rows it wrote, if it wrote any.
  static bool WritesRow(const store::WriteSet& writes) {
    return std::ranges::any_of(writes.mutations, [](const store::Mutation& mutation) {
      return std::holds_alternative<store::Put>(mutation) ||
             std::holds_alternative<store::Add>(mutation) ||
             std::holds_alternative<store::Append>(mutation);
    });
  }

  template <typename Mutation>
  void Translate(Mutation& mutation) const {
    if constexpr (requires { mutation.expect; }) {
      if (mutation.expect.GetKind() == Expectation::Kind::kAtVersion) {
        mutation.expect = Expectation::At(versions_.Translate(mutation.expect.GetVersion()));
      }
    }
  }

  std::string Do(const GetRow& get) {
    const auto model = model_.Get(store::kTestOp, *get.table, get.key);
    const auto other = subject_.Store().Get(store::kTestOp, *get.table, get.key);
    if (std::string codes = Codes(model, other); !codes.empty()) {
      return codes;
    }
    const auto rows = [&](const std::optional<store::Row>& row) {
      return row ? std::vector{KeyedRow{.key = get.key, .row = *row}} : std::vector<KeyedRow>{};
    };
    return Rows(*get.table, rows(*model), rows(*other));
  }

  static Result<std::vector<KeyedRow>> AllPages(store::Engine& engine, const ScanPages& scan) {
    std::vector<KeyedRow> rows;
    store::ScanRequest request{.table = scan.table,
                               .partition = scan.partition,
                               .range = scan.range,
                               .limit = scan.limit,
                               .direction = scan.direction,
                               .after = scan.after};
    do {
      ASSIGN_OR_RETURN(store::Page page, store::CollectPage(engine, store::kTestOp, request));
      std::ranges::move(page.rows, std::back_inserter(rows));
      request.after = std::move(page.resume);
    } while (request.after);
    return rows;
  }

  std::string Do(const ScanPages& scan) {
    const auto model = AllPages(model_, scan);
    const auto other = AllPages(subject_.Store(), scan);
    std::string codes = Codes(model, other);
    return codes.empty() ? Rows(*scan.table, *model, *other) : codes;
  }

  static Result<std::vector<KeyedRow>> WalkThrough(store::Engine& engine, const WalkTable& walk) {
    std::vector<KeyedRow> rows;
    store::FunctionSink sink([&](const store::RowView& row) { rows.push_back(store::Copy(row)); });
    store::WalkRequest request{.table = walk.table, .limit = walk.limit};
    do {
      ASSIGN_OR_RETURN(store::WalkEnd end, engine.Walk(store::kTestOp, request, sink));
      request.after = std::move(end.resume);
    } while (request.after);
    // The order of a walk is the engine's own choice.
    std::ranges::sort(rows, {}, &KeyedRow::key);
    return rows;
  }

  std::string Do(const WalkTable& walk) {
    const auto model = WalkThrough(model_, walk);
    const auto other = WalkThrough(subject_.Store(), walk);
    std::string codes = Codes(model, other);
    return codes.empty() ? Rows(*walk.table, *model, *other) : codes;
  }

  std::string Do(const WriteObjects& objects) {
    return Codes(model_.WriteImmutable(store::kTestOp, kObjects, objects.rows),
                 subject_.Store().WriteImmutable(store::kTestOp, kObjects, objects.rows));
  }

  std::string Do(const LoadRows& load) {
    for (const KeyedRow& row : load.rows) {
      source_.Saw(row.row.version, row.row.version);
      if (!versions_.Match(row.row.version, row.row.version)) {
        return "a version is loaded that was given before";
      }
    }
    return Codes(model_.Load(store::kTestOp, *load.table, load.rows),
                 subject_.Store().Load(store::kTestOp, *load.table, load.rows));
  }

  std::string Do(const MoveTime& move) {
    if (move.by.count() < 0) {
      subject_.Time().Set(subject_.Time().Now() + move.by);
    } else {
      subject_.Time().Advance(move.by);
    }
    return "";
  }

  std::string Do(const Reopen& /*reopen*/) {
    subject_.Reopen();
    return "";
  }

  std::string Do(const Compact& /*compact*/) {
    return kind_.compact ? Codes(Result<void>(), kind_.compact(subject_.Store())) : "";
  }

  EngineKind kind_;
  Subject subject_;
  MemoryEngine model_;
  OperationSource source_;
  VersionPairs versions_;
};

/// An engine with a flaw that shows rarely: it does not look at rows that were only read.
class Forgetful final : public store::Engine {
 public:
  explicit Forgetful(const Clock& clock) : engine_(clock) {}

  Result<std::optional<store::Row>> Get(const store::OpContext& op, const store::Table& table,
                                        const store::KeyView& key) override {
    return engine_.Get(op, table, key);
  }
  Result<store::ScanEnd> Scan(const store::OpContext& op, const store::ScanRequest& request,
                              store::RowSink& sink) override {
    return engine_.Scan(op, request, sink);
  }
  Result<store::Receipt> Commit(const store::OpContext& op, store::WriteSet writes) override {
    std::erase_if(writes.mutations, [](const store::Mutation& mutation) {
      return std::holds_alternative<store::Check>(mutation);
    });
    return engine_.Commit(op, std::move(writes));
  }
  Result<void> WriteImmutable(const store::OpContext& op, const store::Table& table,
                              std::span<const store::ImmutableRow> rows) override {
    return engine_.WriteImmutable(op, table, rows);
  }
  Result<store::WalkEnd> Walk(const store::OpContext& op, const store::WalkRequest& request,
                              store::RowSink& sink) override {
    return engine_.Walk(op, request, sink);
  }
  Result<void> Load(const store::OpContext& op, const store::Table& table,
                    std::span<const KeyedRow> rows) override {
    return engine_.Load(op, table, rows);
  }
  std::vector<store::Statistic> Statistics() override { return engine_.Statistics(); }

 private:
  MemoryEngine engine_;
};

class Differential : public ::testing::TestWithParam<EngineKind> {};
FOR_ALL_ENGINES(Differential);

// The memory engine takes part too, against another of itself: that proves the run, not the engine.
TEST_P(Differential, AnswersAsTheModelDoes) {
  const std::uint64_t seed = FromEnvironment("STORE_TEST_SEED", std::random_device()());
  const std::uint64_t operations = FromEnvironment("STORE_TEST_OPERATIONS", kOperations);
  const std::string replay = "STORE_TEST_SEED=" + std::to_string(seed) +
                             " STORE_TEST_OPERATIONS=" + std::to_string(operations);
  std::cout << replay << std::endl;
  RecordProperty("seed", std::to_string(seed));
  Twins twins(GetParam(), seed);
  for (std::uint64_t i = 1; i <= operations; ++i) {
    const std::optional<std::string> difference = twins.Step();
    ASSERT_FALSE(difference) << "operation " << i << ", " << replay << "\n  " << *difference;
    if (i % kOperationsBetweenFullComparisons == 0 || i == operations) {
      ASSERT_EQ(twins.CompareEverything(), "") << "after operation " << i << ", " << replay;
    }
  }
}

TEST(DifferentialItself, FindsAFlawedEngine) {
  const EngineKind kind{.name = "Forgetful",
                        .open = [](const std::filesystem::path&,
                                   const Clock& clock) -> std::unique_ptr<store::Engine> {
                          return std::make_unique<Forgetful>(clock);
                        }};
  Twins twins(kind, 1);
  std::optional<std::string> difference;
  for (int i = 0; i < 10'000 && !difference; ++i) {
    difference = twins.Step();
  }
  ASSERT_TRUE(difference);
  EXPECT_THAT(*difference, ::testing::HasSubstr("model: conflict"));
}

}  // namespace
}  // namespace atrium::engines
