// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

namespace atrium::app {
namespace {

constexpr std::chrono::milliseconds kTerminalPause{100};
constexpr std::chrono::milliseconds kLinePause{1000};

}  // namespace

std::string RenderBytes(std::uint64_t bytes) {
  constexpr std::array<std::string_view, 5> kUnits{"B", "KiB", "MiB", "GiB", "TiB"};
  if (bytes < 1024) {
    return fmt::format("{} B", bytes);
  }
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < kUnits.size(); ++unit) {
    value /= 1024;
  }
  return fmt::format("{:.1f} {}", value, kUnits[unit]);
}

std::string Render(const WorkProgress& progress) {
  if (!progress.words.empty()) {
    return progress.words;
  }
  const auto amount = [&](std::uint64_t number) {
    return progress.unit == WorkUnit::kBytes ? RenderBytes(number) : fmt::format("{}", number);
  };
  std::string text = amount(progress.done);
  if (progress.total > 0) {
    text += " of " + amount(progress.total);
  }
  text += progress.unit == WorkUnit::kRows ? " rows" : "";
  if (progress.total > 0) {
    const double part =
        static_cast<double>(progress.done) / static_cast<double>(progress.total) * 100;
    text += fmt::format(", {:.0f} %", part > 100 ? 100 : part);
  }
  return text;
}

ProgressDisplay::ProgressDisplay(std::string what, ShowProgress show)
    : what_(std::move(what)),
      terminal_(::isatty(STDERR_FILENO) == 1),
      shown_(terminal_ || show == ShowProgress::kAlways) {}

ProgressDisplay::~ProgressDisplay() {
  if (open_line_) {
    std::fputc('\n', stderr);
  }
}

void ProgressDisplay::Show(const WorkProgress& progress) {
  const bool ended = progress.total > 0 && progress.done >= progress.total;
  if (shown_ && (ended || std::chrono::steady_clock::now() >= next_)) {
    Write(Render(progress));
  }
}

void ProgressDisplay::Show(const std::string& progress) {
  if (shown_ && !progress.empty() && std::chrono::steady_clock::now() >= next_) {
    Write(progress);
  }
}

void ProgressDisplay::Write(const std::string& progress) {
  next_ = std::chrono::steady_clock::now() + (terminal_ ? kTerminalPause : kLinePause);
  const std::string line = what_ + ": " + progress;
  if (terminal_) {
    // Back to the start, and the rest of an older, longer line away.
    std::fprintf(stderr, "\r%s\033[K", line.c_str());
    open_line_ = true;
  } else {
    std::fprintf(stderr, "%s\n", line.c_str());
  }
  std::fflush(stderr);
}

}  // namespace atrium::app
