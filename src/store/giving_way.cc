// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "store/giving_way.h"

#include <chrono>
#include <thread>

namespace atrium::store {
namespace {

constexpr std::chrono::milliseconds kNap{2};

}  // namespace

void GivingWay::Rest() {
  worked_ += clock_.Steady() - working_since_;
  while (rested_ + kNap <= worked_ && is_tidying_()) {
    std::this_thread::sleep_for(kNap);
    rested_ += kNap;
  }
  working_since_ = clock_.Steady();
}

}  // namespace atrium::store
