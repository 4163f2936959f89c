// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/partial_uploads.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <optional>
#include <system_error>
#include <utility>

#include "base/hash.h"
#include "base/hex.h"
#include "files/file_writer.h"

namespace atrium::files {
namespace {

constexpr std::uint64_t kMagic = 0x31'74'72'61'70'72'74'61;  // "atrpart1"
constexpr std::uint64_t kContentAt = 4096;
/// How much may be lost when the machine stops.
constexpr std::uint64_t kSyncEvery = std::uint64_t{32} << 20;
constexpr std::size_t kReadBytes = std::size_t{1} << 20;
/// What is left free on the disk.
constexpr std::uint64_t kReserveBytes = std::uint64_t{256} << 20;
constexpr mode_t kOwnerOnly = 0600;

struct Head {
  std::uint64_t magic = kMagic;
  std::uint64_t total = 0;
  std::uint64_t received = 0;
};

std::unexpected<Error> DiskFailed(std::string_view doing) {
  return FailPrivately(ErrorCode::kUnavailable, std::string("cannot ")
                                                    .append(doing)
                                                    .append(" a partial upload: ")
                                                    .append(std::strerror(errno)));
}

Result<void> WriteAt(int file, std::string_view bytes, std::uint64_t at) {
  while (!bytes.empty()) {
    const ssize_t put = ::pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (put < 0 && errno == EINTR) {
      continue;
    }
    if (put < 0) {
      return DiskFailed("write");
    }
    bytes.remove_prefix(static_cast<std::size_t>(put));
    at += static_cast<std::uint64_t>(put);
  }
  return {};
}

/// False at an end that came too early.
Result<bool> ReadAt(int file, std::span<char> out, std::uint64_t at) {
  while (!out.empty()) {
    const ssize_t got = ::pread(file, out.data(), out.size(), static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      return DiskFailed("read");
    }
    if (got == 0) {
      return false;
    }
    out = out.subspan(static_cast<std::size_t>(got));
    at += static_cast<std::uint64_t>(got);
  }
  return true;
}

using HeadBytes = std::array<char, sizeof(Head)>;

/// nullopt for a file that has no head, as one whose making was cut short.
Result<std::optional<Head>> ReadHead(int file) {
  HeadBytes bytes{};
  ASSIGN_OR_RETURN(const bool whole, ReadAt(file, bytes, 0));
  const Head head = std::bit_cast<Head>(bytes);
  const bool valid = whole && head.magic == kMagic && head.received <= head.total;
  return valid ? std::optional(head) : std::nullopt;
}

Result<void> WriteHead(int file, const Head& head) {
  const auto bytes = std::bit_cast<HeadBytes>(head);
  return WriteAt(file, {bytes.data(), bytes.size()}, 0);
}

Result<void> CheckPiece(const UploadPiece& piece) {
  if (piece.first > piece.last || piece.last >= piece.total) {
    return Fail(ErrorCode::kInvalidArgument, "Content-Range: not a part of the file");
  }
  if (std::cmp_greater(piece.total, kFileBytesMax)) {
    return Fail(ErrorCode::kLimitExceeded, "file: longer than 20 GiB");
  }
  return {};
}

std::size_t CountFiles(const std::filesystem::path& folder) {
  std::error_code error;
  std::size_t count = 0;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    ++count;
  }
  return count;
}

std::timespec TimeOf(Instant at) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(at);
  return {.tv_sec = seconds.time_since_epoch().count(), .tv_nsec = 0};
}

}  // namespace

PartialUpload::PartialUpload(PartialUploads& owner, std::string id, std::filesystem::path path)
    : owner_(owner), id_(std::move(id)), path_(std::move(path)) {}

PartialUpload::~PartialUpload() {
  // What arrived before the client broke off need not be sent again.
  if (file_.Get() >= 0 && received_ > synced_) {
    (void)Sync();
  }
  owner_.Release(id_);
}

Result<void> PartialUpload::Open(const UploadPiece& piece) {
  file_ = Descriptor(::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kOwnerOnly));
  if (file_.Get() < 0) {
    return DiskFailed("open");
  }
  ASSIGN_OR_RETURN(const std::optional<Head> head, ReadHead(file_.Get()));
  const bool begins = piece.first == 0;
  if (!begins && head && head->total != piece.total) {
    return Fail(ErrorCode::kRefusedByState, "Content-Range: the file was said to have " +
                                                std::to_string(head->total) + " bytes before");
  }
  const std::uint64_t there = head ? head->received : 0;
  if (piece.first > there) {
    return Fail(ErrorCode::kRefusedByState,
                "Content-Range: go on from byte " + std::to_string(there));
  }
  total_ = piece.total;
  received_ = piece.first;
  piece_end_ = piece.last + 1;
  RETURN_IF_ERROR(Sync());
  // Known to the disk before anything is overwritten, or a crash could mix two files.
  if (there > piece.first && ::fdatasync(file_.Get()) != 0) {
    return DiskFailed("sync");
  }
  if (::ftruncate(file_.Get(), static_cast<off_t>(kContentAt + received_)) != 0) {
    return DiskFailed("cut");
  }
  return {};
}

/// Content first, so that the head never says more than there is.
Result<void> PartialUpload::Sync() {
  if (::fdatasync(file_.Get()) != 0) {
    return DiskFailed("sync");
  }
  RETURN_IF_ERROR(WriteHead(file_.Get(), {.total = total_, .received = received_}));
  synced_ = received_;
  const std::timespec now = TimeOf(owner_.clock_.Now());
  const std::array<std::timespec, 2> times{now, now};
  ::futimens(file_.Get(), times.data());
  return {};
}

Result<void> PartialUpload::Write(std::string_view bytes) {
  if (bytes.size() > piece_end_ - received_) {
    return Fail(ErrorCode::kInvalidArgument, "Content-Range: the piece is longer than it says");
  }
  RETURN_IF_ERROR(WriteAt(file_.Get(), bytes, kContentAt + received_));
  received_ += bytes.size();
  return received_ - synced_ >= kSyncEvery ? Sync() : Result<void>();
}

Result<void> PartialUpload::EndPiece() {
  RETURN_IF_ERROR(Sync());
  if (received_ != piece_end_) {
    return Fail(ErrorCode::kInvalidArgument, "Content-Range: the piece is shorter than it says");
  }
  return {};
}

Result<void> PartialUpload::ReadAll(
    const std::function<Result<void>(std::string_view)>& take) const {
  std::string buffer;
  for (std::uint64_t at = 0; at < received_; at += buffer.size()) {
    buffer.resize(std::min<std::uint64_t>(kReadBytes, received_ - at));
    ASSIGN_OR_RETURN(const bool whole, ReadAt(file_.Get(), buffer, kContentAt + at));
    if (!whole) {
      return FailPrivately(ErrorCode::kCorrupt, "a partial upload is shorter than it says");
    }
    RETURN_IF_ERROR(take(buffer));
  }
  return {};
}

void PartialUpload::Discard() {
  ::unlink(path_.c_str());
  synced_ = received_;
}

std::filesystem::path PartialUploads::PathOf(const PartialUploadKey& key) const {
  const std::string name = EncodeHex(Sha256Of(key.library.Render() + key.path.Render()));
  return folder_ / key.user.Render() / name;
}

bool PartialUploads::Claim(const std::string& id) {
  const std::scoped_lock lock(mutex_);
  return claimed_.insert(id).second;
}

void PartialUploads::Release(const std::string& id) {
  const std::scoped_lock lock(mutex_);
  claimed_.erase(id);
}

Result<std::uint64_t> PartialUploads::Received(const PartialUploadKey& key) const {
  const Descriptor file(::open(PathOf(key).c_str(), O_RDONLY | O_CLOEXEC));
  if (file.Get() < 0) {
    return errno == ENOENT ? Result<std::uint64_t>(0) : DiskFailed("open");
  }
  ASSIGN_OR_RETURN(const std::optional<Head> head, ReadHead(file.Get()));
  return head ? head->received : 0;
}

Result<void> PartialUploads::CheckRoom(const std::filesystem::path& path,
                                       const UploadPiece& piece) const {
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  if (error) {
    return FailPrivately(ErrorCode::kUnavailable,
                         "cannot make the folder of partial uploads: " + error.message());
  }
  if (!std::filesystem::exists(path, error) &&
      CountFiles(path.parent_path()) >= kPartialUploadsOfOne) {
    return Fail(ErrorCode::kLimitExceeded, "file: too many uploads have not ended");
  }
  const std::filesystem::space_info space = std::filesystem::space(folder_, error);
  if (!error && space.available < kReserveBytes + (piece.total - piece.first)) {
    return Fail(ErrorCode::kUnavailable, "the disk of the server is full");
  }
  return {};
}

Result<std::unique_ptr<PartialUpload>> PartialUploads::Resume(const PartialUploadKey& key,
                                                              const UploadPiece& piece) {
  RETURN_IF_ERROR(CheckPiece(piece));
  const std::filesystem::path path = PathOf(key);
  if (!Claim(path.string())) {
    return Fail(ErrorCode::kRefusedByState, "this file is being sent by another request");
  }
  std::unique_ptr<PartialUpload> upload(new PartialUpload(*this, path.string(), path));
  RETURN_IF_ERROR(CheckRoom(path, piece));
  RETURN_IF_ERROR(upload->Open(piece));
  return upload;
}

Result<std::size_t> PartialUploads::Sweep() {
  const std::time_t oldest = TimeOf(clock_.Now() - kPartialUploadKept).tv_sec;
  std::error_code error;
  std::size_t removed = 0;
  for (std::filesystem::recursive_directory_iterator at(folder_, error), end; !error && at != end;
       at.increment(error)) {
    struct stat facts{};
    const std::string path = at->path().string();
    if (::lstat(path.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode) ||
        facts.st_mtim.tv_sec >= oldest || !Claim(path)) {
      continue;
    }
    removed += ::unlink(path.c_str()) == 0 ? 1 : 0;
    Release(path);
  }
  if (error && error != std::errc::no_such_file_or_directory) {
    return FailPrivately(ErrorCode::kUnavailable,
                         "cannot read the folder of partial uploads: " + error.message());
  }
  return removed;
}

}  // namespace atrium::files
