// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/command_line.h"

#include <CLI/CLI.hpp>
#include <cstddef>
#include <memory>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

namespace atrium::app {
namespace {

/// The options by which a command takes its configuration, as the user wrote them.
struct ConfigOptions {
  std::string file;
  std::string address;
  std::string port;
  std::string folder;
  std::vector<std::string> assignments;
};

/// The parser with the place where its callbacks leave the outcome.
struct Interface {
  CLI::App root{"Atrium: one server for a group of people", "atrium"};
  std::optional<Command> chosen;
};

void AddConfigOptions(CLI::App& command, ConfigOptions& options) {
  command.add_option("--config", options.file, "Configuration file, instead of atrium.yaml")
      ->type_name("FILE");
  command.add_option("--address", options.address, "Short for --set http.address=ADDRESS")
      ->type_name("ADDRESS");
  command.add_option("--port", options.port, "Short for --set http.port=PORT")->type_name("PORT");
  command.add_option("--data", options.folder, "Short for --set data=FOLDER")->type_name("FOLDER");
  command
      .add_option("--set", options.assignments,
                  "Sets any key of the configuration; may be given often. `atrium config keys` "
                  "lists them")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false)
      ->check(CLI::Validator(
          [](const std::string& text) {
            return text.find('=') == std::string::npos || text.starts_with('=')
                       ? "expected KEY=VALUE, got " + text
                       : std::string();
          },
          ""));
}

ConfigSources SourcesOf(const CLI::App& command, const ConfigOptions& options) {
  ConfigSources sources{.file = options.file, .optional_file = "atrium.yaml"};
  const auto add = [&](std::string flag, std::string key, const std::string& value) {
    if (command.count(flag) > 0) {
      sources.overrides.push_back({.key = std::move(key), .value = value, .flag = std::move(flag)});
    }
  };
  add("--address", "http.address", options.address);
  add("--port", "http.port", options.port);
  add("--data", "data", options.folder);
  for (const std::string& assignment : options.assignments) {
    const std::size_t equals = assignment.find('=');
    sources.overrides.push_back(
        {.key = assignment.substr(0, equals), .value = assignment.substr(equals + 1)});
  }
  return sources;
}

/// Adds a command that takes its configuration from the options and does nothing else.
template <typename Chosen>
void AddConfigured(Interface& interface, CLI::App& parent, std::string name,
                   std::string description) {
  CLI::App* command = parent.add_subcommand(std::move(name), std::move(description));
  const auto options = std::make_shared<ConfigOptions>();
  AddConfigOptions(*command, *options);
  command->callback([&interface, command, options] {
    interface.chosen = Chosen{.sources = SourcesOf(*command, *options)};
  });
}

/// Adds a command that prints something in one of two formats.
template <typename Chosen>
void AddListing(Interface& interface, CLI::App& parent, OutputFormat other, std::string name,
                std::string description) {
  CLI::App* command = parent.add_subcommand(std::move(name), std::move(description));
  const std::string flag = other == OutputFormat::kJson ? "--json" : "--markdown";
  command->add_flag(flag)->description("Print " + flag.substr(2) + " instead of text");
  command->callback([&interface, command, flag, other] {
    interface.chosen = Chosen{.format = command->count(flag) > 0 ? other : OutputFormat::kText};
  });
}

void AddConfig(Interface& interface) {
  CLI::App* config = interface.root.add_subcommand("config", "Look at the configuration");
  AddConfigured<ConfigCheckCommand>(interface, *config, "check",
                                    "Say what is wrong with the configuration, if anything");
  AddConfigured<ConfigPrintCommand>(interface, *config, "print",
                                    "Print every value in force and where it came from");
  AddListing<ConfigKeysCommand>(interface, *config, OutputFormat::kMarkdown, "keys",
                                "List every key with its meaning and default");
}

void AddEgress(Interface& interface) {
  CLI::App* egress = interface.root.add_subcommand("egress", "Look at calls to other servers");
  CLI::App* check = egress->add_subcommand("check", "Call a URL as the server would");
  const auto options = std::make_shared<ConfigOptions>();
  const auto url = std::make_shared<std::string>();
  AddConfigOptions(*check, *options);
  check->add_option("url", *url, "What to call")->type_name("URL")->required();
  check->callback([&interface, check, options, url] {
    interface.chosen = EgressCheckCommand{.sources = SourcesOf(*check, *options), .url = *url};
  });
}

void AddVersion(Interface& interface) {
  CLI::App* version = interface.root.add_subcommand("version", "Print the version");
  version->callback([&interface] { interface.chosen = VersionCommand{}; });
}

void AddHelp(Interface& interface) {
  CLI::App* help = interface.root.add_subcommand("help", "Explain a command");
  const auto topic = std::make_shared<std::vector<std::string>>();
  help->add_option("command", *topic, "The command to explain");
  help->callback([&interface, topic] {
    CLI::App* explained = &interface.root;
    std::string name = explained->get_name();
    for (const std::string& word : *topic) {
      const std::vector<CLI::App*> named = explained->get_subcommands(
          [&word](CLI::App* command) { return command->get_name() == word; });
      if (named.empty()) {
        throw CLI::ValidationError("help", "there is no command \"" + word + "\"");
      }
      explained = named.front();
      name += " " + word;
    }
    // Not help(): that would explain `help` itself, being the command that was chosen.
    interface.chosen = HelpCommand{
        .text = explained->get_formatter()->make_help(explained, name, CLI::AppFormatMode::Normal)};
  });
}

/// Everything that can be asked for, in the order of the help.
void AddCommands(Interface& interface) {
  interface.root.require_subcommand(0, 1);
  AddConfigured<ServeCommand>(interface, interface.root, "serve", "Run the server");
  AddConfig(interface);
  AddEgress(interface);
  AddListing<RoutesCommand>(interface, interface.root, OutputFormat::kJson, "routes",
                            "List every route with its rule of access");
  AddVersion(interface);
  AddHelp(interface);
}

}  // namespace

Result<Command> ParseCommandLine(std::span<const std::string> words) {
  Interface interface;
  AddCommands(interface);
  try {
    interface.root.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::ParseError& stopped) {
    std::ostringstream output;
    std::ostringstream complaint;
    if (interface.root.exit(stopped, output, complaint) == 0) {
      return HelpCommand{.text = output.str()};
    }
    return Fail(ErrorCode::kInvalidArgument, complaint.str());
  }
  if (!interface.chosen) {
    // The library answers with the help of the command that was begun, as in `atrium config`.
    return Fail(ErrorCode::kInvalidArgument, interface.root.help());
  }
  return *std::move(interface.chosen);
}

}  // namespace atrium::app
