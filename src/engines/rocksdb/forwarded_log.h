// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rocksdb/env.h>

#include <memory>

namespace atrium::rocks {

/// What RocksDB has to say, from warnings on, in the log of the server.
///
/// Not in a file of its own beside the tables: when the disk is full that file fails too, and
/// Debian's RocksDB ends the process when it is written to afterwards.
std::shared_ptr<rocksdb::Logger> MakeForwardedLog();

}  // namespace atrium::rocks
