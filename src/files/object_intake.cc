// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/object_intake.h"

#include <optional>
#include <vector>

namespace atrium::files {

Result<void> ObjectIntake::Write(const store::OpContext& op, std::string_view bytes) {
  reader_.Feed(bytes);
  std::vector<PackedObject> objects;
  while (true) {
    ASSIGN_OR_RETURN(const std::optional<PackedObject> object, reader_.Next());
    if (!object) {
      break;
    }
    RETURN_IF_ERROR(VerifyPacked(*object));
    objects.push_back(*object);
  }
  return objects.empty() ? Result<void>() : content_.PutObjects(op, library_, objects);
}

}  // namespace atrium::files
