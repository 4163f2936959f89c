// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/secrets.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <span>
#include <utility>

#include "app/config_values.h"
#include "app/durable_file.h"
#include "base/descriptor.h"
#include "base/hex.h"
#include "base/random.h"

namespace atrium::app {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kSecretBytes = 32;
constexpr std::size_t kFileBytesMax = (2 * kSecretBytes) + 2;  // With a line end of either style.

Result<void> CheckPrivate(int file, const std::string& path) {
  struct stat status{};
  if (::fstat(file, &status) != 0) {
    return SystemFailure("look at the file", path);
  }
  if (!S_ISREG(status.st_mode)) {
    return Fail(ErrorCode::kCorrupt, fmt::format("{}: is not a file", Printable(path)));
  }
  if (status.st_uid != ::geteuid() && status.st_uid != 0) {
    return Fail(ErrorCode::kPermissionDenied,
                fmt::format("{}: belongs to another user; it must belong to the user of the server "
                            "or to root",
                            Printable(path)));
  }
  if ((status.st_mode & (S_IRWXO | S_IWGRP)) != 0) {
    return Fail(
        ErrorCode::kPermissionDenied,
        fmt::format("{}: other users can read or change it (mode {:04o}); run: chmod 600 {}",
                    Printable(path), status.st_mode & 07777U, Printable(path)));
  }
  return {};
}

Result<std::string> ReadAtMost(int file, std::size_t bytes_max, const std::string& path) {
  std::string text(bytes_max + 1, '\0');
  std::size_t filled = 0;
  while (filled < text.size()) {
    const ssize_t count = ::read(file, text.data() + filled, text.size() - filled);
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      return SystemFailure("read the secret", path);
    }
    if (count == 0) {
      break;
    }
    filled += static_cast<std::size_t>(count);
  }
  text.resize(filled);
  return text;
}

Result<std::string> ReadPrivateFile(const std::string& path, std::size_t bytes_max) {
  // O_NONBLOCK: a pipe in this place must not hang the start.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.Get() < 0) {
    return SystemFailure("open the secret", path);
  }
  RETURN_IF_ERROR(CheckPrivate(file.Get(), path));
  ASSIGN_OR_RETURN(std::string text, ReadAtMost(file.Get(), bytes_max, path));
  while (text.ends_with('\n') || text.ends_with('\r')) {
    text.pop_back();
  }
  return text;
}

Result<std::string> ReadSecretFile(const std::string& path) {
  ASSIGN_OR_RETURN(const std::string text, ReadPrivateFile(path, kFileBytesMax));
  Result<std::string> secret = DecodeHex(text);
  if (!secret || secret->size() != kSecretBytes) {
    return Fail(
        ErrorCode::kCorrupt,
        fmt::format("{}: is damaged: expected 64 hexadecimal digits in one line. Restore it "
                    "from a backup; without it, what it sealed cannot be read",
                    Printable(path)));
  }
  return secret;
}

Result<void> CreateSecretFile(const fs::path& path) {
  std::array<std::byte, kSecretBytes> secret{};
  FillRandom(secret);
  return CreateFile(path, EncodeHex(secret) + "\n");
}

Result<std::string> LoadOrCreate(const fs::path& folder) {
  const fs::path path = folder / "server.secret";
  Result<std::string> existing = ReadSecretFile(path.string());
  if (existing || existing.error().code != ErrorCode::kNotFound) {
    return existing;
  }
  RETURN_IF_ERROR(CreateFolder(folder));
  RETURN_IF_ERROR(CreateSecretFile(path));
  return ReadSecretFile(path.string());
}

Result<std::string> LoadCurrent(const Config& config) {
  if (!config.secrets.server_secret.empty()) {
    return DecodeHex(config.secrets.server_secret);
  }
  if (!config.secrets.server_secret_file.empty()) {
    return ReadSecretFile(config.secrets.server_secret_file);
  }
  return LoadOrCreate(config.data);
}

Result<SealingKey> KeyFor(std::string_view purpose, const std::string& secret) {
  constexpr std::size_t kIdBytes = 8;
  ASSIGN_OR_RETURN(const SecretKey id, DeriveKey(secret, fmt::format("id of {}", purpose)));
  ASSIGN_OR_RETURN(const SecretKey bytes, DeriveKey(secret, purpose));
  return SealingKey{.id = EncodeHex(std::span(id).first(kIdBytes)), .bytes = bytes};
}

}  // namespace

Result<ServerSecrets> LoadServerSecrets(const Config& config) {
  ServerSecrets secrets;
  ASSIGN_OR_RETURN(secrets.current, LoadCurrent(config));
  for (const std::string& text : config.secrets.previous_server_secrets) {
    ASSIGN_OR_RETURN(std::string secret, DecodeHex(text));
    secrets.previous.push_back(std::move(secret));
  }
  for (const std::string& path : config.secrets.previous_server_secret_files) {
    ASSIGN_OR_RETURN(std::string secret, ReadSecretFile(path));
    secrets.previous.push_back(std::move(secret));
  }
  std::vector<std::string> all = secrets.previous;
  all.push_back(secrets.current);
  std::ranges::sort(all);
  if (std::ranges::adjacent_find(all) != all.end()) {
    return Fail(ErrorCode::kInvalidArgument, "the same server secret is given twice");
  }
  return secrets;
}

Result<std::string> ReadPrivateLine(const std::string& path) {
  constexpr std::size_t kLineBytesMax = 4096;
  ASSIGN_OR_RETURN(std::string line, ReadPrivateFile(path, kLineBytesMax));
  if (line.empty() || line.size() > kLineBytesMax || line.contains('\n')) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: expected a secret in one line", Printable(path)));
  }
  return line;
}

Result<KeyRing> KeysFor(std::string_view purpose, const ServerSecrets& secrets) {
  std::vector<SealingKey> keys;
  ASSIGN_OR_RETURN(SealingKey current, KeyFor(purpose, secrets.current));
  keys.push_back(std::move(current));
  for (const std::string& secret : secrets.previous) {
    ASSIGN_OR_RETURN(SealingKey key, KeyFor(purpose, secret));
    keys.push_back(std::move(key));
  }
  return KeyRing::Make(std::move(keys));
}

}  // namespace atrium::app
