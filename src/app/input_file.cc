// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/input_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "app/config_values.h"
#include "app/durable_file.h"
#include "base/descriptor.h"
#include "base/error.h"

namespace atrium::app {

Result<std::string> ReadInputFile(const std::string& path, std::size_t bytes_max) {
  const bool standard = path == "-";
  const std::string name = standard ? "standard input" : path;
  const Descriptor file(standard ? -1 : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!standard && file.Get() < 0) {
    return SystemFailure("open the file", path);
  }
  std::string text;
  std::array<char, 16384> buffer{};
  while (text.size() <= bytes_max) {
    const ssize_t count =
        ::read(standard ? STDIN_FILENO : file.Get(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      return SystemFailure("read the file", name);
    }
    if (count == 0) {
      return text;
    }
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  return Fail(ErrorCode::kInvalidArgument,
              Printable(name) + ": is longer than " + std::to_string(bytes_max) + " bytes");
}

}  // namespace atrium::app
