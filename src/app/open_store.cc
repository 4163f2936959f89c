// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/open_store.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

#include "app/config_values.h"
#include "app/durable_file.h"
#include "base/error.h"
#include "base/result.h"
#include "engines/rocksdb/engine.h"

namespace atrium::app {

namespace fs = std::filesystem;

fs::path StoreFolder(const Config& config) {
  return fs::path(config.data) / "store";
}

fs::path CheckpointFolder(const Config& config) {
  return fs::path(config.data) / "checkpoints";
}

std::string ControlSocketPath(const Config& config) {
  return (fs::path(config.data) / "control.sock").string();
}

rocks::RocksOptions StoreOptions(const Config& config, const fs::path& folder) {
  return {.path = folder.string(),
          .memory_bytes = static_cast<std::size_t>(config.store.memory),
          .durability = config.store.durability == StoreDurability::kRelaxed
                            ? rocks::Durability::kRelaxed
                            : rocks::Durability::kDurable};
}

Result<std::unique_ptr<rocks::RocksEngine>> OpenStore(const Config& config, const Clock& clock) {
  RETURN_IF_ERROR(CreateFolder(config.data));
  RETURN_IF_ERROR(CreateFolder(StoreFolder(config)));
  return rocks::RocksEngine::Open(StoreOptions(config, StoreFolder(config)), clock);
}

Result<std::unique_ptr<rocks::RocksEngine>> OpenStoppedStore(const Config& config,
                                                             const Clock& clock) {
  std::error_code failure;
  const fs::path folder = StoreFolder(config);
  if (!fs::exists(folder, failure) || fs::is_empty(folder, failure)) {
    return Fail(ErrorCode::kNotFound,
                fmt::format("{}: there is no store", Printable(folder.string())));
  }
  RETURN_IF_ERROR(CheckOwner(config));
  return rocks::RocksEngine::Open(StoreOptions(config, folder), clock);
}

Result<void> CheckOwner(const Config& config) {
  struct stat status{};
  if (::stat(config.data.c_str(), &status) != 0 || status.st_uid == ::geteuid()) {
    return {};
  }
  return Fail(ErrorCode::kPermissionDenied,
              fmt::format("{}: belongs to user {}, who alone may work on the store in it; run "
                          "this as that user, for instance with: sudo -u '#{}'",
                          Printable(config.data), status.st_uid, status.st_uid));
}

}  // namespace atrium::app
