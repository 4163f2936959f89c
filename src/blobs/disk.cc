// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "blobs/disk.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <system_error>
#include <utility>

#include "base/error.h"

namespace atrium::blobs {
namespace {

std::unexpected<Error> Failed(std::string_view doing, const std::filesystem::path& path) {
  const int number = errno;
  return SystemFailure(std::string(doing) + " " + path.string(), number);
}

std::unexpected<Error> Failed(std::string_view doing) {
  return SystemFailure(doing, errno);
}

/// What is left of the pieces when so much of them was written.
std::span<iovec> Advance(std::span<iovec> pieces, std::size_t written) {
  while (!pieces.empty() && written >= pieces.front().iov_len) {
    written -= pieces.front().iov_len;
    pieces = pieces.subspan(1);
  }
  if (!pieces.empty()) {
    pieces.front().iov_base = static_cast<char*>(pieces.front().iov_base) + written;
    pieces.front().iov_len -= written;
  }
  return pieces;
}

}  // namespace

std::unexpected<Error> SystemFailure(std::string_view doing, int number) {
  std::string detail = std::string(doing) + ": " + std::generic_category().message(number);
  if (number == ENOSPC || number == EDQUOT) {
    auto failure = Fail(ErrorCode::kUnavailable, "the disk is full");
    failure.error().detail = std::move(detail);
    return failure;
  }
  return FailPrivately(ErrorCode::kUnavailable, std::move(detail));
}

Result<void> Disk::Write(int file, std::span<iovec> pieces, std::uint64_t offset) {
  while (!pieces.empty()) {
    const auto count = static_cast<int>(std::min<std::size_t>(pieces.size(), IOV_MAX));
    const ssize_t written = ::pwritev(file, pieces.data(), count, static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written < 0) {
      return Failed("write blobs");
    }
    offset += static_cast<std::uint64_t>(written);
    pieces = Advance(pieces, static_cast<std::size_t>(written));
  }
  return {};
}

Result<void> Disk::Sync(int file) {
  return ::fdatasync(file) == 0 ? Result<void>() : Failed("sync blobs");
}

Result<void> Disk::SyncFolder(const std::filesystem::path& folder) {
  const Descriptor opened(::open(folder.c_str(), O_RDONLY | O_CLOEXEC | O_DIRECTORY));
  if (opened.Get() < 0 || ::fsync(opened.Get()) != 0) {
    return Failed("sync the folder", folder);
  }
  return {};
}

Result<std::uint64_t> Disk::FreeBytes(const std::filesystem::path& folder) {
  struct statvfs status{};
  if (::statvfs(folder.c_str(), &status) != 0) {
    return Failed("ask for the free space of", folder);
  }
  return std::uint64_t{status.f_bavail} * status.f_frsize;
}

std::shared_ptr<const int> Share(Descriptor descriptor) {
  auto owned = std::make_shared<const Descriptor>(std::move(descriptor));
  auto number = std::make_shared<const std::pair<std::shared_ptr<const Descriptor>, int>>(
      owned, owned->Get());
  return {number, &number->second};
}

Result<Descriptor> OpenToRead(const std::filesystem::path& path) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.Get() < 0 && errno == ENOENT) {
    return FailPrivately(ErrorCode::kNotFound, "no file " + path.string());
  }
  if (file.Get() < 0) {
    return Failed("open", path);
  }
  return file;
}

Result<Descriptor> CreateToWrite(const std::filesystem::path& path) {
  Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (file.Get() < 0) {
    return Failed("make", path);
  }
  return file;
}

Result<std::uint64_t> SizeOf(int file) {
  struct stat status{};
  if (::fstat(file, &status) != 0) {
    return Failed("ask for the size of a file");
  }
  return static_cast<std::uint64_t>(status.st_size);
}

Result<std::size_t> ReadAt(int file, std::uint64_t offset, std::span<char> into) {
  std::size_t done = 0;
  while (done < into.size()) {
    const ssize_t count =
        ::pread(file, into.data() + done, into.size() - done, static_cast<off_t>(offset + done));
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      return Failed("read blobs");
    }
    if (count == 0) {
      break;
    }
    done += static_cast<std::size_t>(count);
  }
  return done;
}

Result<std::string> ReadAt(int file, std::uint64_t offset, std::size_t bytes) {
  std::string text(bytes, '\0');
  ASSIGN_OR_RETURN(const std::size_t count, ReadAt(file, offset, std::span(text)));
  text.resize(count);
  return text;
}

Result<void> CutAt(int file, std::uint64_t bytes) {
  return ::ftruncate(file, static_cast<off_t>(bytes)) == 0 ? Result<void>() : Failed("cut a file");
}

Result<void> MakeFolder(const std::filesystem::path& folder) {
  if (::mkdir(folder.c_str(), S_IRWXU) != 0 && errno != EEXIST) {
    return Failed("make the folder", folder);
  }
  return {};
}

Result<void> RemoveFile(const std::filesystem::path& path) {
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) {
    return Failed("remove", path);
  }
  return {};
}

Result<void> MoveFile(const std::filesystem::path& from, const std::filesystem::path& to) {
  return std::rename(from.c_str(), to.c_str()) == 0 ? Result<void>() : Failed("move", from);
}

}  // namespace atrium::blobs
