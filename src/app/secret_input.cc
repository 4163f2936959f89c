// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/secret_input.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <string>

#include "app/config_values.h"
#include "app/durable_file.h"
#include "base/descriptor.h"
#include "base/error.h"
#include "base/result.h"

namespace atrium::app {
namespace {

constexpr std::size_t kBytesMax = 4096;

Result<std::string> ReadAll(int descriptor, const std::string& name) {
  std::string text;
  char buffer[512];
  while (text.size() <= kBytesMax) {
    const ssize_t count = ::read(descriptor, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      return SystemFailure("read the file", name);
    }
    if (count == 0) {
      return text;
    }
    text.append(buffer, static_cast<std::size_t>(count));
  }
  return Fail(ErrorCode::kInvalidArgument,
              Printable(name) + ": is longer than " + std::to_string(kBytesMax) + " bytes");
}

}  // namespace

Result<std::string> ReadSecretInput(const std::string& path) {
  const bool standard = path == "-";
  const std::string name = standard ? "standard input" : path;
  const Descriptor file(standard ? -1 : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!standard && file.Get() < 0) {
    return SystemFailure("open the file", path);
  }
  ASSIGN_OR_RETURN(std::string text, ReadAll(standard ? STDIN_FILENO : file.Get(), name));
  if (text.ends_with('\n')) {
    text.pop_back();
  }
  if (text.ends_with('\r')) {
    text.pop_back();
  }
  if (text.empty()) {
    return Fail(ErrorCode::kInvalidArgument, Printable(name) + ": is empty");
  }
  return text;
}

}  // namespace atrium::app
