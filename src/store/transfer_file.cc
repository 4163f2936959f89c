// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "store/transfer_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>
#include <utility>

#include "base/error.h"

namespace atrium::store {
namespace {

std::unexpected<Error> FailErrno(std::string_view doing, const std::filesystem::path& path) {
  const int number = errno;
  const ErrorCode code = number == ENOENT   ? ErrorCode::kNotFound
                         : number == EEXIST ? ErrorCode::kAlreadyExists
                         : number == ESPIPE ? ErrorCode::kInvalidArgument
                                            : ErrorCode::kUnavailable;
  return Fail(code, std::string(doing) + " " + path.string() + ": " +
                        std::generic_category().message(number));
}

std::filesystem::path Partial(const std::filesystem::path& path) {
  return path.string() + ".partial";
}

Result<void> SyncFolder(const std::filesystem::path& folder) {
  const Descriptor open(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (open.Get() < 0 || ::fsync(open.Get()) != 0) {
    return FailErrno("sync", folder);
  }
  return {};
}

}  // namespace

NewFile::NewFile(Descriptor file, std::filesystem::path path)
    : file_(std::move(file)), path_(std::move(path)) {}

NewFile::NewFile(NewFile&& other) noexcept
    : file_(std::move(other.file_)), path_(std::exchange(other.path_, {})) {}

Result<NewFile> NewFile::Create(const std::filesystem::path& path) {
  if (::access(path.c_str(), F_OK) == 0) {
    errno = EEXIST;
    return FailErrno("create", path);
  }
  constexpr int kOwnerOnly = 0600;
  const std::filesystem::path partial = Partial(path);
  ::unlink(partial.c_str());
  Descriptor file(
      ::open(partial.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kOwnerOnly));
  if (file.Get() < 0) {
    return FailErrno("create", partial);
  }
  return NewFile(std::move(file), path);
}

NewFile::~NewFile() {
  if (!path_.empty()) {
    ::unlink(Partial(path_).c_str());
  }
}

Result<void> NewFile::Write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file_.Get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written < 0) {
      return FailErrno("write", Partial(path_));
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Result<void> NewFile::Publish() {
  if (::fsync(file_.Get()) != 0) {
    return FailErrno("sync", Partial(path_));
  }
  if (::rename(Partial(path_).c_str(), path_.c_str()) != 0) {
    return FailErrno("create", path_);
  }
  const std::filesystem::path folder = path_.has_parent_path() ? path_.parent_path() : ".";
  path_.clear();
  return SyncFolder(folder);
}

Result<InputFile> InputFile::Open(const std::filesystem::path& path) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.Get() < 0) {
    return FailErrno("open", path);
  }
  return InputFile(std::move(file));
}

Result<std::size_t> InputFile::Read(std::span<char> buffer) {
  while (true) {
    const ssize_t count = ::read(file_.Get(), buffer.data(), buffer.size());
    if (count >= 0) {
      return static_cast<std::size_t>(count);
    }
    if (errno != EINTR) {
      return FailErrno("read", "the file");
    }
  }
}

Result<void> InputFile::Rewind() {
  if (::lseek(file_.Get(), 0, SEEK_SET) < 0) {
    return FailErrno("rewind", "the file");
  }
  return {};
}

}  // namespace atrium::store
