// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/object_intake.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "http/body_memory.h"

namespace atrium::files {
namespace {

/// Objects of ordinary folders grow less than this when they are inflated.
constexpr std::size_t kUsualRatio = 8;
/// The text of an object, and what is parsed from it.
constexpr std::size_t kForms = 2;

}  // namespace

Result<void> ObjectIntake::Keep(std::string_view bytes) {
  const std::size_t needed = reader_.Kept() + bytes.size();
  if (needed > kept_.size()) {
    RETURN_IF_ERROR(http::GrowMemory(memory_, kept_, needed - kept_.size()));
  }
  reader_.Feed(bytes);
  return {};
}

/// What an object becomes is not known before. Few bytes that become many are tried a second time
/// with memory for the longest object there may be: nobody holds a part of it and waits for more.
Result<void> ObjectIntake::Verify(const PackedObject& object) const {
  const std::size_t usual = std::min(kUsualRatio * object.deflated.size() + 1024, kObjectBytesMax);
  {
    ASSIGN_OR_RETURN(const MemoryLease memory, http::TakeMemory(memory_, kForms * usual));
    Result<VerifiedObject> verified = VerifyPacked(object, usual);
    if (verified) {
      return {};
    }
    if (verified.error().code != ErrorCode::kLimitExceeded || usual == kObjectBytesMax) {
      return std::unexpected(std::move(verified).error());
    }
  }
  ASSIGN_OR_RETURN(const MemoryLease memory, http::TakeMemory(memory_, kForms * kObjectBytesMax));
  RETURN_IF_ERROR(VerifyPacked(object));
  return {};
}

Result<void> ObjectIntake::Write(const store::OpContext& op, std::string_view bytes) {
  RETURN_IF_ERROR(Keep(bytes));
  std::vector<PackedObject> objects;
  while (true) {
    ASSIGN_OR_RETURN(const std::optional<PackedObject> object, reader_.Next());
    if (!object) {
      break;
    }
    RETURN_IF_ERROR(Verify(*object));
    objects.push_back(*object);
  }
  return objects.empty() ? Result<void>() : content_.PutObjects(op, library_, objects);
}

}  // namespace atrium::files
