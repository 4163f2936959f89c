// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "base/result.h"
#include "blobs/blobs.h"
#include "blobs/custody.h"
#include "blobs/parts.h"
#include "blobs/suspects.h"

namespace atrium::blobs {

/// How blobs come in. Any thread.
class Intake {
 public:
  struct Settings {
    /// Blobs of this size and above become files of their own.
    std::uint64_t own_file_bytes = 0;
  };
  /// `parts` and `suspects` outlive it.
  Intake(const Parts& parts, std::shared_ptr<Custody> custody, Suspects& suspects,
         const Settings& settings)
      : parts_(parts), custody_(std::move(custody)), suspects_(suspects), settings_(settings) {}

  Result<Pin> Put(const store::OpContext& op, std::string_view bytes, const PutOptions& options);
  std::unique_ptr<BlobWriter> Begin();

 private:
  class Writer;
  /// A blob of which all bytes have come.
  struct Arrival {
    BlobId id{};
    std::uint64_t bytes = 0;
    /// Of a small one.
    std::string_view payload{};
    /// Of a large one.
    TemporaryFile* file = nullptr;
  };

  Result<Pin> Keep(const store::OpContext& op, const Arrival& arrival, const PutOptions& options);
  Result<Pin> Mention(Pin pin, const PutOptions& options);
  /// Whether a locked blob is there and its bytes are right. One that is there and is not is
  /// discarded.
  Result<bool> IsThere(const store::OpContext& op, const BlobId& id);

  const Parts parts_;
  const std::shared_ptr<Custody> custody_;
  Suspects& suspects_;
  const Settings settings_;
};

}  // namespace atrium::blobs
