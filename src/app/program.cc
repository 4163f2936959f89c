// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/program.h"

#include <unistd.h>

#include <cstdio>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "app/admin_routes.h"
#include "app/calendar_commands.h"
#include "app/command_line.h"
#include "app/config_load.h"
#include "app/config_print.h"
#include "app/control_routes.h"
#include "app/files_commands.h"
#include "app/files_control.h"
#include "app/identity_commands.h"
#include "app/jobs_commands.h"
#include "app/letters_commands.h"
#include "app/outgoing.h"
#include "app/secrets_commands.h"
#include "app/serve.h"
#include "app/store_commands.h"
#include "app/system_routes.h"
#include "app/uploads_commands.h"
#include "app/version.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/random.h"
#include "engines/memory/engine.h"
#include "http/openapi.h"

namespace atrium::app {
namespace {

constexpr int kDone = 0;
constexpr int kFailed = 1;
constexpr int kMisused = 2;

void Print(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
}

int Complain(const Error& error, int status) {
  const std::string& text = error.client_message.empty() ? error.detail : error.client_message;
  std::fprintf(stderr, "%s%s", text.c_str(), text.ends_with('\n') ? "" : "\n");
  return status;
}

ConfigSources WithEnvironment(ConfigSources sources) {
  for (char** variable = ::environ; variable != nullptr && *variable != nullptr; ++variable) {
    // The token of whoever runs commands is theirs, and no setting.
    if (!std::string_view(*variable).starts_with("ATRIUM_TOKEN=")) {
      sources.environment.emplace_back(*variable);
    }
  }
  return sources;
}

/// Does what each kind of command asks for.
struct Performer {
  const Extension& extension;
  const Catalog catalog{extension.collections};

  int operator()(const ServeCommand& command) const {
    const Result<Config> config = LoadConfig(WithEnvironment(command.sources));
    if (!config) {
      return Complain(config.error(), kMisused);
    }
    const Result<void> served = Serve(*config, extension);
    return served ? kDone : Complain(served.error(), kFailed);
  }

  int operator()(const VersionCommand& /*command*/) const {
    Print("atrium " + std::string(kVersion) + "\n");
    return kDone;
  }

  int operator()(const RoutesCommand& command) const {
    const SystemClock clock;
    SystemRoutes system(clock, {});
    engines::MemoryEngine engine(clock);
    store::Store store(engine, clock);
    http::Router router;
    api::Api api(router, store, clock);
    const auto rooms = Rooms::MakeForShow(store, clock);
    if (!rooms) {
      return Complain(rooms.error(), kFailed);
    }
    (*rooms)->AddTo(api);
    AddExtension(extension, router, {.api = api, .rooms = **rooms});
    ControlRoutes control({});
    control.AddTo(router);
    const Config none;
    FilesControl files_control((*rooms)->GetFiles(), none);
    files_control.AddTo(router);
    AdminRoutes admin({.config = none, .clock = clock, .identity = (*rooms)->GetIdentity()});
    admin.AddTo(api);
    system.AddTo(router);
    Print(command.format == OutputFormat::kJson ? http::RenderRouteJson(router)
                                                : http::RenderRouteTable(router));
    return kDone;
  }

  int operator()(const ConfigCheckCommand& command) const {
    const Result<Config> config = LoadConfig(WithEnvironment(command.sources));
    if (!config) {
      return Complain(config.error(), kMisused);
    }
    Print("the configuration is good\n");
    return kDone;
  }

  int operator()(const ConfigPrintCommand& command) const {
    const Result<EffectiveConfig> config = LoadEffectiveConfig(WithEnvironment(command.sources));
    if (!config) {
      return Complain(config.error(), kMisused);
    }
    Print(RenderConfig(*config));
    return kDone;
  }

  int operator()(const ConfigKeysCommand& command) const {
    Print(command.format == OutputFormat::kMarkdown ? RenderConfigReference() : RenderConfigKeys());
    return kDone;
  }

  int operator()(const EgressCheckCommand& command) const {
    const Result<Config> config = LoadConfig(WithEnvironment(command.sources));
    if (!config) {
      return Complain(config.error(), kMisused);
    }
    const SystemClock clock;
    const Result<std::string> outcome = TryOutgoing(*config, clock, command.url);
    if (!outcome) {
      return Complain(outcome.error(), kFailed);
    }
    Print(*outcome + "\n");
    return kDone;
  }

  int operator()(const StoreCommand& command) const {
    return Operate(command, PerformStoreCommand);
  }

  int operator()(const JobsCommand& command) const { return Operate(command, PerformJobsCommand); }

  int operator()(const FilesCommand& command) const {
    return Operate(command, PerformFilesCommand);
  }

  int operator()(const UploadsCommand& command) const {
    return Operate(command, PerformUploadsCommand);
  }

  int operator()(const IdentityCommand& command) const {
    return Operate(command, PerformIdentityCommand);
  }

  int operator()(const CalendarCommand& command) const {
    return Operate(command, PerformCalendarCommand);
  }

  int operator()(const LettersCommand& command) const {
    return Operate(command, PerformLettersCommand);
  }

  int operator()(const SecretsCommand& command) const {
    return Operate(command, PerformSecretsCommand);
  }

  int operator()(const HelpCommand& command) const {
    Print(command.text);
    return kDone;
  }

  template <typename Chosen>
  int Operate(const Chosen& command, Result<CommandOutput> (*perform)(const Config&, const Catalog&,
                                                                      const Chosen&)) const {
    const Result<Config> config = LoadConfig(WithEnvironment(command.sources));
    if (!config) {
      return Complain(config.error(), kMisused);
    }
    log::Configure({.format = log::Format::kText, .level = log::Level::kWarn});
    const Result<CommandOutput> output = perform(*config, catalog, command);
    if (!output) {
      return Complain(output.error(), kFailed);
    }
    Print(output->text);
    return output->well ? kDone : kFailed;
  }
};

}  // namespace

void AddExtension(const Extension& extension, http::Router& router, const Hosts& hosts) {
  if (extension.add_routes) {
    extension.add_routes(router);
  }
  if (extension.add_room) {
    extension.add_room(hosts.api, hosts.rooms.GetIdentity());
  }
}

int RunProgram(std::span<const std::string> words, const Extension& extension) {
  const Result<Command> command = ParseCommandLine(words);
  if (!command) {
    return Complain(command.error(), kMisused);
  }
  return std::visit(Performer{.extension = extension}, *command);
}

}  // namespace atrium::app
