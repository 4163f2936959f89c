// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/descriptor.h"
#include "base/instant.h"
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

/// A file that has arrived in part, for people to look at.
struct UnfinishedUpload {
  /// 64 hexadecimal digits.
  std::string id{};
  LibraryId library{};
  /// Where it goes; empty when that is not known.
  std::string path{};
  std::uint64_t received = 0;
  std::uint64_t total = 0;
  /// When it went on last.
  Instant updated_at{};
};

/// How long the pieces of a file that does not go on are kept.
inline constexpr std::chrono::days kPartialUploadKept{3};
/// How many files one person may have under way. One more takes the place of the one that has not
/// gone on for longest.
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

  /// Calls `take` with all of the file, in pieces. From here on they do not count any more: what
  /// takes them counts.
  Result<void> ReadAll(const std::function<Result<void>(std::string_view)>& take) const;
  /// The file is where it belongs, and its pieces are not needed any more.
  void Discard();

 private:
  friend class PartialUploads;
  PartialUpload(PartialUploads& owner, const PartialUploadKey& key, std::filesystem::path path);

  Result<void> Open(const UploadPiece& piece);
  Result<void> Sync();

  PartialUploads& owner_;
  const PartialUploadKey key_;
  const std::filesystem::path path_;
  Descriptor file_;
  std::uint64_t total_ = 0;
  /// How much there is, and how much of it is known to be durable.
  std::uint64_t received_ = 0;
  std::uint64_t synced_ = 0;
  /// Where the piece ends.
  std::uint64_t piece_end_ = 0;
};

/// Files that arrive in pieces, in a folder of their own with one for each person: one file each,
/// which begins with a head that says how much of it is durable (upload_head.h). They outlive a
/// restart, and a crash costs no more than what was not synced. Any thread.
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
  /// kLimitExceeded for too long a file, and when as many as one person may have are being sent at
  /// this moment; kUnavailable when the disk is full.
  Result<std::unique_ptr<PartialUpload>> Resume(const PartialUploadKey& key,
                                                const UploadPiece& piece);

  /// How much lies here of one person. Of a file in the hands of a request, what there was before.
  std::int64_t BytesOf(const UserId& user) const;

  /// Those of one person, the one that has not gone on for longest first.
  Result<std::vector<UnfinishedUpload>> List(const UserId& user) const;
  /// Removes one. kNotFound when no upload has that id, kRefusedByState while a request sends it.
  Result<void> Remove(const UserId& user, std::string_view id);

  /// Removes those that have not gone on for kPartialUploadKept; how many.
  Result<std::size_t> Sweep();

 private:
  friend class PartialUpload;

  std::filesystem::path PathOf(const PartialUploadKey& key) const;
  Result<void> CheckRoom(const UserId& user, const std::filesystem::path& path,
                         const UploadPiece& piece);
  Result<void> MakeRoom(const UserId& user);
  /// False when a request has it, or it is not there.
  bool RemoveUnclaimed(const std::filesystem::path& path);
  bool Claim(const std::string& id);
  void Release(const std::string& id);
  /// As how much one counts that is in the hands of a request.
  void Count(const std::string& id, std::uint64_t bytes);

  const std::filesystem::path folder_;
  const Clock& clock_;
  mutable std::mutex mutex_;
  /// Those in the hands of a request, and as how much they count. Guarded by mutex_.
  std::map<std::string, std::uint64_t> claimed_;
};

}  // namespace atrium::files
