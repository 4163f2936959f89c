// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "app/command_line.h"
#include "app/config_load.h"
#include "app/identity_actions.h"
#include "app/progress.h"

namespace atrium::app {

// What the files that describe commands share. Includes the library that reads command lines, which
// is slow to compile: for those files alone.

/// The options by which a command takes its configuration, as the user wrote them.
struct ConfigOptions {
  std::string file{};
  std::string address{};
  std::string port{};
  std::string folder{};
  std::vector<std::string> assignments{};
};

/// The parser with the place where its callbacks leave the outcome.
struct Interface {
  CLI::App root{"Atrium: one server for a group of people", "atrium"};
  std::optional<Command> chosen{};
};

void AddConfigOptions(CLI::App& command, ConfigOptions& options);
ConfigSources SourcesOf(const CLI::App& command, const ConfigOptions& options);

/// A command that works on a data folder, while its words are being read.
template <typename Chosen>
struct Operation {
  CLI::App* command;
  std::shared_ptr<ConfigOptions> options = std::make_shared<ConfigOptions>();
  std::shared_ptr<Chosen> chosen = std::make_shared<Chosen>();

  Operation(CLI::App& parent, std::string name, std::string description)
      : command(parent.add_subcommand(std::move(name), std::move(description))) {
    AddConfigOptions(*command, *options);
    command->add_flag("--json")->description("Print json instead of text");
  }

  /// What this action is told by flags of its own is set on the action itself.
  template <typename Action>
  Action& As(Action action) {
    chosen->action = std::move(action);
    return std::get<Action>(chosen->action);
  }

  void ShowsProgress() {
    command->add_flag("--progress")->description("Show progress also when this is no terminal");
  }

  void ChosenIn(Interface& interface) const {
    command->callback([&interface, *this] {
      chosen->sources = SourcesOf(*command, *options);
      chosen->format = command->count("--json") > 0 ? OutputFormat::kJson : OutputFormat::kText;
      if constexpr (requires { chosen->progress; }) {
        const CLI::Option* progress = command->get_option_no_throw("--progress");
        chosen->progress = progress != nullptr && progress->count() > 0 ? ShowProgress::kAlways
                                                                        : ShowProgress::kOnTerminal;
      }
      interface.chosen = *chosen;
    });
  }
};

/// A command that asks the API of a server, while its words are being read.
template <typename Chosen>
struct ApiOperation : Operation<Chosen> {
  ApiOperation(CLI::App& parent, std::string name, std::string description)
      : Operation<Chosen>(parent, std::move(name), std::move(description)) {
    ServerAccess& access = this->chosen->access;
    this->command->add_option("--server", access.url, "Ask this server, instead of a data folder")
        ->type_name("URL")
        ->excludes("--data");
    this->command
        ->add_option("--token-file", access.token_file,
                     "File with the token for --server, instead of ATRIUM_TOKEN; - is standard "
                     "input")
        ->type_name("FILE")
        ->needs("--server");
  }

  void Takes(const std::string& name, std::string& place, const std::string& description) const {
    this->command->add_option(name, place, description)->required()->type_name(Placeholder(name));
  }

  template <typename Text>
  void May(const std::string& flag, Text& place, const std::string& description) const {
    this->command->add_option(flag, place, description)->type_name(Placeholder(flag));
  }

  /// "--time-zone" takes a TIME-ZONE.
  static std::string Placeholder(const std::string& name) {
    std::string text = name.substr(name.find_first_not_of('-'));
    for (char& c : text) {
      c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    }
    return text;
  }
};

/// `atrium files` and `blobs`.
void AddFilesCommands(Interface& interface);
/// `atrium user`, `org`, `token`, `provider` and `audit`.
void AddIdentityCommands(Interface& interface);
/// `atrium letters` and `secrets`.
void AddCareCommands(Interface& interface);
/// `atrium calendar`, `entry` and `events`.
void AddCalendarCommands(Interface& interface);

}  // namespace atrium::app
