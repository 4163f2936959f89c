// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <utility>

#include "base/clock.h"

namespace atrium::store {

/// For work of many commits that nobody must have this second. While the store puts its files in
/// order, the work rests, or on a machine of two processors whoever asks for a row would be third
/// in line. It rests for at most as long as it has worked: a large store is at it for minutes.
class GivingWay {
 public:
  /// Says whether the store is at it.
  using IsTidying = std::function<bool()>;

  /// The clock outlives it.
  GivingWay(const Clock& clock, IsTidying is_tidying)
      : clock_(clock), is_tidying_(std::move(is_tidying)), working_since_(clock.Steady()) {}

  /// Between two steps of the work; a moment at most.
  void Rest();

 private:
  const Clock& clock_;
  const IsTidying is_tidying_;
  SteadyInstant working_since_;
  SteadyInstant::duration worked_{};
  SteadyInstant::duration rested_{};
};

}  // namespace atrium::store
