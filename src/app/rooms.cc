// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/rooms.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "app/blob_storage.h"
#include "app/durable_file.h"
#include "app/outgoing.h"
#include "base/random.h"
#include "egress/smtp_sender.h"
#include "gauges/recorder.h"
#include "gauges/routes.h"
#include "mail/file_transport.h"
#include "mail/smtp_transport.h"

namespace atrium::app {
namespace {

constexpr std::size_t kSecretBytes = 32;

egress::SmtpTls TlsOf(SmtpTls tls) {
  switch (tls) {
    case SmtpTls::kNone:
      return egress::SmtpTls::kNone;
    case SmtpTls::kStartTls:
      return egress::SmtpTls::kStartTls;
    case SmtpTls::kImplicit:
      return egress::SmtpTls::kImplicit;
  }
  std::abort();  // Unreachable: -Wswitch keeps the list above complete.
}

Result<std::shared_ptr<mail::Transport>> MakeSmtp(const Config& config) {
  std::string password = config.mail.smtp_password;
  if (!config.mail.smtp_password_file.empty()) {
    ASSIGN_OR_RETURN(password, ReadPrivateLine(config.mail.smtp_password_file));
  }
  return std::make_shared<mail::SmtpTransport>(
      egress::SmtpOptions{.host = config.mail.smtp_host,
                          .port = config.mail.smtp_port,
                          .tls = TlsOf(config.mail.smtp_tls),
                          .username = config.mail.smtp_username,
                          .password = std::move(password),
                          .ca_bundle = config.egress.ca_bundle});
}

Result<std::shared_ptr<mail::Transport>> MakeFiles(const Config& config, IdSource& ids) {
  const std::filesystem::path folder = config.mail.folder.empty()
                                           ? std::filesystem::path(config.data) / "mail"
                                           : std::filesystem::path(config.mail.folder);
  RETURN_IF_ERROR(CreateFolder(folder));
  return std::make_shared<mail::FileTransport>(folder, ids);
}

identity::IdentityOptions IdentityOptionsOf(const Config& config) {
  identity::IdentityOptions options{.public_url = config.identity.public_url};
  options.lifetimes.full = config.identity.session_ttl;
  return options;
}

}  // namespace

Result<std::shared_ptr<mail::Transport>> MakeTransport(const Config& config, IdSource& ids) {
  switch (config.mail.transport) {
    case MailTransport::kNone:
      return nullptr;
    case MailTransport::kSmtp:
      return MakeSmtp(config);
    case MailTransport::kFile:
      return MakeFiles(config, ids);
  }
  std::abort();  // Unreachable: -Wswitch keeps the list above complete.
}

Rooms::Rooms(const Config& config, Tools tools, store::Store& store, const Clock& clock)
    : ids_(std::move(tools.ids)),
      box_(std::move(tools.box)),
      blobs_(std::move(tools.blobs)),
      client_(OutgoingOptions(config), clock),
      body_memory_(config.http.body_memory),
      outbox_(store, clock, *ids_,
              {.from = config.mail.from, .transport = std::move(tools.transport)}),
      identity_({.ground = {.store = store, .clock = clock, .ids = *ids_},
                 .outbox = outbox_,
                 .sender = client_,
                 .box = box_},
                IdentityOptionsOf(config)),
      calendar_people_(identity_),
      calendar_invitations_(identity_),
      calendar_({.ground = {.store = store, .clock = clock, .ids = *ids_},
                 .people = calendar_people_,
                 .invitations = calendar_invitations_,
                 .sender = client_,
                 .memory = body_memory_}),
      calendar_door_(calendar_.members),
      files_people_(identity_),
      files_({.ground = {.store = store, .clock = clock, .ids = *ids_},
              .people = files_people_,
              .blobs = *blobs_,
              .key = tools.files_key,
              .uploads = std::filesystem::path(config.data) / "uploads",
              .head_queue = {.waiting = std::max<std::size_t>(config.http.worker_threads / 4, 1)}}),
      letter_routes_(outbox_, identity_, clock),
      readings_(store, *blobs_, identity_),
      recorder_(store, clock, readings_),
      clock_(clock) {
  identity_.invitations.Plug(std::string(kCalendarKind), calendar_door_);
}

Result<std::unique_ptr<Rooms>> Rooms::Make(const Config& config, const ServerSecrets& secrets,
                                           store::Store& store, const Clock& clock) {
  ASSIGN_OR_RETURN(KeyRing keys, KeysFor("identity", secrets));
  auto ids = std::make_unique<SystemIdSource>(clock);
  ASSIGN_OR_RETURN(auto transport, MakeTransport(config, *ids));
  ASSIGN_OR_RETURN(auto blobs, OpenBlobs(config, {.store = store, .clock = clock, .ids = *ids}));
  ASSIGN_OR_RETURN(const KeyRing files_keys, KeysFor("files", secrets));
  return MakeWith(config,
                  {.ids = std::move(ids),
                   .box = SealedBox(std::move(keys)),
                   .transport = std::move(transport),
                   .blobs = std::move(blobs),
                   .files_key = files_keys.Newest().bytes},
                  store, clock);
}

Result<std::unique_ptr<Rooms>> Rooms::MakeForShow(store::Store& store, const Clock& clock) {
  // No secret that anybody keeps.
  ASSIGN_OR_RETURN(KeyRing keys,
                   KeysFor("identity", {.current = RandomToken().substr(0, kSecretBytes)}));
  return MakeWith({},
                  {.ids = std::make_unique<SystemIdSource>(clock),
                   .box = SealedBox(std::move(keys)),
                   .transport = nullptr,
                   .blobs = MakeNoBlobs(),
                   .files_key = {}},
                  store, clock);
}

Result<std::unique_ptr<Rooms>> Rooms::MakeWith(const Config& config, Tools tools,
                                               store::Store& store, const Clock& clock) {
  std::unique_ptr<Rooms> rooms(new Rooms(config, std::move(tools), store, clock));
  RETURN_IF_ERROR(rooms->identity_.Prepare());
  return rooms;
}

void Rooms::AddTo(api::Api& api) {
  identity_.AddRoutes(api);
  calendar_.AddRoutes(api, identity_.Rules());
  files_.AddRoutes(api, identity_.Rules());
  gauges::AddRoutes(api, identity_.Rules(), clock_);
  letter_routes_.AddTo(api);
}

std::vector<jobs::JobSpec> Rooms::Jobs() {
  std::vector<jobs::JobSpec> jobs = identity_.Jobs();
  for (jobs::JobSpec& job : calendar_.Jobs()) {
    jobs.push_back(std::move(job));
  }
  for (jobs::JobSpec& job : files_.Jobs()) {
    jobs.push_back(std::move(job));
  }
  jobs.push_back(gauges::MakeSampleJob(recorder_));
  if (outbox_.IsOpen()) {
    jobs.push_back(mail::MakeDeliveryJob(outbox_));
  }
  return jobs;
}

}  // namespace atrium::app
