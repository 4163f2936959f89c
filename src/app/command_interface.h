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

/// `atrium user`, `org`, `token`, `provider` and `audit`.
void AddIdentityCommands(Interface& interface);

}  // namespace atrium::app
