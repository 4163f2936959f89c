// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/relocations.h"

#include <string>
#include <utility>

#include "files/transfers.h"

namespace atrium::files {
namespace {

TakenPolicy PolicyOf(const Relocation& entries) {
  if (entries.skip_taken) {
    return TakenPolicy::kSkip;
  }
  return entries.taken == OnTaken::kReplace ? TakenPolicy::kReplace : TakenPolicy::kRename;
}

/// All entries come from one folder.
Result<TransferOrder> TransferOf(const RelocationBetween& order) {
  TransferOrder transfer{
      .kind = order.how == Relocating::kMove ? TransferKind::kMove : TransferKind::kCopy,
      .from = order.from,
      .to = order.to,
      .to_folder = order.entries.folder,
      .taken = PolicyOf(order.entries)};
  for (const TreePath& path : order.entries.from) {
    if (path.IsRoot()) {
      return Fail(ErrorCode::kInvalidArgument, "path: not the library itself");
    }
    transfer.from_folder = path.Parent();
    transfer.names.push_back(path.Name());
  }
  return transfer;
}

Result<std::vector<ChangedEntry>> RelocateAcross(Room& room, const store::OpContext& op,
                                                 const Person& person,
                                                 const RelocationBetween& order) {
  ASSIGN_OR_RETURN(const TransferOrder wanted, TransferOf(order));
  ASSIGN_OR_RETURN(const Transfer done, room.transfers.Do(op, person, wanted));
  std::vector<ChangedEntry> entries;
  for (const TransferItem& item : done.items) {
    if (!item.placed.empty()) {
      entries.push_back({.folder = order.entries.folder,
                         .entry = {.id = item.id,
                                   .mode = item.is_folder ? kDirectoryMode : kFileMode,
                                   .name = item.placed}});
    }
  }
  return entries;
}

}  // namespace

Result<std::vector<ChangedEntry>> RelocateBetween(Room& room, const store::OpContext& op,
                                                  const Person& person,
                                                  const RelocationBetween& order) {
  if (order.from != order.to) {
    return RelocateAcross(room, op, person, order);
  }
  const ChangeOf of{.person = person, .library = order.from};
  return order.how == Relocating::kMove ? room.changes.Move(op, of, order.entries)
                                        : room.changes.Copy(op, of, order.entries);
}

}  // namespace atrium::files
