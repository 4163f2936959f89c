// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "base/memory_budget.h"
#include "base/result.h"

namespace atrium::http {

/// Memory for what a handler makes of a body: of decompressed bytes, of parsed forms. On a worker
/// thread: waits some seconds for others to give back. kUnavailable, which clients see as 503 with
/// Retry-After, when there is none. Everything is taken at once; whoever held a part and waited for
/// the rest would hold up others who do the same.
/// `memory` is that of the request, and may be null: then nothing is counted.
Result<MemoryLease> TakeMemory(MemoryBudget* memory, std::size_t bytes);

/// Memory for bytes of a body that a sink keeps as they arrive: `bytes` more. kUnavailable at once
/// when there is none.
Result<void> GrowMemory(MemoryBudget* memory, MemoryLease& lease, std::size_t bytes);

}  // namespace atrium::http
