// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "blobs/blobs.h"
#include "blobs/pack_file.h"
#include "blobs/pack_scan.h"
#include "blobs/parts.h"

namespace atrium::blobs {

/// Writes what still lives in packs that are mostly dead into others, and removes them.
///
///   copy, sync ── per some blobs: erase rows, write rows ── forget the pack ── remove its file
///
/// Until its file is removed the old pack is whole, so a crash anywhere leaves each blob in one
/// pack or in both. Records whose row was erased and not yet written again lie behind what the new
/// pack is known to have indexed, so the next start writes them. One thread at a time.
class Compaction {
 public:
  Compaction(const Parts& parts, std::uint64_t pack_bytes)
      : parts_(parts), pack_bytes_(pack_bytes) {}

  Result<CompactReport> Run(const store::OpContext& op, const std::stop_token& stop);

 private:
  struct Moved {
    IndexedBlob from{};
    Place to{};
  };
  /// Records that wait to be copied, with their bytes.
  struct Load {
    std::vector<IndexedBlob> blobs{};
    std::vector<std::string> payloads{};
    std::uint64_t bytes = 0;
  };

  Result<void> CompactPack(const store::OpContext& op, std::uint64_t pack, CompactReport& report);
  Result<void> CopyLive(const store::OpContext& op, PackScan& scan, std::vector<Moved>& moved,
                        CompactReport& report);
  Result<void> DiscardDamaged(const store::OpContext& op, const IndexedBlob& blob,
                              CompactReport& report);
  Result<bool> IsLive(const store::OpContext& op, const IndexedBlob& blob);
  Result<void> Lay(Load& load, std::vector<Moved>& moved);
  Result<PackWriter*> Output(std::uint64_t bytes);
  void SealOutput();
  Result<void> SwitchRows(const store::OpContext& op, std::vector<Moved>& moved);
  Result<void> SwitchSome(const store::OpContext& op, std::span<const Moved> some);
  void Settle();
  Result<void> FinishMoves(const store::OpContext& op);
  Result<bool> HasRows(const store::OpContext& op, std::uint64_t pack);
  Result<void> RemovePack(const store::OpContext& op, std::uint64_t pack);

  const Parts parts_;
  const std::uint64_t pack_bytes_;
  std::optional<PackWriter> output_{};
  /// Packs that were written to and are not known as indexed to their end, with that end.
  std::map<std::uint64_t, std::uint64_t> open_ends_{};
  /// Blobs that Find() finds at their new place, row or no row.
  std::vector<IndexedBlob> unfinished_{};
};

}  // namespace atrium::blobs
