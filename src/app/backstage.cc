// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/backstage.h"

#include <prometheus/collectable.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/config.h"
#include "app/control_routes.h"
#include "app/durable_file.h"
#include "app/housekeeping.h"
#include "app/open_store.h"
#include "base/clock.h"
#include "base/id_source.h"
#include "base/log.h"
#include "base/result.h"
#include "engines/rocksdb/engine.h"
#include "jobs/job.h"
#include "jobs/runner.h"
#include "mail/outbox.h"
#include "store/epoch.h"

namespace atrium::app {

Backstage::Backstage(const Config& config, const Catalog& catalog, const Clock& clock,
                     std::unique_ptr<rocks::RocksEngine> engine)
    : engine_(std::move(engine)),
      store_(*engine_, clock),
      statistics_(*engine_),
      operations_(*engine_, catalog, config, clock),
      tasks_([this](const TaskRequest& request, const WorkHooks& hooks) {
        return operations_.Perform(request, hooks);
      }),
      ledger_(store_),
      witness_(store_, clock) {}

Backstage::~Backstage() = default;

Result<std::unique_ptr<Backstage>> Backstage::Open(const Config& config, const Catalog& catalog,
                                                   const Clock& clock) {
  ASSIGN_OR_RETURN(std::unique_ptr<rocks::RocksEngine> engine, OpenStore(config, clock));
  std::unique_ptr<Backstage> made(new Backstage(config, catalog, clock, std::move(engine)));
  if (made->engine_->MayHaveGoneBack()) {
    made->store_.BeforeFirstWrite(
        [&engine = *made->engine_, &clock] { return Settle(engine, clock); });
  }
  RETURN_IF_ERROR(made->Prepare(config, clock));
  return made;
}

Result<void> Backstage::Prepare(const Config& config, const Clock& clock) {
  SystemIdSource ids(clock);
  ASSIGN_OR_RETURN(const store::Epoch epoch,
                   store::EnsureEpoch(store_, store::OpContext::ForWork("start"), ids, clock));
  log::Info("store opened",
            {{"folder", StoreFolder(config).string()}, {"epoch", epoch.id.Render()}});
  operations_.EraseCheckpoints();
  ASSIGN_OR_RETURN(std::string server, LoadServerName(config.data));
  runner_.emplace(ledger_, clock,
                  jobs::RunnerOptions{.server = std::move(server), .witness = &witness_});
  RETURN_IF_ERROR(runner_->Register(jobs::MakeClockJob(
      witness_, [this](Instant believed) { engine_->SetErasureHorizon(believed); })));
  for (jobs::JobSpec& job : HousekeepingJobs(config, clock, operations_)) {
    RETURN_IF_ERROR(runner_->Register(std::move(job)));
  }
  control_.emplace(Targets());
  return {};
}

ControlTargets Backstage::Targets() {
  return {.operations = &operations_,
          .tasks = &tasks_,
          .runner = &*runner_,
          .ledger = &ledger_,
          .witness = &witness_};
}

Result<void> Backstage::Register(std::vector<jobs::JobSpec> jobs) {
  for (jobs::JobSpec& job : jobs) {
    RETURN_IF_ERROR(runner_->Register(std::move(job)));
  }
  return {};
}

void Backstage::Start() {
  runner_->Start();
  // Refused while the job runs, which may have seen the last letter that it is going to see; and
  // when mail is not set up, so that there is no such job.
  courier_.emplace(store_.Signals(), [this] {
    const Result<void> asked = runner_->RunNow(std::string(mail::kDeliveryJob));
    return asked || asked.error().code != ErrorCode::kConflict;
  });
}

void Backstage::StopJobs() {
  courier_.reset();
  runner_->Stop();
}

std::vector<const prometheus::Collectable*> Backstage::Metrics() const {
  return {&statistics_, &store_.Metrics()};
}

}  // namespace atrium::app
