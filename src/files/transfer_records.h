// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/caller.h"
#include "base/instant.h"
#include "base/strong_id.h"
#include "base/uuid.h"
#include "files/object_id.h"
#include "files/records.h"
#include "store/collection.h"
#include "store/table.h"

namespace atrium::files {

using TransferId = StrongId<struct TransferTag, Uuid>;

enum class TransferKind : std::uint8_t { kCopy, kMove };
BOOST_DESCRIBE_ENUM(TransferKind, kCopy, kMove)

/// What becomes of an entry whose name is taken where it goes.
enum class TakenPolicy : std::uint8_t { kReplace, kRename, kSkip };
BOOST_DESCRIBE_ENUM(TakenPolicy, kReplace, kRename, kSkip)

/// kWaiting ──> kPlaced ──> kDone
///    │            └──────> kFailed   (what was copied stays)
///    └──> kFailed, kCancelled        (nothing has happened)
enum class TransferState : std::uint8_t {
  kWaiting,
  kPlaced,  ///< All of it is where it goes; of a move, it is still where it was, too.
  kDone,
  kFailed,
  kCancelled,
};
BOOST_DESCRIBE_ENUM(TransferState, kWaiting, kPlaced, kDone, kFailed, kCancelled)

struct TransferItem {
  std::string name{};
  /// Of what was copied; zero before.
  ObjectId id{};
  bool is_folder = false;
  /// Under which name it is there now; empty when it was left out, or nobody knows any more.
  std::string placed{};
};
BOOST_DESCRIBE_STRUCT(TransferItem, (), (name, id, is_folder, placed))

/// Entries on their way from one folder to another, maybe of another library.
struct Transfer {
  TransferId id{};
  OrgId org{};
  UserId user{};
  /// By what it was asked for, and with which it ends; of transfers from before this was kept,
  /// nothing.
  std::optional<api::CredentialRef> parent{};
  TransferKind kind = TransferKind::kCopy;
  LibraryId from{};
  std::string from_folder{};
  LibraryId to{};
  std::string to_folder{};
  TakenPolicy taken = TakenPolicy::kRename;
  std::vector<TransferItem> items{};
  TransferState state = TransferState::kWaiting;
  /// In files.
  std::int64_t total = 0;
  std::int64_t done = 0;
  /// Why it failed, for people.
  std::string reason{};
  Instant created_at{};
  Instant updated_at{};
};
BOOST_DESCRIBE_STRUCT(Transfer, (),
                      (id, org, user, parent, kind, from, from_folder, to, to_folder, taken, items,
                       state, total, done, reason, created_at, updated_at))

inline bool IsOpen(const Transfer& transfer) {
  return transfer.state == TransferState::kWaiting || transfer.state == TransferState::kPlaced;
}

// docs/formats/files.md shows the rows.

inline constexpr store::Table kTransferTable{.number = 165, .name = "transfers"};
/// Those that are not at their end, for who goes on with them after a restart.
inline constexpr store::Table kOpenTransfers{
    .number = 166, .name = "open_transfers", .kind = store::TableKind::kDerived};

const store::Collection<Transfer>& Transfers();
store::Key TransferKey(const TransferId& id);

}  // namespace atrium::files
