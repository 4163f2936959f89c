// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "engines/conformance/crash_workload.h"
#include "store/engine.h"
#include "store/row.h"

namespace atrium::engines {

/// A commit that was acknowledged. It goes through a pipe as it is.
struct Acknowledged {
  Step step{};
  std::uint64_t version = 0;
  /// In the log.
  std::uint64_t number = 0;
};

/// Remembers what was acknowledged, and says what of it a store does not hold.
class Witness {
 public:
  void Saw(const Acknowledged& acknowledged);

  /// The workers were stopped: one more commit of each may have happened, and nobody was told.
  void WorkersEnded() { ++untold_; }

  /// What is wrong with the store, a line for each. What is there and was not known to be is known
  /// from then on.
  Result<std::vector<std::string>> Compare(store::Engine& engine);

  std::size_t Count() const { return acknowledged_.size(); }

 private:
  std::vector<Acknowledged> acknowledged_{};
  StepsDone done_{};
  std::uint32_t untold_ = 0;
};

}  // namespace atrium::engines
