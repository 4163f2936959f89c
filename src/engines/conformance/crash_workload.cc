// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/conformance/crash_workload.h"

#include <algorithm>
#include <optional>

#include "engines/conformance/tables.h"
#include "store/key_bytes.h"

namespace atrium::engines {
namespace {

using store::Add;
using store::Append;
using store::Erase;
using store::Expectation;
using store::Key;
using store::Put;

std::string WorkerName(std::size_t worker) {
  return "worker-" + std::to_string(worker);
}

}  // namespace

Key RecordKey(const Step& step) {
  return {.partition = WorkerName(step.worker), .sort = store::SequenceKey(step.number)};
}

Key NameKey(const Step& step) {
  return {.partition = "name-" + LogDocument(step), .sort = ""};
}

Key ListKey(const Step& step) {
  return {.partition = "list-" + std::to_string(step.number % 3), .sort = LogDocument(step)};
}

std::string LogDocument(const Step& step) {
  return std::to_string(step.worker) + "/" + std::to_string(step.number);
}

std::string RecordHead(const Step& step) {
  return R"({"step":")" + LogDocument(step) + R"(","filler":")";
}

Key TotalsKey() {
  return {.partition = "totals", .sort = ""};
}

std::uint32_t LiveAfter(std::uint32_t steps) {
  return std::min(steps, kLiveRecords);
}

store::WriteSet WritesOf(const Step& step, std::string_view filler) {
  store::WriteSet writes;
  std::vector<store::Mutation>& mutations = writes.mutations;
  const std::string document = RecordHead(step) + std::string(filler) + R"("})";
  mutations.emplace_back(Put{.table = &kThings,
                             .key = RecordKey(step),
                             .document = document,
                             .expect = Expectation::Absent()});
  mutations.emplace_back(Put{.table = &kOthers,
                             .key = NameKey(step),
                             .document = LogDocument(step),
                             .expect = Expectation::Absent()});
  mutations.emplace_back(Put{.table = &kList, .key = ListKey(step), .document = document});
  std::int64_t more_records = 1;
  if (step.number > kLiveRecords) {
    const Step old{.worker = step.worker, .number = step.number - kLiveRecords};
    mutations.emplace_back(
        Erase{.table = &kThings, .key = RecordKey(old), .expect = Expectation::Present()});
    mutations.emplace_back(
        Erase{.table = &kOthers, .key = NameKey(old), .expect = Expectation::Present()});
    mutations.emplace_back(Erase{.table = &kList, .key = ListKey(old)});
    more_records = 0;
  }
  mutations.emplace_back(
      Add{.table = &kLast, .key = TotalsKey(), .counter = "records", .delta = more_records});
  mutations.emplace_back(
      Add{.table = &kLast, .key = TotalsKey(), .counter = WorkerName(step.worker), .delta = 1});
  mutations.emplace_back(Append{
      .table = &kLog, .partition = std::string(kLogPartition), .document = LogDocument(step)});
  return writes;
}

Result<StepsDone> ReadStepsDone(store::Engine& engine) {
  ASSIGN_OR_RETURN(const std::optional<store::Row> totals,
                   engine.Get(store::OpContext::ForWork("test"), kLast, TotalsKey()));
  StepsDone done = {};
  for (std::size_t worker = 0; totals && worker < kWorkers; ++worker) {
    done.at(worker) =
        static_cast<std::uint32_t>(store::CounterOf(totals->counters, WorkerName(worker)));
  }
  return done;
}

}  // namespace atrium::engines
