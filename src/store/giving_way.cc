// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "store/giving_way.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace atrium::store {
namespace {

constexpr std::chrono::milliseconds kNap{2};
/// Between two looks of the work at whether it is to stop.
constexpr std::chrono::milliseconds kLongestRest{100};

}  // namespace

void GivingWay::Rest() {
  worked_ += clock_.Steady() - working_since_;
  const auto until = std::min(worked_, rested_ + kLongestRest);
  while (rested_ + kNap <= until && is_tidying_()) {
    std::this_thread::sleep_for(kNap);
    rested_ += kNap;
  }
  working_since_ = clock_.Steady();
}

}  // namespace atrium::store
