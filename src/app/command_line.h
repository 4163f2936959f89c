// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>

#include "app/config_load.h"
#include "base/result.h"

namespace atrium::app {

// What the user asked for. Sources come without environment, which is main's to give.

struct ServeCommand {
  ConfigSources sources;
};

struct VersionCommand {};

enum class OutputFormat : std::uint8_t { kText, kJson, kMarkdown };

struct RoutesCommand {
  OutputFormat format = OutputFormat::kText;
};

struct ConfigCheckCommand {
  ConfigSources sources;
};

struct ConfigPrintCommand {
  ConfigSources sources;
};

struct ConfigKeysCommand {
  OutputFormat format = OutputFormat::kText;
};

struct EgressCheckCommand {
  ConfigSources sources;
  std::string url{};
};

struct HelpCommand {
  std::string text;
};

using Command =
    std::variant<ServeCommand, VersionCommand, RoutesCommand, ConfigCheckCommand,
                 ConfigPrintCommand, ConfigKeysCommand, EgressCheckCommand, HelpCommand>;

/// Reads the words after the name of the program. Refuses with kInvalidArgument, and with the whole
/// text for standard error in the message: the help when no command was given, else what is wrong.
Result<Command> ParseCommandLine(std::span<const std::string> words);

}  // namespace atrium::app
