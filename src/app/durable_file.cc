// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/durable_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "app/config_values.h"
#include "base/descriptor.h"
#include "base/error.h"
#include "base/hex.h"
#include "base/random.h"
#include "base/result.h"

namespace atrium::app {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kNameBytes = 4;

ErrorCode CodeOf(int number) {
  switch (number) {
    case ENOENT:
      return ErrorCode::kNotFound;
    case EACCES:
    case EPERM:
    case EROFS:
      return ErrorCode::kPermissionDenied;
    default:
      return ErrorCode::kUnavailable;
  }
}

Result<void> WriteAll(int file, std::string_view text, const std::string& path) {
  while (!text.empty()) {
    const ssize_t count = ::write(file, text.data(), text.size());
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      return SystemFailure("write the file", path);
    }
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

/// A file that is removed under its own name when it goes out of scope; its content may live on
/// under another.
struct TemporaryFile {
  explicit TemporaryFile(std::string pattern)
      : path(std::move(pattern)), file(::mkostemp(path.data(), O_CLOEXEC)) {}
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (file.Get() >= 0) {
      ::unlink(path.c_str());
    }
  }

  std::string path;
  Descriptor file;
};

}  // namespace

std::unexpected<Error> SystemFailure(std::string_view doing, const std::string& path) {
  const int number = errno;
  return Fail(CodeOf(number), fmt::format("{}: cannot {}: {}", Printable(path), doing,
                                          std::generic_category().message(number)));
}

Result<void> SyncFolder(const fs::path& folder) {
  const std::string path = folder.empty() ? "." : folder.string();
  const Descriptor opened(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_DIRECTORY));
  if (opened.Get() < 0 || ::fsync(opened.Get()) != 0) {
    return SystemFailure("make the folder durable", path);
  }
  return {};
}

Result<void> CreateFolder(const fs::path& folder) {
  std::error_code failure;
  if (fs::is_directory(folder, failure)) {
    return {};
  }
  const fs::path parent = fs::absolute(folder / "..", failure).lexically_normal();
  fs::create_directories(parent, failure);
  if (::mkdir(folder.c_str(), S_IRWXU) != 0 && errno != EEXIST) {
    return SystemFailure("make the folder", folder.string());
  }
  return SyncFolder(parent);
}

Result<void> CreateFile(const fs::path& path, std::string_view text) {
  const TemporaryFile temporary(path.string() + ".XXXXXX");
  if (temporary.file.Get() < 0) {
    return SystemFailure("make a file", temporary.path);
  }
  RETURN_IF_ERROR(WriteAll(temporary.file.Get(), text, temporary.path));
  if (::fsync(temporary.file.Get()) != 0) {
    return SystemFailure("make the file durable", temporary.path);
  }
  // link, unlike rename, never replaces.
  if (::link(temporary.path.c_str(), path.c_str()) != 0 && errno != EEXIST) {
    return SystemFailure("make the file", path.string());
  }
  return SyncFolder(path.parent_path());
}

Result<std::string> LoadServerName(const fs::path& data) {
  const fs::path path = data / "server.name";
  std::error_code failure;
  if (!fs::exists(path, failure)) {
    std::array<std::byte, kNameBytes> bytes{};
    FillRandom(bytes);
    RETURN_IF_ERROR(CreateFile(path, "server-" + EncodeHex(bytes) + "\n"));
  }
  errno = 0;
  std::ifstream file(path);
  std::string name;
  if (!std::getline(file, name)) {
    return SystemFailure("read the name of the server", path.string());
  }
  return Printable(name);
}

}  // namespace atrium::app
