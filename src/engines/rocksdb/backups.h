// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/instant.h"
#include "base/result.h"

namespace atrium::rocks {

/// Told how far long work has come, in bytes. `total` is an estimate that may change. Empty: nobody
/// asks. Called from one thread at a time, not always the same.
using Progress = std::function<void(std::uint64_t done, std::uint64_t total)>;

/// One backup in a folder of backups.
struct Backup {
  std::uint32_t number = 0;
  Instant made_at{};
  /// Of all its files, also those it shares with others.
  std::uint64_t bytes = 0;
};

struct Restoration {
  /// The folder of backups.
  std::string from;
  /// Which of them; the latest when absent.
  std::optional<std::uint32_t> number{};
  /// The folder the store comes to. It is empty, or does not exist.
  std::string to;
};

// Backups are made by RocksEngine::MakeBackup(); what follows needs no open store. One process at a
// time works on a folder of backups.

/// The backups in a folder, oldest first. None when the folder does not exist.
Result<std::vector<Backup>> ListBackups(const std::string& folder);

/// Erases all but the newest `keep`, and the files that only those used.
Result<void> PruneBackups(const std::string& folder, std::uint32_t keep);

/// Reads every byte of a backup and compares checksums: kCorrupt when they differ, kNotFound when
/// there is no such backup.
Result<void> VerifyBackup(const std::string& folder, std::uint32_t number);

/// Makes a store out of a backup. The target appears complete or not at all. kAlreadyExists when
/// there is something in it, kNotFound when there is no such backup.
Result<void> RestoreBackup(const Restoration& restoration);

}  // namespace atrium::rocks
