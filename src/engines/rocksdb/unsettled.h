// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rocksdb/env.h>

#include <string>

#include "base/result.h"

namespace atrium::rocks {

// A file in the folder of a store says that it may go back, or has gone back, without anybody
// having been told: while a store of relaxed durability is open, and from a salvage on until a new
// epoch has begun. A store that is opened and has it may have lost its last changes.

bool IsUnsettled(rocksdb::Env& env, const std::string& folder);
/// Durable when it returns, as is the next one.
Result<void> MarkUnsettled(rocksdb::Env& env, const std::string& folder);
Result<void> MarkSettled(rocksdb::Env& env, const std::string& folder);

}  // namespace atrium::rocks
