// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/serve.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <systemd/sd-daemon.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <memory>
#include <string>
#include <thread>

#include "api/api.h"
#include "app/admin_routes.h"
#include "app/backstage.h"
#include "app/files_control.h"
#include "app/open_store.h"
#include "app/rooms.h"
#include "app/secrets.h"
#include "app/system_routes.h"
#include "app/version.h"
#include "base/clock.h"
#include "base/log.h"
#include "http/host.h"
#include "http/server.h"
#include "identity/identity.h"

namespace atrium::app {
namespace {

void ConfigureLog(const LogConfig& config) {
  const bool text = config.format == LogFormat::kText ||
                    (config.format == LogFormat::kAuto && ::isatty(STDERR_FILENO) == 1);
  log::Configure({.format = text ? log::Format::kText : log::Format::kJson, .level = config.level});
}

/// As many descriptors as the system lets us have: connections are descriptors.
void RaiseDescriptorLimit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);
  }
}

/// Where the lines of the access log go. Keeps one descriptor number for its whole life, so that
/// the file behind it can be changed while the log is being written.
class AccessLogFile {
 public:
  static Result<std::unique_ptr<AccessLogFile>> Open(const LogConfig& config) {
    if (!config.access) {
      return std::unique_ptr<AccessLogFile>(new AccessLogFile({}, -1));
    }
    if (config.access_file.empty()) {
      return std::unique_ptr<AccessLogFile>(new AccessLogFile({}, ::dup(STDOUT_FILENO)));
    }
    ASSIGN_OR_RETURN(const int descriptor, OpenForAppending(config.access_file));
    return std::unique_ptr<AccessLogFile>(new AccessLogFile(config.access_file, descriptor));
  }

  AccessLogFile(const AccessLogFile&) = delete;
  AccessLogFile& operator=(const AccessLogFile&) = delete;
  ~AccessLogFile() {
    if (descriptor_ >= 0) {
      ::close(descriptor_);
    }
  }

  /// After a log rotation has moved the file away.
  Result<void> Reopen() {
    if (path_.empty()) {
      return {};
    }
    ASSIGN_OR_RETURN(const int fresh, OpenForAppending(path_));
    ::dup3(fresh, descriptor_, O_CLOEXEC);
    ::close(fresh);
    return {};
  }

  int Number() const { return descriptor_; }

 private:
  AccessLogFile(std::string path, int descriptor)
      : path_(std::move(path)), descriptor_(descriptor) {}

  static Result<int> OpenForAppending(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0640);
    if (descriptor < 0) {
      return Fail(ErrorCode::kUnavailable,
                  "cannot write the access log " + path + ": " + std::strerror(errno));
    }
    return descriptor;
  }

  const std::string path_;
  const int descriptor_;
};

http::ServerOptions OptionsFrom(const Config& config, Rooms& rooms) {
  const HttpConfig& from = config.http;
  http::ServerOptions options;
  options.control_socket = ControlSocketPath(config);
  options.listen.push_back({.address = Render(from.address), .port = from.port});
  if (config.tls.Enabled()) {
    options.listen.push_back({.address = Render(config.tls.address),
                              .port = config.tls.port,
                              .scheme = http::Scheme::kHttps});
    options.tls = {.certificate = config.tls.certificate, .key = config.tls.key};
  }
  options.threads =
      from.threads != 0 ? from.threads : std::max(1U, std::thread::hardware_concurrency());
  options.worker_threads = from.worker_threads;
  options.worker_queue = from.worker_queue;
  options.shared_memory = &rooms.BodyMemory();
  options.connections_max = from.max_connections;
  options.connections_per_client_max = from.max_connections_per_client;
  options.header_bytes_max = from.header_bytes_max;
  const auto rate = [&](http::RateClass rate_class) -> http::Rate& {
    return options.rates[static_cast<std::size_t>(rate_class)];
  };
  rate(http::RateClass::kStandard) = {.per_second = from.request_rate,
                                      .burst = static_cast<double>(from.request_burst)};
  rate(http::RateClass::kCostly) = {.per_second = from.costly_rate,
                                    .burst = static_cast<double>(from.costly_burst)};
  rate(http::RateClass::kTransfer) = {.per_second = from.transfer_rate,
                                      .burst = static_cast<double>(from.transfer_burst)};
  rate(http::RateClass::kCredential) = {.per_second = from.credential_rate,
                                        .burst = static_cast<double>(from.credential_burst)};
  options.header_timeout = from.header_timeout;
  options.idle_timeout = from.idle_timeout;
  options.body_timeout = from.body_timeout;
  options.body_bytes_per_second_min = from.body_rate_min;
  options.write_timeout = from.write_timeout;
  options.drain_timeout = from.drain_timeout;
  options.heartbeat = from.heartbeat;
  options.trusted_proxies = from.trusted_proxies;
  options.cors_origins = from.cors_origins;
  return options;
}

/// "cloud.example.org" of "https://cloud.example.org:8443".
std::string OwnHost(std::string_view public_url) {
  const std::size_t slashes = public_url.find("//");
  return slashes == std::string_view::npos ? "" : http::BareHost(public_url.substr(slashes + 2));
}

/// Names of this server are the one it was given, and those of organisations.
Operators OperatorsOf(const Config& config, const identity::Identity& identity,
                      const Clock& clock) {
  return {.networks = config.http.operators,
          .hosts = config.http.operator_hosts,
          .is_ours = [&identity, &clock](const http::Request& request) {
            if (http::BareHost(request.host) == OwnHost(identity.options.public_url)) {
              return true;
            }
            const auto known = identity.organisations.HasHost(
                {.deadline = clock.Steady() + api::kTimeForStore, .trace = request.id},
                request.host);
            return known && *known;
          }};
}

std::string UrlOf(const http::ListenAddress& at) {
  const bool tls = at.scheme == http::Scheme::kHttps;
  const bool v6 = at.address.contains(':');
  return std::string(tls ? "https://" : "http://") + (v6 ? "[" : "") + at.address +
         (v6 ? "]" : "") + ":" + std::to_string(at.port);
}

void AnnounceListening(const http::Server& server) {
  for (const http::ListenAddress& at : server.Listening()) {
    log::Info("listening", {{"url", UrlOf(at)}, {"address", at.address}, {"port", at.port}});
  }
  ::sd_notify(0, "READY=1");
}

/// The first start: whoever reads this makes the first account.
void AnnounceSetUp(identity::Identity& identity) {
  if (const std::optional<std::string> secret = identity.set_up.NewSecret()) {
    log::Warn("set up this server",
              {{"url", identity.options.public_url + "/setup#token=" + *secret}});
  }
}

/// The signals that steer the server, blocked in every thread and waited for in one.
class Signals {
 public:
  Signals() {
    ::sigemptyset(&set_);
    for (const int number : {SIGTERM, SIGINT, SIGHUP}) {
      ::sigaddset(&set_, number);
    }
    ::pthread_sigmask(SIG_BLOCK, &set_, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
  }

  int Wait() const {
    int number = 0;
    ::sigwait(&set_, &number);
    return number;
  }

 private:
  sigset_t set_{};
};

void Reload(http::Server& server, AccessLogFile& access_log) {
  ::sd_notify(0, "RELOADING=1");
  for (const Result<void>& done : {server.ReloadTls(), access_log.Reopen()}) {
    if (!done) {
      log::Error("reload failed, the old state stays", {{"error", Describe(done.error())}});
    }
  }
  log::Info("reloaded");
  ::sd_notify(0, "READY=1");
}

}  // namespace

Result<void> Serve(const Config& config, const Extension& extension) {
  ConfigureLog(config.log);
  RaiseDescriptorLimit();
  const Signals signals;
  ASSIGN_OR_RETURN(const ServerSecrets secrets, LoadServerSecrets(config));
  ASSIGN_OR_RETURN(const std::unique_ptr<AccessLogFile> access_log,
                   AccessLogFile::Open(config.log));

  // Each outlives what stands below it.
  const SystemClock clock;
  const Catalog catalog(extension.collections);
  ASSIGN_OR_RETURN(const std::unique_ptr<Backstage> backstage,
                   Backstage::Open(config, catalog, clock));
  ASSIGN_OR_RETURN(const std::unique_ptr<Rooms> rooms,
                   Rooms::Make(config, secrets, backstage->Store(), clock));
  SystemRoutes system(clock, OperatorsOf(config, rooms->GetIdentity(), clock));
  system.Watch(backstage->Store());
  http::Router router;
  api::Api api(router, backstage->Store(), clock);
  RETURN_IF_ERROR(backstage->Register(rooms->Jobs()));
  rooms->AddTo(api);
  AddExtension(extension, router, {.api = api, .rooms = *rooms});
  backstage->Control().AddTo(router);
  FilesControl files_control(rooms->GetFiles(), config);
  files_control.AddTo(router);
  AdminRoutes admin({.config = config,
                     .clock = clock,
                     .identity = rooms->GetIdentity(),
                     .care = backstage->Targets(),
                     .files = &files_control.Operations(),
                     .files_tasks = &files_control.Tasks()});
  admin.AddTo(api);
  system.AddTo(router);
  ASSIGN_OR_RETURN(
      const std::unique_ptr<http::Server> server,
      http::Server::Open(OptionsFrom(config, *rooms), router, clock, access_log->Number()));
  system.Metrics().Add(server->Metrics());
  rooms->Watch(server->Metrics());
  for (const prometheus::Collectable* part : backstage->Metrics()) {
    system.Metrics().Add(*part);
  }

  if (config.identity.public_url.empty()) {
    rooms->GetIdentity().SetPublicUrl(UrlOf(server->Listening().back()));
  }

  log::Info("starting", {{"version", kVersion}, {"data", config.data}});
  system.SetReady(true);
  server->Start();
  backstage->Start();
  AnnounceListening(*server);
  AnnounceSetUp(rooms->GetIdentity());
  for (int number = signals.Wait(); number == SIGHUP; number = signals.Wait()) {
    Reload(*server, *access_log);
  }
  ::sd_notify(0, "STOPPING=1");
  system.SetReady(false);
  log::Info("stopping");
  backstage->RequestStop();
  files_control.RequestStop();
  if (!server->Drain()) {
    log::Warn("some requests were cut off by the end of the drain time");
  }
  backstage->StopJobs();
  if (const Result<void> sampled = rooms->SampleGauges(); !sampled) {
    log::Warn("the last traffic was not recorded", {{"error", Describe(sampled.error())}});
  }
  log::Info("stopped");
  return {};
}

}  // namespace atrium::app
