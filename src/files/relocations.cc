// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/relocations.h"

namespace atrium::files {

Result<std::vector<ChangedEntry>> RelocateBetween(Room& room, const store::OpContext& op,
                                                  const Person& person,
                                                  const RelocationBetween& order) {
  if (order.from != order.to) {
    return Fail(ErrorCode::kInvalidArgument,
                "dst_repo: to another library as a task, by async-batch-copy-item and "
                "async-batch-move-item");
  }
  const ChangeOf of{.person = person, .library = order.from};
  return order.how == Relocating::kMove ? room.changes.Move(op, of, order.entries)
                                        : room.changes.Copy(op, of, order.entries);
}

}  // namespace atrium::files
