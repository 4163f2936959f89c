// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace atrium::http {

/// How much somebody has computed lately: the processor time of their long tasks, of which half is
/// forgotten every five seconds. Short tasks do not count, however many: they make nobody wait.
class Exertion {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// A task counts from this processor time on.
  static constexpr std::chrono::milliseconds kLong{2};
  /// From this sum on it is much.
  static constexpr std::chrono::milliseconds kMuch{100};
  static constexpr std::chrono::seconds kHalfLife{5};

  void Add(std::chrono::nanoseconds used, Time now);
  bool IsMuch(Time now) const { return At(now) >= std::chrono::nanoseconds(kMuch).count(); }

 private:
  /// Nanoseconds of `sum_` that are left.
  double At(Time now) const;

  double sum_ = 0;
  Time since_{};
};

}  // namespace atrium::http
