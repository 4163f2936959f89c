// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/exertion.h"

#include <cmath>

namespace atrium::http {

void Exertion::Add(std::chrono::nanoseconds used, Time now) {
  if (used < kLong) {
    return;
  }
  sum_ = At(now) + static_cast<double>(used.count());
  since_ = now;
}

double Exertion::At(Time now) const {
  if (sum_ == 0 || now <= since_) {
    return sum_;
  }
  const std::chrono::duration<double> passed = now - since_;
  return sum_ * std::exp2(-passed / std::chrono::duration<double>(kHalfLife));
}

}  // namespace atrium::http
