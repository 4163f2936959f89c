// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "blobs/blobs.h"
#include "blobs/pack_scan.h"
#include "blobs/parts.h"

namespace atrium::blobs {

/// Writes rows again that a crash may have lost, where they are not there. May see a note again at
/// the next start.
using RecoveredSink = std::function<Result<void>(std::span<const NotedBlob>)>;

/// Reads what packs have beyond what the store durably knows, once, before anything else is done
/// with the folder. Each whole record gets its row again; what was torn by a crash is cut off; the
/// notes are handed on. The store may also be an older one than the folder, or know nothing at all.
class Replay {
 public:
  Replay(const Parts& parts, const RecoveredSink& recovered)
      : parts_(parts), recovered_(recovered) {}

  struct Settings {
    /// A pack of this size is not gone on with.
    std::uint64_t pack_bytes = 0;
  };
  Result<void> Run(const Settings& settings);

 private:
  struct Tail {
    std::uint64_t pack = 0;
    PackFacts facts{};
    /// Where its records end, as far as is known.
    std::uint64_t before = 0;
    /// Behind the last whole record.
    std::uint64_t end = 0;
  };
  enum class Verdict : std::uint8_t { kLive, kDead };

  void LookForMissing(std::span<const std::uint64_t> there);
  Result<std::optional<Tail>> FindTail(std::uint64_t pack);
  Result<std::optional<Tail>> PassOver(std::uint64_t pack, std::uint64_t size);
  Result<void> RemoveEmptied(std::uint64_t pack);
  Result<void> IndexTail(Tail& tail);
  Result<void> IndexSome(const Tail& tail, std::vector<IndexedBlob>& some, std::uint64_t indexed);
  Result<bool> IsThere(const IndexedBlob& blob);
  Result<Verdict> Judge(const IndexedBlob& blob);
  Result<void> Conclude(const Tail& tail, const Settings& settings);
  Result<void> HandOverNotes(const Tail& tail);
  Result<void> HandOver(std::vector<NotedBlob>& some) const;

  const Parts& parts_;
  const RecoveredSink& recovered_;
  std::uint64_t newest_ = 0;
};

}  // namespace atrium::blobs
