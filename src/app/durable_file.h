// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace atrium::app {

// Small files and folders of the data folder that are made once. Errors name the path, for the
// operator: kPermissionDenied, kNotFound, or kUnavailable for the rest.

/// What the system says about the call that just failed: "data/x: cannot open: No such file".
std::unexpected<Error> SystemFailure(std::string_view doing, const std::string& path);

/// Makes the folder, for its owner alone, and those above it. One that is there stays as it is.
Result<void> CreateFolder(const std::filesystem::path& folder);

/// Makes the names in a folder durable.
Result<void> SyncFolder(const std::filesystem::path& folder);

/// Makes the file whole and durable, for its owner alone, or not at all. One that is there, or
/// appears meanwhile, stays as it is.
Result<void> CreateFile(const std::filesystem::path& path, std::string_view text);

/// The name of this server in leases and histories: read from `<data>/server.name`, made on first
/// start.
Result<std::string> LoadServerName(const std::filesystem::path& data);

}  // namespace atrium::app
