// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>

#include "app/calendar_actions.h"
#include "app/config_load.h"
#include "app/identity_actions.h"
#include "app/progress.h"
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

// Actions on the store, for StoreCommand.

struct StoreStats {};

struct StoreVerify {
  bool repair = false;
};

struct StoreCompact {};

struct StoreBackup {
  /// Empty: the configured one.
  std::string folder{};
  /// Only say what is there.
  bool list = false;
};

/// What becomes of a store that is there when another one comes.
enum class Present : std::uint8_t {
  kRefuse,
  kReplace,  ///< It is kept, under another name.
  kMerge,    ///< The rows of the file are added to it.
};

struct StoreRestore {
  std::string folder{};
  std::optional<std::uint32_t> number{};
  Present present = Present::kRefuse;
};

/// Opens a store whose log is damaged, without what stands behind the damage.
struct StoreSalvage {};

struct StoreExport {
  /// "-" is standard output.
  std::string file{};
};

struct StoreImport {
  std::string file{};
  Present present = Present::kRefuse;
};

struct StoreCommand {
  ConfigSources sources;
  OutputFormat format = OutputFormat::kText;
  ShowProgress progress = ShowProgress::kOnTerminal;
  std::variant<StoreStats, StoreVerify, StoreCompact, StoreBackup, StoreRestore, StoreSalvage,
               StoreExport, StoreImport>
      action{};
};

// Actions on jobs, for JobsCommand.

struct JobsList {};

struct JobsRun {
  std::string name{};
};

struct JobsHistory {
  std::string name{};
  std::size_t limit = 20;
};

/// Says that the clock is right.
struct JobsTrustClock {};

struct JobsCommand {
  ConfigSources sources;
  OutputFormat format = OutputFormat::kText;
  ShowProgress progress = ShowProgress::kOnTerminal;
  std::variant<JobsList, JobsRun, JobsHistory, JobsTrustClock> action{};
};

// Actions on libraries and blobs, for FilesCommand.

struct FilesVerify {
  bool repair = false;
  /// Empty: all.
  std::string library{};
};

struct FilesCollect {
  bool dry_run = false;
  std::optional<std::int64_t> grace_hours{};
};

struct FilesExport {
  std::string library{};
  std::string folder{};
  std::string commit{};
  std::string password_file{};
};

struct BlobsVerify {
  bool repair = false;
};

struct BlobsStats {};

struct FilesCommand {
  ConfigSources sources;
  OutputFormat format = OutputFormat::kText;
  ShowProgress progress = ShowProgress::kOnTerminal;
  std::variant<FilesVerify, FilesCollect, FilesExport, BlobsVerify, BlobsStats> action{};
};

// Actions on files that have arrived in part, for UploadsCommand.

struct UploadsList {};

struct UploadsRemove {
  std::string id{};
};

/// What is asked of the API for somebody's unfinished uploads.
struct UploadsCommand {
  ConfigSources sources;
  OutputFormat format = OutputFormat::kText;
  ServerAccess access{};
  /// On whose behalf the operator asks.
  std::string user{};
  std::variant<UploadsList, UploadsRemove> action{};
};

// Actions on letters that no mail server took, for LettersCommand.

struct LettersList {};

struct LettersRetry {
  std::string id{};
};

struct LettersDrop {
  std::string id{};
};

/// What is asked of the API for dead letters.
struct LettersCommand {
  ConfigSources sources;
  OutputFormat format = OutputFormat::kText;
  ServerAccess access{};
  std::variant<LettersList, LettersRetry, LettersDrop> action{};
};

/// What is asked of the API about what the server's secrets have sealed.
struct SecretsCommand {
  ConfigSources sources;
  OutputFormat format = OutputFormat::kText;
  ServerAccess access{};
};

/// What is asked of the API for people and organisations.
struct IdentityCommand {
  ConfigSources sources;
  OutputFormat format = OutputFormat::kText;
  ServerAccess access{};
  IdentityAction action{};
};

/// What is asked of the API for calendars.
struct CalendarCommand {
  ConfigSources sources;
  OutputFormat format = OutputFormat::kText;
  ServerAccess access{};
  /// On whose behalf the operator asks.
  std::string user{};
  CalendarAction action{};
};

struct HelpCommand {
  std::string text;
};

using Command =
    std::variant<ServeCommand, VersionCommand, RoutesCommand, ConfigCheckCommand,
                 ConfigPrintCommand, ConfigKeysCommand, EgressCheckCommand, StoreCommand,
                 JobsCommand, FilesCommand, UploadsCommand, IdentityCommand, CalendarCommand,
                 LettersCommand, SecretsCommand, HelpCommand>;

/// Reads the words after the name of the program. Refuses with kInvalidArgument, and with the whole
/// text for standard error in the message: the help when no command was given, else what is wrong.
Result<Command> ParseCommandLine(std::span<const std::string> words);

}  // namespace atrium::app
