// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace atrium::engines {

/// This program once more, as a child that sees these settings in its environment and writes to a
/// pipe. Its standard output and its standard error are ours.
class ChildProcess {
 public:
  /// Where in the child the pipe begins.
  static constexpr int kPipe = 3;

  explicit ChildProcess(const std::vector<std::pair<std::string, std::string>>& settings);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  /// Kills it, if it still runs.
  ~ChildProcess();

  /// What the child has written next, at most this much; empty when nothing came in that time, or
  /// nothing will come any more.
  std::string Read(std::size_t bytes_max, std::chrono::milliseconds patience);
  bool AtEnd() const { return at_end_; }

  void Kill();
  /// How it ended, as waitpid() says it. What it has written can still be read.
  int Wait();

 private:
  pid_t pid_ = -1;
  int pipe_ = -1;
  bool at_end_ = false;
};

}  // namespace atrium::engines
