// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/command_line.h"

#include <CLI/CLI.hpp>
#include <cstddef>
#include <memory>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "app/command_interface.h"

namespace atrium::app {

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

namespace {

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

void AddStoreLooks(Interface& interface, CLI::App& store) {
  Operation<StoreCommand> stats(store, "stats", "Print figures about the store");
  stats.As(StoreStats{});
  stats.ChosenIn(interface);

  Operation<StoreCommand> verify(store, "verify",
                                 "Check each record against its index rows, both ways");
  verify.ShowsProgress();
  verify.command->add_flag("--repair", verify.As(StoreVerify{}).repair,
                           "Mend what can be mended, instead of only saying so");
  verify.ChosenIn(interface);

  Operation<StoreCommand> compact(store, "compact",
                                  "Rewrite the files without what is erased or replaced");
  compact.ShowsProgress();
  compact.As(StoreCompact{});
  compact.ChosenIn(interface);
}

void AddReplaceFlag(CLI::App& command, Present& present) {
  command.add_flag_callback(
      "--replace", [&present] { present = Present::kReplace; },
      "Put it in the place of the store that is there, which is kept under another name");
}

void AddStoreBackups(Interface& interface, CLI::App& store) {
  Operation<StoreCommand> backup(store, "backup", "Back up the store as it is at this moment");
  backup.ShowsProgress();
  StoreBackup& made = backup.As(StoreBackup{});
  backup.command
      ->add_option("--to", made.folder, "Folder of backups, instead of the configured one")
      ->type_name("FOLDER");
  backup.command->add_flag("--list", made.list, "Only list the backups that are there");
  backup.ChosenIn(interface);

  Operation<StoreCommand> restore(store, "restore", "Make the store out of a backup");
  StoreRestore& restored = restore.As(StoreRestore{});
  restore.command
      ->add_option("--from", restored.folder, "Folder of backups, instead of the configured one")
      ->type_name("FOLDER");
  restore.command->add_option("--number", restored.number, "Which backup, instead of the latest")
      ->type_name("NUMBER");
  AddReplaceFlag(*restore.command, restored.present);
  restore.ChosenIn(interface);

  Operation<StoreCommand> salvage(
      store, "salvage",
      "Go on with a store whose log is damaged, without what cannot be read any more");
  salvage.As(StoreSalvage{});
  salvage.ChosenIn(interface);
}

void AddStoreTransfers(Interface& interface, CLI::App& store) {
  Operation<StoreCommand> exports(store, "export", "Write all rows to one file");
  exports.ShowsProgress();
  exports.command
      ->add_option("file", exports.As(StoreExport{}).file, "File to make; - is standard output")
      ->type_name("FILE")
      ->required();
  exports.ChosenIn(interface);

  Operation<StoreCommand> imports(store, "import", "Make the store out of such a file");
  imports.ShowsProgress();
  StoreImport& import = imports.As(StoreImport{});
  imports.command->add_option("file", import.file, "File to read")->type_name("FILE")->required();
  AddReplaceFlag(*imports.command, import.present);
  imports.command
      ->add_flag_callback(
          "--merge", [&import] { import.present = Present::kMerge; },
          "Add the rows to the store that is there; equal keys are replaced")
      ->excludes("--replace");
  imports.ChosenIn(interface);
}

void AddStore(Interface& interface) {
  CLI::App* store = interface.root.add_subcommand("store", "Look after the store");
  AddStoreLooks(interface, *store);
  AddStoreBackups(interface, *store);
  AddStoreTransfers(interface, *store);
}

void AddJobs(Interface& interface) {
  CLI::App* jobs = interface.root.add_subcommand("jobs", "Look after background jobs");
  Operation<JobsCommand> list(*jobs, "list", "List all jobs with their last and next run");
  list.As(JobsList{});
  list.ChosenIn(interface);

  Operation<JobsCommand> run(*jobs, "run", "Run a job now and wait for its end");
  run.ShowsProgress();
  run.command->add_option("name", run.As(JobsRun{}).name, "Which one")
      ->type_name("NAME")
      ->required();
  run.ChosenIn(interface);

  Operation<JobsCommand> history(*jobs, "history", "Print the last runs of a job");
  JobsHistory& asked = history.As(JobsHistory{});
  history.command->add_option("name", asked.name, "Which one")->type_name("NAME")->required();
  history.command->add_option("--limit", asked.limit, "How many runs")
      ->type_name("NUMBER")
      ->check(CLI::Range(1, 100));
  history.ChosenIn(interface);

  Operation<JobsCommand> trust(*jobs, "trust-clock",
                               "Say that the clock is right, so that jobs may erase by age again");
  trust.As(JobsTrustClock{});
  trust.ChosenIn(interface);
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
  AddStore(interface);
  AddJobs(interface);
  AddFilesCommands(interface);
  AddIdentityCommands(interface);
  AddCalendarCommands(interface);
  AddCareCommands(interface);
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
