// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "base/clock.h"

namespace atrium::app {

enum class WorkUnit : std::uint8_t { kBytes, kRows };
BOOST_DESCRIBE_ENUM(WorkUnit, kBytes, kRows)

/// How far long work has come. `total` is zero while nobody knows.
struct WorkProgress {
  std::uint64_t done = 0;
  std::uint64_t total = 0;
  WorkUnit unit = WorkUnit::kBytes;
  /// Instead of numbers: "12 libraries".
  std::string words{};

  friend bool operator==(const WorkProgress&, const WorkProgress&) = default;
};
BOOST_DESCRIBE_STRUCT(WorkProgress, (), (done, total, unit, words))

/// Called by one thread at a time.
using ProgressReport = std::function<void(const WorkProgress&)>;

/// "12.3 MiB of 40.0 MiB, 30 %" or "120000 rows".
std::string Render(const WorkProgress& progress);
/// "12.3 MiB".
std::string RenderBytes(std::uint64_t bytes);

enum class ShowProgress : std::uint8_t { kOnTerminal, kAlways };

/// Shows progress on standard error: one line that changes on a terminal, else a line each second.
class ProgressDisplay {
 public:
  ProgressDisplay(std::string what, ShowProgress show);
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;
  /// Leaves the last state on its line.
  ~ProgressDisplay();

  void Show(const WorkProgress& progress);
  void Show(const std::string& progress);
  ProgressReport Report() {
    return [this](const WorkProgress& progress) { Show(progress); };
  }

 private:
  void Write(const std::string& progress);

  const std::string what_;
  const bool terminal_;
  const bool shown_;
  bool open_line_ = false;
  SteadyInstant next_{};
};

}  // namespace atrium::app
