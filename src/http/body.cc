// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/body.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace atrium::http {
namespace {

// A line break inside a field would start a field of the text's own choosing.
void AppendField(std::string& out, std::string_view field, std::string_view text) {
  for (;;) {
    const std::size_t end = text.find_first_of("\r\n");
    out.append(field).append(": ").append(text.substr(0, end)).append("\n");
    if (end == std::string_view::npos) {
      return;
    }
    text.remove_prefix(text.substr(end, 2) == "\r\n" ? end + 2 : end + 1);
  }
}

std::string_view FirstLine(std::string_view text) {
  return text.substr(0, text.find_first_of("\r\n"));
}

}  // namespace

Result<FileSlice> OpenFile(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    const ErrorCode code = errno == ENOENT ? ErrorCode::kNotFound : ErrorCode::kUnavailable;
    return FailPrivately(code, "open " + path + ": " + std::strerror(errno));
  }
  FileSlice slice{.descriptor = {new int(descriptor), [](const int* owned) {
                                   ::close(*owned);
                                   delete owned;
                                 }}};
  struct stat status{};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    return FailPrivately(ErrorCode::kNotFound, path + " is not a file");
  }
  slice.bytes = static_cast<std::uint64_t>(status.st_size);
  return slice;
}

std::string RenderEvent(std::string_view id, std::string_view name, std::string_view text) {
  std::string out;
  if (!id.empty()) {
    AppendField(out, "id", FirstLine(id));
  }
  if (!name.empty()) {
    AppendField(out, "event", FirstLine(name));
  }
  AppendField(out, "data", text);
  out.append("\n");
  return out;
}

}  // namespace atrium::http
