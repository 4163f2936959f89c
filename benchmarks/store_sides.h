// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "store_timing.h"

/// The sides of the benchmark. All get the same task, and each says what it measured. Reading sides
/// read what a filling side has put into the folder; committing sides begin with an empty one.
namespace atrium::bench {

// The store as rooms use it: limits, metrics and typed collections, on the RocksDB engine.
Figures OursFill(const Task& task);
/// The same, but ends without closing, as a process that is killed.
Figures OursFillAndDie(const Task& task);
Figures OursOpen(const Task& task);
/// Waits until nothing is being rewritten any more.
Figures OursSettle(const Task& task);
Figures OursGet(const Task& task);
Figures OursScan(const Task& task);
Figures OursCommit(const Task& task);

// RocksDB itself, tuned alike, on the files of the store.
Figures RawGet(const Task& task);
Figures RawScan(const Task& task);
Figures RawCommit(const Task& task);
/// Appends 512 bytes to a file and syncs it.
Figures RawSync(const Task& task);

// SQLite, WAL, synchronous=FULL.
Figures SqliteFill(const Task& task);
Figures SqliteScan(const Task& task);
Figures SqliteCommit(const Task& task);

}  // namespace atrium::bench
