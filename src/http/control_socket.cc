// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/control_socket.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/descriptor.h"
#include "base/error.h"
#include "base/result.h"

namespace atrium::http {
namespace {

constexpr int kBacklog = 64;

std::unexpected<Error> SystemFailure(std::string_view doing, const std::string& path) {
  const int number = errno;
  const bool denied = number == EACCES || number == EPERM || number == EROFS;
  return Fail(
      denied ? ErrorCode::kPermissionDenied : ErrorCode::kUnavailable,
      path + ": cannot " + std::string(doing) + ": " + std::generic_category().message(number));
}

std::string FolderOf(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  return folder.empty() ? "." : folder.string();
}

/// The address of a socket has room for 107 bytes, paths have none such bound. A longer one is
/// reached through the open folder, which must stay open as long as the address is used.
struct UnixAddress {
  sockaddr_un address{};
  Descriptor folder{-1};

  const sockaddr* Get() const { return reinterpret_cast<const sockaddr*>(&address); }
};

Result<UnixAddress> AddressOf(const std::string& path) {
  constexpr std::size_t kBytesMax = sizeof(sockaddr_un::sun_path) - 1;
  const bool fits = path.size() <= kBytesMax;
  const std::string folder = FolderOf(path);
  UnixAddress made{
      .folder = Descriptor(fits ? -1 : ::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC))};
  if (!fits && made.folder.Get() < 0) {
    return SystemFailure("open the folder", folder);
  }
  const std::string text = fits ? path
                                : "/proc/self/fd/" + std::to_string(made.folder.Get()) + "/" +
                                      std::filesystem::path(path).filename().string();
  if (text.size() > kBytesMax) {
    return Fail(ErrorCode::kInvalidArgument, path + ": the name of the file is too long");
  }
  made.address.sun_family = AF_UNIX;
  std::memcpy(made.address.sun_path, text.data(), text.size());
  return made;
}

Descriptor NewSocket() {
  return Descriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
}

/// Whoever may put files there could stand in for the server.
Result<void> CheckFolder(const std::string& path) {
  const std::string folder = FolderOf(path);
  struct stat status{};
  if (::stat(folder.c_str(), &status) != 0) {
    return SystemFailure("look at the folder", folder);
  }
  if ((status.st_mode & S_IWOTH) != 0) {
    return Fail(ErrorCode::kPermissionDenied,
                folder + ": everybody may write there; run: chmod 700 " + folder);
  }
  return {};
}

Result<void> RemoveStale(const std::string& path) {
  struct stat status{};
  if (::lstat(path.c_str(), &status) != 0) {
    return errno == ENOENT ? Result<void>() : SystemFailure("look at the control socket", path);
  }
  if (!S_ISSOCK(status.st_mode)) {
    return Fail(ErrorCode::kAlreadyExists, path + ": is in the way of the control socket");
  }
  ASSIGN_OR_RETURN(const std::optional<Descriptor> live, ConnectToControlSocket(path));
  if (live) {
    return Fail(ErrorCode::kUnavailable, path + ": another server listens there");
  }
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) {
    return SystemFailure("replace the control socket", path);
  }
  return {};
}

}  // namespace

ControlSocket::ControlSocket(std::string path, Descriptor descriptor)
    : path_(std::move(path)), descriptor_(std::move(descriptor)) {
  struct stat status{};
  if (::lstat(path_.c_str(), &status) == 0) {
    device_ = status.st_dev;
    inode_ = status.st_ino;
  }
}

Result<ControlSocket> ControlSocket::Listen(const std::string& path) {
  RETURN_IF_ERROR(CheckFolder(path));
  RETURN_IF_ERROR(RemoveStale(path));
  ASSIGN_OR_RETURN(const UnixAddress address, AddressOf(path));
  Descriptor descriptor = NewSocket();
  // The mode of the socket before it is bound is that of the file from its first moment on.
  if (descriptor.Get() < 0 || ::fchmod(descriptor.Get(), S_IRUSR | S_IWUSR) != 0 ||
      ::bind(descriptor.Get(), address.Get(), sizeof address.address) != 0) {
    return SystemFailure("make the control socket", path);
  }
  ControlSocket made(path, std::move(descriptor));
  if (::listen(made.descriptor_.Get(), kBacklog) != 0) {
    return SystemFailure("listen on the control socket", path);
  }
  return made;
}

void ControlSocket::Remove() {
  struct stat status{};
  if (!path_.empty() && ::lstat(path_.c_str(), &status) == 0 && status.st_dev == device_ &&
      status.st_ino == inode_) {
    ::unlink(path_.c_str());
  }
  path_.clear();
}

Result<std::optional<Descriptor>> ConnectToControlSocket(const std::string& path) {
  ASSIGN_OR_RETURN(const UnixAddress address, AddressOf(path));
  Descriptor descriptor = NewSocket();
  if (descriptor.Get() < 0) {
    return SystemFailure("make a socket", path);
  }
  while (::connect(descriptor.Get(), address.Get(), sizeof address.address) != 0) {
    if (errno == ENOENT || errno == ECONNREFUSED || errno == ENOTDIR) {
      return std::nullopt;
    }
    if (errno != EINTR) {
      return SystemFailure("reach the server", path);
    }
  }
  return descriptor;
}

}  // namespace atrium::http
