// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "base/result.h"

namespace atrium::store {

struct OpContext;

/// The right by which a request writes. It was shown when the request came in, and may have ended
/// by the time there is something to commit: a body can take minutes.
class Warrant {
 public:
  Warrant() = default;
  Warrant(const Warrant&) = default;
  Warrant& operator=(const Warrant&) = default;
  virtual ~Warrant() = default;

  /// Decides on rows as they are now, or on what provably equals them: Store asks right before each
  /// write. kUnauthenticated when what admitted the request has ended, kPermissionDenied when it
  /// does not reach as far any more; then nothing is written.
  virtual Result<void> StillHolds(const OpContext& op) const = 0;

  /// A copy for work that goes on after the request was answered.
  virtual std::shared_ptr<const Warrant> Keep() const = 0;
};

}  // namespace atrium::store
