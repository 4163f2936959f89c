// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/descriptor.h"
#include "base/result.h"
#include "files/records.h"
#include "files/tree_path.h"

namespace atrium::files {

/// Which file it is that arrives in pieces.
struct PartialUploadKey {
  UserId user{};
  LibraryId library{};
  TreePath path{};
};

/// A piece of a file that is about to be sent: bytes `first` to `last`, both included.
struct UploadPiece {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  std::uint64_t total = 0;
};

/// How long the pieces of a file that does not go on are kept.
inline constexpr std::chrono::days kPartialUploadKept{3};
/// How many files one person may have under way.
inline constexpr std::size_t kPartialUploadsOfOne = 64;

class PartialUploads;

/// A file that has arrived in part, in the hands of one request. What was written is kept when it
/// goes, however it goes: the client asks how much there is, and sends the rest.
class PartialUpload {
 public:
  PartialUpload(const PartialUpload&) = delete;
  PartialUpload& operator=(const PartialUpload&) = delete;
  ~PartialUpload();

  /// The next bytes of the piece. kInvalidArgument for more than it was said to have.
  Result<void> Write(std::string_view bytes);
  /// The piece has ended; it is durable. kInvalidArgument when it was shorter than it was said to
  /// be.
  Result<void> EndPiece();
  bool IsComplete() const { return received_ == total_; }

  /// Calls `take` with all of the file, in pieces.
  Result<void> ReadAll(const std::function<Result<void>(std::string_view)>& take) const;
  /// The file is where it belongs, and its pieces are not needed any more.
  void Discard();

 private:
  friend class PartialUploads;
  PartialUpload(PartialUploads& owner, std::string id, std::filesystem::path path);

  Result<void> Open(const UploadPiece& piece);
  Result<void> Sync();

  PartialUploads& owner_;
  const std::string id_;
  const std::filesystem::path path_;
  Descriptor file_;
  std::uint64_t total_ = 0;
  /// How much there is, and how much of it is known to be durable.
  std::uint64_t received_ = 0;
  std::uint64_t synced_ = 0;
  /// Where the piece ends.
  std::uint64_t piece_end_ = 0;
};

/// Files that arrive in pieces, in a folder of their own: one file each, which begins with a head
/// that says how much of it is durable. They outlive a restart, and a crash costs no more than what
/// was not synced. Any thread.
///
///   0     8       16         24        4096
///   magic total   received   zeros     content
class PartialUploads {
 public:
  /// The folder is made when it is first needed.
  PartialUploads(std::filesystem::path folder, const Clock& clock)
      : folder_(std::move(folder)), clock_(clock) {}

  /// How much of the file has arrived; zero when nothing is known of it.
  Result<std::uint64_t> Received(const PartialUploadKey& key) const;

  /// Goes on with the file. A piece that begins before the end of what is there replaces it from
  /// there on, one at byte 0 begins anew. kRefusedByState when bytes before the piece are missing,
  /// when the file was said to be of another length before, and while another request sends it.
  /// kLimitExceeded for too long a file and for too many of them; kUnavailable when the disk is
  /// full.
  Result<std::unique_ptr<PartialUpload>> Resume(const PartialUploadKey& key,
                                                const UploadPiece& piece);

  /// Removes those that have not gone on for kPartialUploadKept; how many.
  Result<std::size_t> Sweep();

 private:
  friend class PartialUpload;

  std::filesystem::path PathOf(const PartialUploadKey& key) const;
  Result<void> CheckRoom(const std::filesystem::path& path, const UploadPiece& piece) const;
  bool Claim(const std::string& id);
  void Release(const std::string& id);

  const std::filesystem::path folder_;
  const Clock& clock_;
  mutable std::mutex mutex_;
  /// Those in the hands of a request. Guarded by mutex_.
  std::set<std::string> claimed_;
};

}  // namespace atrium::files
