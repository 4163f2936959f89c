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
#include <cstdlib>
#include <filesystem>
#include <span>
#include <system_error>
#include <utility>

#include "app/config_values.h"
#include "base/hex.h"
#include "base/random.h"

namespace atrium::app {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kSecretBytes = 32;
constexpr std::size_t kFileBytesMax = (2 * kSecretBytes) + 2;  // With a line end of either style.

/// Owns a descriptor.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) {
      ::close(number_);
    }
  }
  int Number() const { return number_; }

 private:
  int number_;
};

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

/// What the system says about the call that just failed.
std::unexpected<Error> SystemFailure(std::string_view doing, const std::string& path) {
  const int number = errno;
  return Fail(CodeOf(number), fmt::format("{}: cannot {}: {}", Printable(path), doing,
                                          std::generic_category().message(number)));
}

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

Result<std::string> ReadSecretFile(const std::string& path) {
  // O_NONBLOCK: a pipe in this place must not hang the start.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.Number() < 0) {
    return SystemFailure("open the secret", path);
  }
  RETURN_IF_ERROR(CheckPrivate(file.Number(), path));
  ASSIGN_OR_RETURN(std::string text, ReadAtMost(file.Number(), kFileBytesMax, path));
  while (text.ends_with('\n') || text.ends_with('\r')) {
    text.pop_back();
  }
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

Result<void> WriteAll(int file, std::string_view text, const std::string& path) {
  while (!text.empty()) {
    const ssize_t count = ::write(file, text.data(), text.size());
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      return SystemFailure("write the secret", path);
    }
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

/// Makes the names in a folder durable.
Result<void> SyncFolder(const fs::path& folder) {
  const std::string path = folder.empty() ? "." : folder.string();
  const Descriptor opened(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_DIRECTORY));
  if (opened.Number() < 0 || ::fsync(opened.Number()) != 0) {
    return SystemFailure("make the folder durable", path);
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
    if (file.Number() >= 0) {
      ::unlink(path.c_str());
    }
  }

  std::string path;
  Descriptor file;
};

/// Makes the file whole and durable, or not at all. One that appeared meanwhile stays as it is:
/// link, unlike rename, never replaces.
Result<void> CreateSecretFile(const fs::path& path) {
  std::array<std::byte, kSecretBytes> secret{};
  FillRandom(secret);
  const TemporaryFile temporary(path.string() + ".XXXXXX");
  if (temporary.file.Number() < 0) {
    return SystemFailure("make a file", temporary.path);
  }
  RETURN_IF_ERROR(WriteAll(temporary.file.Number(), EncodeHex(secret) + "\n", temporary.path));
  if (::fsync(temporary.file.Number()) != 0) {
    return SystemFailure("make the secret durable", temporary.path);
  }
  if (::link(temporary.path.c_str(), path.c_str()) != 0 && errno != EEXIST) {
    return SystemFailure("make the file", path.string());
  }
  return SyncFolder(path.parent_path());
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
