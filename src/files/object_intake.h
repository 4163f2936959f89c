// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

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
  /// Content outlives it.
  ObjectIntake(Content& content, const LibraryId& library) : content_(content), library_(library) {}

  /// kInvalidArgument and kLimitExceeded as PackReader and VerifyPacked say them. After an error
  /// there is nothing more to give.
  Result<void> Write(const store::OpContext& op, std::string_view bytes);
  /// kInvalidArgument when the last object is not whole.
  Result<void> Finish() const { return reader_.Finish(); }

 private:
  Content& content_;
  const LibraryId library_;
  PackReader reader_;
};

}  // namespace atrium::files
