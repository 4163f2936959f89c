// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/partial_uploads.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <system_error>
#include <utility>

#include "base/hash.h"
#include "base/hex.h"
#include "files/file_writer.h"
#include "files/upload_head.h"

namespace atrium::files {
namespace {

namespace fs = std::filesystem;

/// How much may be lost when the machine stops.
constexpr std::uint64_t kSyncEvery = std::uint64_t{32} << 20;
constexpr std::size_t kReadBytes = std::size_t{1} << 20;
/// What is left free on the disk.
constexpr std::uint64_t kReserveBytes = std::uint64_t{256} << 20;
constexpr mode_t kOwnerOnly = 0600;

Result<void> CheckPiece(const UploadPiece& piece) {
  if (piece.first > piece.last || piece.last >= piece.total) {
    return Fail(ErrorCode::kInvalidArgument, "Content-Range: not a part of the file");
  }
  if (std::cmp_greater(piece.total, kFileBytesMax)) {
    return Fail(ErrorCode::kLimitExceeded, "file: longer than 20 GiB");
  }
  return {};
}

/// The files of one person. None when the folder is not there.
std::vector<fs::path> FilesIn(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> files;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    files.push_back(at->path());
  }
  return files;
}

std::uint64_t ContentBytesOf(const fs::path& path) {
  struct stat facts{};
  if (::lstat(path.c_str(), &facts) != 0) {
    return 0;
  }
  const auto bytes = static_cast<std::uint64_t>(facts.st_size);
  return bytes > kUploadContentAt ? bytes - kUploadContentAt : 0;
}

std::timespec TimeOf(Instant at) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(at);
  return {.tv_sec = seconds.time_since_epoch().count(), .tv_nsec = 0};
}

}  // namespace

PartialUpload::PartialUpload(PartialUploads& owner, const PartialUploadKey& key, fs::path path)
    : owner_(owner), key_(key), path_(std::move(path)) {}

PartialUpload::~PartialUpload() {
  // What arrived before the client broke off need not be sent again.
  if (file_.Get() >= 0 && received_ > synced_) {
    (void)Sync();
  }
  owner_.Release(path_.string());
}

Result<void> PartialUpload::Open(const UploadPiece& piece) {
  file_ = Descriptor(::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kOwnerOnly));
  if (file_.Get() < 0) {
    return UploadDiskFailed("open");
  }
  ASSIGN_OR_RETURN(const std::optional<UploadHead> head, ReadUploadHead(file_.Get()));
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
    return UploadDiskFailed("sync");
  }
  if (::ftruncate(file_.Get(), static_cast<off_t>(kUploadContentAt + received_)) != 0) {
    return UploadDiskFailed("cut");
  }
  return {};
}

/// Content first, so that the head never says more than there is.
Result<void> PartialUpload::Sync() {
  if (::fdatasync(file_.Get()) != 0) {
    return UploadDiskFailed("sync");
  }
  RETURN_IF_ERROR(WriteUploadHead(file_.Get(), {.total = total_,
                                                .received = received_,
                                                .library = key_.library,
                                                .path = key_.path.Render()}));
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
  RETURN_IF_ERROR(WriteUploadBytes(file_.Get(), bytes, kUploadContentAt + received_));
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
  owner_.Count(path_.string(), 0);
  std::string buffer;
  for (std::uint64_t at = 0; at < received_; at += buffer.size()) {
    buffer.resize(std::min<std::uint64_t>(kReadBytes, received_ - at));
    ASSIGN_OR_RETURN(const bool whole, ReadUploadBytes(file_.Get(), buffer, kUploadContentAt + at));
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

fs::path PartialUploads::PathOf(const PartialUploadKey& key) const {
  const std::string name = EncodeHex(Sha256Of(key.library.Render() + key.path.Render()));
  return folder_ / key.user.Render() / name;
}

bool PartialUploads::Claim(const std::string& id) {
  const std::uint64_t bytes = ContentBytesOf(id);
  const std::scoped_lock lock(mutex_);
  return claimed_.emplace(id, bytes).second;
}

void PartialUploads::Count(const std::string& id, std::uint64_t bytes) {
  const std::scoped_lock lock(mutex_);
  claimed_[id] = bytes;
}

void PartialUploads::Release(const std::string& id) {
  const std::scoped_lock lock(mutex_);
  claimed_.erase(id);
}

Result<std::uint64_t> PartialUploads::Received(const PartialUploadKey& key) const {
  const Descriptor file(::open(PathOf(key).c_str(), O_RDONLY | O_CLOEXEC));
  if (file.Get() < 0) {
    return errno == ENOENT ? Result<std::uint64_t>(0) : UploadDiskFailed("open");
  }
  ASSIGN_OR_RETURN(const std::optional<UploadHead> head, ReadUploadHead(file.Get()));
  return head ? head->received : 0;
}

std::int64_t PartialUploads::BytesOf(const UserId& user) const {
  std::uint64_t bytes = 0;
  for (const fs::path& path : FilesIn(folder_ / user.Render())) {
    const std::scoped_lock lock(mutex_);
    const auto claimed = claimed_.find(path.string());
    bytes += claimed == claimed_.end() ? ContentBytesOf(path) : claimed->second;
  }
  return static_cast<std::int64_t>(bytes);
}

Result<std::vector<UnfinishedUpload>> PartialUploads::List(const UserId& user) const {
  std::vector<UnfinishedUpload> found;
  for (const fs::path& path : FilesIn(folder_ / user.Render())) {
    struct stat facts{};
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    if (file.Get() < 0 || ::fstat(file.Get(), &facts) != 0) {
      continue;
    }
    ASSIGN_OR_RETURN(const std::optional<UploadHead> head, ReadUploadHead(file.Get()));
    const UploadHead known = head.value_or(UploadHead());
    found.push_back({.id = path.filename().string(),
                     .library = known.library,
                     .path = known.path,
                     .received = known.received,
                     .total = known.total,
                     .updated_at = Instant(std::chrono::seconds(facts.st_mtim.tv_sec))});
  }
  std::ranges::sort(found, {},
                    [](const UnfinishedUpload& one) { return std::pair(one.updated_at, one.id); });
  return found;
}

Result<void> PartialUploads::Remove(const UserId& user, std::string_view id) {
  const fs::path path = folder_ / user.Render() / id;
  const bool is_name = id.size() == 2 * sizeof(Sha256Digest) && DecodeHex(id).has_value();
  if (!is_name || ::access(path.c_str(), F_OK) != 0) {
    return Fail(ErrorCode::kNotFound, "there is no such upload");
  }
  return RemoveUnclaimed(path)
             ? Result<void>()
             : Fail(ErrorCode::kRefusedByState, "this file is being sent just now");
}

bool PartialUploads::RemoveUnclaimed(const fs::path& path) {
  if (!Claim(path.string())) {
    return false;
  }
  const bool removed = ::unlink(path.c_str()) == 0;
  Release(path.string());
  return removed;
}

/// Of those that nobody sends just now, the one that has not gone on for longest.
Result<void> PartialUploads::MakeRoom(const UserId& user) {
  ASSIGN_OR_RETURN(const std::vector<UnfinishedUpload> oldest_first, List(user));
  std::size_t left = oldest_first.size();
  for (const UnfinishedUpload& one : oldest_first) {
    if (left < kPartialUploadsOfOne) {
      return {};
    }
    left -= RemoveUnclaimed(folder_ / user.Render() / one.id) ? 1 : 0;
  }
  return left < kPartialUploadsOfOne
             ? Result<void>()
             : Fail(ErrorCode::kLimitExceeded, "file: too many files are being sent just now");
}

Result<void> PartialUploads::CheckRoom(const UserId& user, const fs::path& path,
                                       const UploadPiece& piece) {
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  if (error) {
    return FailPrivately(ErrorCode::kUnavailable,
                         "cannot make the folder of partial uploads: " + error.message());
  }
  if (!fs::exists(path, error)) {
    RETURN_IF_ERROR(MakeRoom(user));
  }
  const fs::space_info space = fs::space(folder_, error);
  if (!error && space.available < kReserveBytes + (piece.total - piece.first)) {
    return Fail(ErrorCode::kUnavailable, "the disk of the server is full");
  }
  return {};
}

Result<std::unique_ptr<PartialUpload>> PartialUploads::Resume(const PartialUploadKey& key,
                                                              const UploadPiece& piece) {
  RETURN_IF_ERROR(CheckPiece(piece));
  const fs::path path = PathOf(key);
  if (!Claim(path.string())) {
    return Fail(ErrorCode::kRefusedByState, "this file is being sent by another request");
  }
  std::unique_ptr<PartialUpload> upload(new PartialUpload(*this, key, path));
  RETURN_IF_ERROR(CheckRoom(key.user, path, piece));
  RETURN_IF_ERROR(upload->Open(piece));
  return upload;
}

Result<std::size_t> PartialUploads::Sweep() {
  const std::time_t oldest = TimeOf(clock_.Now() - kPartialUploadKept).tv_sec;
  std::error_code error;
  std::size_t removed = 0;
  for (fs::recursive_directory_iterator at(folder_, error), end; !error && at != end;
       at.increment(error)) {
    struct stat facts{};
    const std::string path = at->path().string();
    if (::lstat(path.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode) ||
        facts.st_mtim.tv_sec >= oldest) {
      continue;
    }
    removed += RemoveUnclaimed(path) ? 1 : 0;
  }
  if (error && error != std::errc::no_such_file_or_directory) {
    return FailPrivately(ErrorCode::kUnavailable,
                         "cannot read the folder of partial uploads: " + error.message());
  }
  return removed;
}

}  // namespace atrium::files
