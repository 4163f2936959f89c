// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "blobs/appender.h"
#include "blobs/blob_locks.h"
#include "blobs/blobs.h"
#include "blobs/pack_book.h"
#include "store/engine.h"

namespace atrium::blobs {

/// What pins hold on to; lives as long as the last of them.
struct Custody {
  explicit Custody(store::Engine& engine) : book(engine) {}

  BlobLocks locks;
  PackBook book;
};

/// Takes over a pin that `custody->locks` has, and the note that was written for it, if there was
/// one.
Pin MakePin(std::shared_ptr<Custody> custody, const BlobId& id, std::uint64_t bytes,
            std::optional<Appender::Position> noted);

}  // namespace atrium::blobs
