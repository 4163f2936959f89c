// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/conformance/crash_witness.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "engines/conformance/tables.h"

namespace atrium::engines {
namespace {

using store::Key;
using store::KeyedRow;
using Problems = std::vector<std::string>;
using Table = std::map<Key, store::Row>;

/// The log as it is stored.
struct LogRow {
  std::string document;
  store::Version version{};
};
using Log = std::vector<LogRow>;

Result<Table> ReadTable(store::Engine& engine, const store::Table& table) {
  Table rows;
  store::FunctionSink sink([&](const store::RowView& view) {
    KeyedRow row = store::Copy(view);
    rows.emplace(std::move(row.key), std::move(row.row));
  });
  store::WalkRequest request{.table = &table};
  do {
    ASSIGN_OR_RETURN(store::WalkEnd end,
                     engine.Walk(store::OpContext::ForWork("test"), request, sink));
    request.after = std::move(end.resume);
  } while (request.after);
  return rows;
}

/// The rows of the log by their numbers. One that is missing is a problem.
Result<Log> ReadLog(store::Engine& engine, Problems& problems) {
  Log log;
  std::int64_t last = 0;
  store::FunctionSink sink([&](const store::RowView& row) {
    if (store::SequenceOf(row.key.sort) == 0) {
      last = store::CounterOf(row.counters, store::kSequenceCounter);
      return;
    }
    log.push_back({.document = std::string(row.document), .version = row.version});
    if (store::SequenceOf(row.key.sort) != log.size()) {
      problems.push_back("number " + std::to_string(log.size()) + " of the log is missing");
      log.resize(store::SequenceOf(row.key.sort), log.back());
    }
  });
  store::ScanRequest request{.table = &kLog, .partition = kLogPartition, .limit = 1000};
  do {
    ASSIGN_OR_RETURN(store::ScanEnd end,
                     engine.Scan(store::OpContext::ForWork("test"), request, sink));
    request.after = std::move(end.resume);
  } while (request.after);
  if (log.size() != static_cast<std::size_t>(last)) {
    problems.push_back("the head of the log says " + std::to_string(last) + ", its end is " +
                       std::to_string(log.size()));
  }
  return log;
}

/// In the log, versions grow, and each worker's steps come one after the other up to the last. The
/// answer is the version of each step.
std::map<Step, store::Version> CompareLog(const Log& log, const StepsDone& done,
                                          Problems& problems) {
  std::map<std::string, Step> known;
  for (std::uint32_t worker = 0; worker < kWorkers; ++worker) {
    for (std::uint32_t number = 1; number <= done.at(worker); ++number) {
      const Step step{.worker = worker, .number = number};
      known.emplace(LogDocument(step), step);
    }
  }
  std::map<Step, store::Version> versions;
  StepsDone reached = {};
  store::Version last;
  for (const auto& [document, version] : log) {
    const auto step = known.find(document);
    if (step == known.end() || step->second.number != ++reached.at(step->second.worker)) {
      problems.push_back("the log has " + document + " in the wrong place");
      return versions;
    }
    if (version <= last) {
      problems.push_back("the version of " + document + " in the log does not grow");
    }
    last = version;
    versions.emplace(step->second, version);
  }
  if (reached != done) {
    problems.emplace_back("the log and the counters do not agree");
  }
  return versions;
}

struct Expected {
  const store::Table* table;
  Key (*key)(const Step&);
  std::string (*head)(const Step&);
};

/// A table holds one row for each live record, of the version that the log has, and no other.
Result<void> CompareTable(store::Engine& engine, const Expected& expected,
                          const std::map<Step, store::Version>& versions, Problems& problems) {
  ASSIGN_OR_RETURN(Table rows, ReadTable(engine, *expected.table));
  StepsDone last = {};
  for (const auto& [step, version] : versions) {
    last.at(step.worker) = std::max(last.at(step.worker), step.number);
  }
  for (const auto& [step, version] : versions) {
    if (step.number + kLiveRecords <= last.at(step.worker)) {
      continue;
    }
    const auto row = rows.extract(expected.key(step));
    if (row.empty() || row.mapped().version != version ||
        !row.mapped().document.starts_with(expected.head(step))) {
      problems.push_back(LogDocument(step) + (row.empty() ? " is missing in " : " is torn in ") +
                         std::string(expected.table->name));
    }
  }
  for (const auto& [key, row] : rows) {
    problems.push_back(std::string(expected.table->name) + " has a row too many: " + key.partition);
  }
  return {};
}

Result<void> CompareTotals(store::Engine& engine, const StepsDone& done, Problems& problems) {
  ASSIGN_OR_RETURN(const std::optional<store::Row> totals,
                   engine.Get(store::OpContext::ForWork("test"), kLast, TotalsKey()));
  std::int64_t live = 0;
  for (const std::uint32_t steps : done) {
    live += LiveAfter(steps);
  }
  const std::int64_t counted = totals ? store::CounterOf(totals->counters, "records") : 0;
  if (counted != live) {
    problems.push_back("there are " + std::to_string(live) + " records, counted are " +
                       std::to_string(counted));
  }
  return {};
}

void CompareAcknowledged(const std::vector<Acknowledged>& acknowledged, const Log& log,
                         Problems& problems) {
  for (const auto& [step, version, number] : acknowledged) {
    if (number == 0 || number > log.size() || log[number - 1].document != LogDocument(step) ||
        log[number - 1].version.number != version) {
      problems.push_back("acknowledged and not there as it was: " + LogDocument(step));
    }
  }
}

}  // namespace

void Witness::Saw(const Acknowledged& acknowledged) {
  acknowledged_.push_back(acknowledged);
  std::uint32_t& done = done_.at(acknowledged.step.worker);
  done = std::max(done, acknowledged.step.number);
}

Result<std::vector<std::string>> Witness::Compare(store::Engine& engine) {
  Problems problems;
  ASSIGN_OR_RETURN(const StepsDone done, ReadStepsDone(engine));
  for (std::size_t worker = 0; worker < kWorkers; ++worker) {
    if (done.at(worker) < done_.at(worker) || done.at(worker) > done_.at(worker) + untold_) {
      problems.push_back("worker " + std::to_string(worker) + " was told of " +
                         std::to_string(done_.at(worker)) + " steps, the store has " +
                         std::to_string(done.at(worker)));
    }
  }
  ASSIGN_OR_RETURN(const Log log, ReadLog(engine, problems));
  CompareAcknowledged(acknowledged_, log, problems);
  const std::map<Step, store::Version> versions = CompareLog(log, done, problems);
  for (const Expected& expected :
       {Expected{.table = &kThings, .key = RecordKey, .head = RecordHead},
        Expected{.table = &kOthers, .key = NameKey, .head = LogDocument},
        Expected{.table = &kList, .key = ListKey, .head = RecordHead}}) {
    RETURN_IF_ERROR(CompareTable(engine, expected, versions, problems));
  }
  RETURN_IF_ERROR(CompareTotals(engine, done, problems));
  done_ = done;
  untold_ = 0;
  return problems;
}

}  // namespace atrium::engines
