// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/conformance/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "base/check.h"

namespace atrium::engines {

ChildProcess::ChildProcess(const std::vector<std::pair<std::string, std::string>>& settings) {
  std::array<int, 2> ends = {};
  Check(::pipe2(ends.data(), O_CLOEXEC) == 0, "there is a pipe");
  pipe_ = ends[0];

  std::vector<std::string> variables;
  variables.reserve(settings.size());
  for (const auto& [name, value] : settings) {
    variables.push_back(name + "=" + value);
  }
  std::vector<char*> environment;
  environment.reserve(settings.size());
  for (std::string& variable : variables) {
    environment.push_back(variable.data());
  }
  for (char** inherited = environ; *inherited != nullptr; ++inherited) {
    environment.push_back(*inherited);
  }
  environment.push_back(nullptr);

  std::string program = "/proc/self/exe";
  const std::array<char*, 2> arguments = {program.data(), nullptr};
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], kPipe);
  const int failed = ::posix_spawn(&pid_, program.c_str(), &actions, nullptr, arguments.data(),
                                   environment.data());
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  Check(failed == 0, "this program can be started again");
}

ChildProcess::~ChildProcess() {
  if (pid_ > 0) {
    Kill();
    Wait();
  }
  ::close(pipe_);
}

std::string ChildProcess::Read(std::size_t bytes_max, std::chrono::milliseconds patience) {
  pollfd waiting{.fd = pipe_, .events = POLLIN, .revents = 0};
  if (at_end_ || ::poll(&waiting, 1, static_cast<int>(patience.count())) <= 0) {
    return {};
  }
  std::string bytes(bytes_max, '\0');
  const ssize_t count = ::read(pipe_, bytes.data(), bytes.size());
  at_end_ = count == 0 || (count < 0 && errno != EINTR);
  bytes.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  return bytes;
}

void ChildProcess::Kill() {
  ::kill(pid_, SIGKILL);
}

int ChildProcess::Wait() {
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  return status;
}

}  // namespace atrium::engines
