// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "base/result.h"
#include "store/engine.h"
#include "store/table.h"
#include "store/write_set.h"

namespace atrium::store {

// The limits of the strictest engine, kept on all of them.
inline constexpr std::size_t kRowsMax = 100;
inline constexpr std::size_t kCommitBytesMax = std::size_t{1} << 20;
inline constexpr std::size_t kDocumentBytesMax = std::size_t{64} << 10;
/// Not counting those of derived rows.
inline constexpr std::size_t kPartitionsMax = 16;
inline constexpr std::size_t kKeyPartBytesMax = 512;
inline constexpr std::size_t kCounterNameBytesMax = 64;
inline constexpr std::size_t kScanRowsMax = 1000;
inline constexpr std::size_t kWalkRowsMax = 10'000;

/// Whether any engine could take it. kLimitExceeded for what is too much, kInvalidArgument for what
/// breaks a rule: nothing to write, an empty partition, a row named twice, a mutation that does not
/// fit the kind of its table.
Result<void> CheckLimits(const WriteSet& writes);

/// The same for rows that go in without a commit.
Result<void> CheckImmutable(const Table& table, std::span<const ImmutableRow> rows);

/// A page of zero rows or of too many, or a key no row can have.
Result<void> CheckScan(const ScanRequest& request);
Result<void> CheckWalk(const WalkRequest& request);
Result<void> CheckKey(const KeyView& key);
/// The same of each of them; kLimitExceeded above kScanRowsMax.
Result<void> CheckKeys(std::span<const Key> keys);

}  // namespace atrium::store
