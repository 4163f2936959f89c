// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "base/memory_budget.h"
#include "base/result.h"
#include "files/content.h"
#include "files/object_id.h"
#include "files/packing.h"
#include "store/op_context.h"

namespace atrium::files {

/// Takes packed objects as they come, and stores each that has its id and is whole. What came
/// before a wrong one stays: it is what it says it is, and nothing names it yet. One thread at a
/// time.
class ObjectIntake {
 public:
  /// What is kept and what is inflated counts against `memory`, unless that is null. All outlive
  /// it.
  ObjectIntake(Content& content, const LibraryId& library, MemoryBudget* memory)
      : content_(content), library_(library), memory_(memory) {}

  /// kInvalidArgument and kLimitExceeded as PackReader and VerifyPacked say them, kUnavailable when
  /// there is no memory for it. After an error there is nothing more to give.
  Result<void> Write(const store::OpContext& op, std::string_view bytes);
  /// kInvalidArgument when the last object is not whole.
  Result<void> Finish() const { return reader_.Finish(); }

 private:
  Result<void> Keep(std::string_view bytes);
  Result<void> Verify(const PackedObject& object) const;

  Content& content_;
  const LibraryId library_;
  MemoryBudget* const memory_;
  /// What the reader keeps.
  MemoryLease kept_;
  PackReader reader_;
};

}  // namespace atrium::files
