// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "app/config.h"
#include "base/clock.h"
#include "base/result.h"
#include "engines/rocksdb/engine.h"

namespace atrium::app {

// Where everything is in the data folder.

std::filesystem::path StoreFolder(const Config& config);
/// Stores of a moment, made for a command that reads one; gone when it ends.
std::filesystem::path CheckpointFolder(const Config& config);
std::string ControlSocketPath(const Config& config);

/// How the store in `folder` is opened, as configured.
rocks::RocksOptions StoreOptions(const Config& config, const std::filesystem::path& folder);

/// Opens the store in the data folder, and makes both when they are not there. kUnavailable, saying
/// so, while another process has it open. Begins a new epoch when it may have gone back; on a full
/// disk that is left to Settle(). `clock` outlives it.
Result<std::unique_ptr<rocks::RocksEngine>> OpenStore(const Config& config, const Clock& clock);

/// Begins a new epoch if the store may have gone back and none has begun since. kUnavailable when
/// it cannot be written: nothing else may be written before it can.
Result<void> Settle(rocks::RocksEngine& engine, const Clock& clock);

/// OpenStore() for a command: kNotFound when there is no store, and kPermissionDenied for anybody
/// but the owner of the folder, who could not open afterwards what others have written there.
Result<std::unique_ptr<rocks::RocksEngine>> OpenStoppedStore(const Config& config,
                                                             const Clock& clock);

/// kPermissionDenied unless whoever runs this owns the data folder, or there is none yet.
Result<void> CheckOwner(const Config& config);

}  // namespace atrium::app
