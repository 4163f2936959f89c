// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "blobs/blobs.h"

#include <cstdlib>

#include "base/error.h"

namespace atrium::blobs {

std::string_view Name(Defect defect) {
  switch (defect) {
    case Defect::kDamaged:
      return "damaged";
    case Defect::kMissing:
      return "missing";
    case Defect::kOrphaned:
      return "orphaned";
  }
  std::abort();
}

Result<void> Blobs::Remove(const store::OpContext& op, const BlobId& id) {
  ASSIGN_OR_RETURN(const Removal removal, Remove(op, std::span(&id, 1), {}));
  if (!removal.pinned.empty()) {
    return FailPrivately(ErrorCode::kRefusedByState, "blob " + id.Render() + " is pinned");
  }
  if (removal.removed == 0) {
    return FailPrivately(ErrorCode::kNotFound, "no blob " + id.Render());
  }
  return {};
}

}  // namespace atrium::blobs
