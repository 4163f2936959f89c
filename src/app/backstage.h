// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <prometheus/collectable.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/catalog.h"
#include "app/config.h"
#include "app/control_routes.h"
#include "app/store_operations.h"
#include "app/store_statistics.h"
#include "app/store_tasks.h"
#include "base/clock.h"
#include "base/result.h"
#include "engines/rocksdb/engine.h"
#include "jobs/clock_witness.h"
#include "jobs/runner.h"
#include "jobs/store_ledger.h"
#include "mail/courier.h"
#include "store/store.h"

namespace atrium::app {

/// What works in a running server without being asked over the network: the store, the jobs, and
/// what the operator may do with both.
class Backstage {
 public:
  /// Opens the store and makes it ready for work. kUnavailable, saying so, while another process
  /// has it open. What it is given outlives it.
  static Result<std::unique_ptr<Backstage>> Open(const Config& config, const Catalog& catalog,
                                                 const Clock& clock);

  Backstage(const Backstage&) = delete;
  Backstage& operator=(const Backstage&) = delete;
  /// Waits for jobs and tasks to end, then closes the store.
  ~Backstage();

  /// Jobs of rooms; before Start().
  Result<void> Register(std::vector<jobs::JobSpec> jobs);
  /// Jobs run from here on.
  void Start();
  /// Waits for jobs to end, since they use the rooms, which go first. None begins any more.
  void StopJobs();
  /// Asks long tasks to end, and waits for none.
  void RequestStop() { tasks_.RequestStop(); }

  store::Store& Store() { return store_; }
  ControlRoutes& Control() { return *control_; }
  /// What can be asked of it; valid as long as it is.
  ControlTargets Targets();
  std::vector<const prometheus::Collectable*> Metrics() const;

 private:
  Backstage(const Config& config, const Catalog& catalog, const Clock& clock,
            std::unique_ptr<rocks::RocksEngine> engine);
  Result<void> Prepare(const Config& config, const Clock& clock);

  // Each outlives what stands below it.
  const std::unique_ptr<rocks::RocksEngine> engine_;
  store::Store store_;
  const StoreStatistics statistics_;
  StoreOperations operations_;
  StoreTasks tasks_;
  jobs::StoreLedger ledger_;
  jobs::ClockWitness witness_;
  std::optional<jobs::Runner> runner_;
  /// Has letters leave at once.
  std::optional<mail::Courier> courier_;
  std::optional<ControlRoutes> control_;
};

}  // namespace atrium::app
