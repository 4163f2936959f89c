// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "mail/file_transport.h"

#include <filesystem>
#include <fstream>
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

Result<void> MakeFolder(const fs::path& folder) {
  std::error_code failure;
  if (fs::create_directories(folder, failure)) {
    fs::permissions(folder, fs::perms::owner_all, failure);
  }
  if (failure) {
    return Unwritable(folder, failure.message());
  }
  return {};
}

}  // namespace

Result<void> FileTransport::Send(const Envelope& /*envelope*/, std::string_view mime) {
  RETURN_IF_ERROR(MakeFolder(folder_));
  const std::string name = ids_.NewUlid().Render();
  const fs::path unfinished = folder_ / ("." + name + ".unfinished");
  std::ofstream file(unfinished, std::ios::binary);
  file.write(mime.data(), static_cast<std::streamsize>(mime.size()));
  file.close();
  std::error_code failure;
  if (!file) {
    fs::remove(unfinished, failure);
    return Unwritable(unfinished, "the system refused");
  }
  fs::rename(unfinished, folder_ / (name + ".eml"), failure);
  if (failure) {
    return Unwritable(folder_, failure.message());
  }
  return {};
}

}  // namespace atrium::mail
