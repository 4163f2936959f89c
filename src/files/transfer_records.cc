// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/transfer_records.h"

#include <chrono>
#include <optional>

#include "files/keys.h"

namespace atrium::files {
namespace {

/// How long people can ask what became of it.
constexpr std::chrono::days kTransfersKept{7};

}  // namespace

store::Key TransferKey(const TransferId& id) {
  return {.partition = id.Render()};
}

const store::Collection<Transfer>& Transfers() {
  static const store::Collection<Transfer> transfers({
      .table = &kTransferTable,
      .key = [](const Transfer& transfer) { return TransferKey(transfer.id); },
      .lists = {{.table = &kOpenTransfers,
                 .projection = store::Projection::kKey,
                 .keys =
                     [](const Transfer& transfer) {
                       std::vector<store::Key> keys;
                       if (IsOpen(transfer)) {
                         keys.push_back(
                             {.partition = std::string(kEverybody), .sort = transfer.id.Render()});
                       }
                       return keys;
                     }}},
      .expires_at = [](const Transfer& transfer) -> std::optional<Instant> {
        return transfer.created_at + kTransfersKept;
      },
  });
  return transfers;
}

}  // namespace atrium::files
