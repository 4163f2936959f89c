// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "mail/file_transport.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include "base/error.h"
#include "base/result.h"
#include "base/ulid.h"
#include "mail/transport.h"

namespace atrium::mail {
namespace {

namespace fs = std::filesystem;

std::unexpected<Error> Unwritable(const fs::path& path, const std::string& why) {
  return FailPrivately(ErrorCode::kUnavailable,
                       "the letter cannot be written to " + path.string() + ": " + why);
}

/// Letters hold links that let people in: nobody else on this machine reads them. A folder that
/// belongs to somebody else stays as it is; the letters in it are private all the same.
Result<void> MakeFolder(const fs::path& folder) {
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure) {
    return Unwritable(folder, failure.message());
  }
  fs::permissions(folder, fs::perms::owner_all, failure);
  return {};
}

Result<void> WriteAll(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written < 0) {
      return FailPrivately(ErrorCode::kUnavailable, std::generic_category().message(errno));
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Result<void> WritePrivate(const fs::path& path, std::string_view text) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0) {
    return Unwritable(path, std::generic_category().message(errno));
  }
  const Result<void> written = WriteAll(descriptor, text);
  ::close(descriptor);
  return written ? Result<void>() : Unwritable(path, written.error().detail);
}

}  // namespace

Result<void> FileTransport::Send(const Envelope& /*envelope*/, std::string_view mime) {
  RETURN_IF_ERROR(MakeFolder(folder_));
  const std::string name = ids_.NewUlid().Render();
  const fs::path unfinished = folder_ / ("." + name + ".unfinished");
  std::error_code failure;
  if (Result<void> written = WritePrivate(unfinished, mime); !written) {
    fs::remove(unfinished, failure);
    return written;
  }
  fs::rename(unfinished, folder_ / (name + ".eml"), failure);
  if (failure) {
    return Unwritable(folder_, failure.message());
  }
  return {};
}

}  // namespace atrium::mail
