// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/api.h"
#include "app/calendar_invitations.h"
#include "app/calendar_people.h"
#include "app/config.h"
#include "app/files_people.h"
#include "app/gauge_readings.h"
#include "app/letter_routes.h"
#include "app/secrets.h"
#include "base/clock.h"
#include "base/id_source.h"
#include "base/memory_budget.h"
#include "base/result.h"
#include "base/sealed_box.h"
#include "blobs/blobs.h"
#include "calendar/room.h"
#include "egress/client.h"
#include "files/room.h"
#include "gauges/recorder.h"
#include "http/metrics.h"
#include "identity/identity.h"
#include "jobs/job.h"
#include "mail/outbox.h"
#include "store/store.h"

namespace atrium::app {

/// All rooms, made on a store, with what they call on: mail, other servers, keys.
class Rooms {
 public:
  /// Makes them and has them look at what is stored. What it is given outlives them.
  static Result<std::unique_ptr<Rooms>> Make(const Config& config, const ServerSecrets& secrets,
                                             store::Store& store, const Clock& clock);
  /// The same without anything on disk, to see which routes there are.
  static Result<std::unique_ptr<Rooms>> MakeForShow(store::Store& store, const Clock& clock);

  Rooms(const Rooms&) = delete;
  Rooms& operator=(const Rooms&) = delete;

  void AddTo(api::Api& api);
  /// What they do unasked; registered before the runner starts.
  std::vector<jobs::JobSpec> Jobs();

  identity::Identity& GetIdentity() { return identity_; }
  files::Room& GetFiles() { return files_; }
  /// Of what they have in memory of bodies, from requests and from other servers.
  MemoryBudget& BodyMemory() { return body_memory_; }

  /// Traffic is recorded, too; before the first job runs. The metrics outlive the jobs.
  void Watch(const http::HttpMetrics& traffic) { readings_.Watch(traffic); }
  /// Writes down what was counted since the last sample, for a server that stops.
  Result<void> SampleGauges() { return recorder_.Sample(); }

 private:
  /// What may fail to be made.
  struct Tools {
    std::unique_ptr<IdSource> ids;
    SealedBox box;
    std::shared_ptr<mail::Transport> transport;
    std::unique_ptr<blobs::Blobs> blobs;
    SecretKey files_key;
  };
  static Result<std::unique_ptr<Rooms>> MakeWith(const Config& config, Tools tools,
                                                 store::Store& store, const Clock& clock);
  Rooms(const Config& config, Tools tools, store::Store& store, const Clock& clock);

  // Each outlives what stands below it.
  const std::unique_ptr<IdSource> ids_;
  const SealedBox box_;
  const std::unique_ptr<blobs::Blobs> blobs_;
  egress::Client client_;
  MemoryBudget body_memory_;
  mail::Outbox outbox_;
  identity::Identity identity_;
  const CalendarPeople calendar_people_;
  const CalendarInvitations calendar_invitations_;
  calendar::Room calendar_;
  const CalendarDoor calendar_door_;
  const FilesPeople files_people_;
  files::Room files_;
  LetterRoutes letter_routes_;
  GaugeReadings readings_;
  gauges::Recorder recorder_;
  const Clock& clock_;
};

/// How letters leave, as configured; null when none do.
Result<std::shared_ptr<mail::Transport>> MakeTransport(const Config& config, IdSource& ids);

}  // namespace atrium::app
