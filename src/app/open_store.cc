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
#include <utility>

#include "app/config_values.h"
#include "app/durable_file.h"
#include "base/error.h"
#include "base/id_source.h"
#include "base/log.h"
#include "base/result.h"
#include "engines/rocksdb/engine.h"
#include "jobs/clock_witness.h"
#include "store/epoch.h"
#include "store/op_context.h"

namespace atrium::app {

namespace fs = std::filesystem;

namespace {

/// Makes an opened store fit for use: nothing leaves it by a clock that jumped, and what clients
/// know of one that may have gone back is not to be relied on any more.
Result<std::unique_ptr<rocks::RocksEngine>> Settled(std::unique_ptr<rocks::RocksEngine> engine,
                                                    const Clock& clock) {
  ASSIGN_OR_RETURN(const Instant believed, jobs::ReadBelievedTime(*engine, clock));
  engine->SetErasureHorizon(believed);
  if (const Result<void> settled = Settle(*engine, clock); !settled) {
    if (settled.error().code != ErrorCode::kUnavailable) {
      return std::unexpected(settled.error());
    }
    log::Warn("no new epoch can begin yet: the store can only be read",
              {{"detail", Describe(settled.error())}});
  }
  return engine;
}

}  // namespace

Result<void> Settle(rocks::RocksEngine& engine, const Clock& clock) {
  if (!engine.MayHaveGoneBack()) {
    return {};
  }
  SystemIdSource ids(clock);
  ASSIGN_OR_RETURN(const store::Epoch epoch,
                   store::RenewEpoch(engine, store::OpContext::ForWork("store.open"), ids,
                                     {.reason = store::EpochReason::kUnclean, .now = clock.Now()}));
  log::Warn("the store was not closed, and its last changes may be missing: a new epoch begins",
            {{"epoch", epoch.id.Render()}});
  return engine.Settle();
}

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
                            : rocks::Durability::kDurable,
          .removal = rocks::Removal::kUpToHorizon};
}

Result<std::unique_ptr<rocks::RocksEngine>> OpenStore(const Config& config, const Clock& clock) {
  RETURN_IF_ERROR(CreateFolder(config.data));
  RETURN_IF_ERROR(CreateFolder(StoreFolder(config)));
  ASSIGN_OR_RETURN(auto engine,
                   rocks::RocksEngine::Open(StoreOptions(config, StoreFolder(config)), clock));
  return Settled(std::move(engine), clock);
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
  ASSIGN_OR_RETURN(auto engine, rocks::RocksEngine::Open(StoreOptions(config, folder), clock));
  return Settled(std::move(engine), clock);
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
