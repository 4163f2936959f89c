// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

#include "base/result.h"
#include "blobs/appender.h"
#include "blobs/blobs.h"
#include "blobs/compaction.h"
#include "blobs/custody.h"
#include "blobs/disk.h"
#include "blobs/folder.h"
#include "blobs/index.h"
#include "blobs/intake.h"
#include "blobs/own_files.h"
#include "blobs/pack_file.h"
#include "blobs/parts.h"
#include "blobs/replay.h"
#include "blobs/shelf.h"
#include "blobs/suspects.h"
#include "store/ground.h"
#include "store/op_context.h"

namespace atrium::blobs {

struct LocalOptions {
  std::filesystem::path folder;
  /// Blobs of this size and above are files of their own, others lie in packs.
  std::uint64_t own_file_bytes = std::uint64_t{128} << 10;
  std::uint64_t pack_bytes = std::uint64_t{256} << 20;
  /// Nothing is put when the disk has less than this left, so that the store beside it can go on.
  std::uint64_t reserve_bytes = std::uint64_t{64} << 20;
  /// Gets the notes of blobs whose rows a crash may have lost; see PutOptions::note.
  RecoveredSink recovered{};
  /// What if the folder is not the one the store has known so far: a disk that is not mounted, or
  /// one that was replaced?
  enum class OtherFolder : std::uint8_t { kRefuse, kAccept };
  OtherFolder other_folder = OtherFolder::kRefuse;
  /// The machine's own when empty.
  std::shared_ptr<Disk> disk{};
};

/// Blobs in a folder of this machine. Large ones are files, small ones share pack files; where they
/// lie is rows of the store. README.md and docs/formats/blobs.md tell more.
class LocalBlobs final : public Blobs {
 public:
  /// Opens the folder, and makes it when it is not there. Reads what packs have beyond what the
  /// store knows, and hands on the notes, before it returns. Fails as Folder::Open() does, and with
  /// kRefusedByState for a folder that the store does not know. `ground` outlives the blobs.
  static Result<std::unique_ptr<LocalBlobs>> Open(const LocalOptions& options,
                                                  const store::Ground& ground);
  ~LocalBlobs() override;

  using Blobs::Remove;
  Result<Pin> Put(const store::OpContext& op, std::string_view bytes,
                  const PutOptions& options) override;
  Result<std::unique_ptr<BlobWriter>> Begin(const store::OpContext& op) override;
  Result<std::optional<Pin>> FindPinned(const store::OpContext& op, const BlobId& id) override;
  Result<bool> Contains(const store::OpContext& op, const BlobId& id) override;
  Result<BlobSlice> Open(const store::OpContext& op, const BlobId& id) override;
  Result<std::string> Read(const store::OpContext& op, const BlobId& id) override;
  Result<BlobPage> List(const store::OpContext& op, const ListRequest& request) override;
  BlobStatistics Statistics() override;
  Result<Removal> Remove(const store::OpContext& op, std::span<const BlobId> ids,
                         const RemovalCheck& check) override;
  Result<Strays> SweepStrays(const store::OpContext& op, const StrayRequest& request) override;
  Result<VerifyPage> Verify(const store::OpContext& op, const VerifyRequest& request) override;
  Result<CompactReport> Compact(const store::OpContext& op, const std::stop_token& stop) override;

 private:
  LocalBlobs(const LocalOptions& options, const store::Ground& ground, std::shared_ptr<Disk> disk,
             Folder folder);

  /// Whether the store has known this folder so far.
  Result<void> MeetFolder();
  Result<void> CheckDeadline(const store::OpContext& op) const;
  /// Calls `go` with the place of a blob, and again when it has moved away meanwhile.
  template <typename Go>
  auto AtItsPlace(const store::OpContext& op, const BlobId& id, const Go& go)
      -> decltype(go(IndexedBlob()));
  Result<void> RemoveSome(const store::OpContext& op, std::span<const BlobId> ids,
                          const RemovalCheck& check, Removal& removal);
  void RemoveBytes(std::span<const IndexedBlob> blobs, Removal& removal);
  Result<void> SweepStray(const store::OpContext& op, const BlobId& id, const StrayRequest& request,
                          Strays& strays);

  const LocalOptions options_;
  const store::Ground ground_;
  const std::shared_ptr<Disk> disk_;
  const Folder folder_;
  const std::shared_ptr<Custody> custody_;
  Index index_;
  OpenPacks packs_;
  OwnFiles files_;
  Shelf shelf_;
  PackNumbers numbers_;
  Appender appender_;
  const Parts parts_;
  Suspects suspects_;
  Intake intake_;
  std::mutex compact_mutex_;
  // Guarded by compact_mutex_.
  Compaction compaction_;
};

}  // namespace atrium::blobs
