// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>

#include "app/config.h"
#include "base/result.h"
#include "blobs/blobs.h"
#include "blobs/local_blobs.h"
#include "store/ground.h"

namespace atrium::app {

std::filesystem::path BlobFolder(const Config& config);

/// Opens the blobs in the data folder, and makes the folder when it is not there. Rows about blobs
/// that a crash has lost are written again before it returns. `ground` outlives them.
Result<std::unique_ptr<blobs::LocalBlobs>> OpenBlobs(const Config& config,
                                                     const store::Ground& ground);

/// For rooms that only show their routes: nothing is kept, and everything kUnavailable.
std::unique_ptr<blobs::Blobs> MakeNoBlobs();

}  // namespace atrium::app
