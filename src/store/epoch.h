// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>
#include <cstdint>
#include <optional>

#include "base/clock.h"
#include "base/id_source.h"
#include "base/instant.h"
#include "base/result.h"
#include "base/ulid.h"
#include "store/engine.h"

namespace atrium::store {

/// What the store knows about itself.
inline constexpr Table kStoreFacts{.number = 12, .name = "store_facts"};

enum class EpochReason : std::uint8_t {
  kCreated,
  kRestored,
  kImported,
  kSalvaged,  ///< Opened without what stood behind damage in its log.
  kUnclean,   ///< Of relaxed durability, and not closed: the last commits may be missing.
};
BOOST_DESCRIBE_ENUM(EpochReason, kCreated, kRestored, kImported, kSalvaged, kUnclean)

/// One history of the store. Whatever may take the store back begins another, a restored backup for
/// instance: clients that have seen what came after the backup cannot go on from where they were,
/// and sync protocols tell them so by showing a new epoch.
struct Epoch {
  Ulid id{};
  Instant since{};
  EpochReason reason = EpochReason::kCreated;
};
BOOST_DESCRIBE_STRUCT(Epoch, (), (id, since, reason))

/// nullopt in a store that nobody has opened for work yet.
Result<std::optional<Epoch>> FindEpoch(Engine& engine, const OpContext& op);

/// The epoch of the store; begins the first one where there is none.
Result<Epoch> EnsureEpoch(Engine& engine, const OpContext& op, IdSource& ids, const Clock& clock);

struct EpochStart {
  EpochReason reason = EpochReason::kRestored;
  Instant now{};
};

/// Begins another epoch, whatever there was.
Result<Epoch> RenewEpoch(Engine& engine, const OpContext& op, IdSource& ids,
                         const EpochStart& start);

}  // namespace atrium::store
