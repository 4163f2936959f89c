// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/output_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>

#include "app/durable_file.h"

namespace atrium::app {

Result<OutputFile> OutputFile::Open(const std::string& file) {
  Descriptor opened(file == "-"
                        ? ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)
                        : ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (opened.Get() < 0) {
    return SystemFailure("make the file", file);
  }
  return OutputFile(file, std::move(opened));
}

Result<void> OutputFile::Write(std::string_view text) const {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor_.Get(), text.data(), text.size());
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      return SystemFailure("write the file", name_);
    }
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

}  // namespace atrium::app
