// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/rocksdb/upkeep.h"

#include <rocksdb/metadata.h>
#include <rocksdb/utilities/checkpoint.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <system_error>
#include <vector>

#include "base/log.h"
#include "engines/rocksdb/status.h"

namespace atrium::rocks {
namespace {

/// A log longer than this is not left to the next opening.
constexpr std::uint64_t kLogBytesLeft = std::uint64_t{4} << 20;
/// How many steps a compaction shows, about.
constexpr std::uint64_t kSlices = 32;

/// A part of the key space; it ends with `last`, and begins behind the slice before it.
struct Slice {
  std::string last;
  std::uint64_t bytes = 0;
};

/// Parts of about equal size, cut where files of the largest level end, so that few files are
/// rewritten for two of them.
std::vector<Slice> CutIntoSlices(rocksdb::DB& db) {
  std::vector<rocksdb::LiveFileMetaData> files;
  db.GetLiveFilesMetaData(&files);
  int deepest = 0;
  std::uint64_t total = 0;
  for (const auto& file : files) {
    deepest = std::max(deepest, file.level);
    total += file.size;
  }
  std::erase_if(files, [&](const auto& file) { return file.level != deepest || deepest == 0; });
  std::ranges::sort(files, {}, &rocksdb::LiveFileMetaData::smallestkey);
  std::vector<Slice> slices(1);
  for (const auto& file : files) {
    slices.back().bytes += file.size;
    slices.back().last = file.largestkey;
    if (slices.back().bytes >= total / kSlices) {
      slices.emplace_back();
    }
  }
  // The last one ends where the keys end.
  slices.back().last.clear();
  return slices;
}

}  // namespace

Result<void> MakeCheckpoint(Database& database, const std::string& folder) {
  std::error_code failed;
  if (std::filesystem::exists(folder, failed)) {
    return Fail(ErrorCode::kAlreadyExists, folder + " exists already");
  }
  rocksdb::Checkpoint* made = nullptr;
  RETURN_IF_ERROR(
      ToResult(rocksdb::Checkpoint::Create(database.db.get(), &made), "begin a checkpoint"));
  const std::unique_ptr<rocksdb::Checkpoint> checkpoint(made);
  return ToResult(checkpoint->CreateCheckpoint(folder), "make a checkpoint in " + folder);
}

Result<void> CompactAll(Database& database, const Progress& progress) {
  RETURN_IF_ERROR(ToResult(database.db->Flush(rocksdb::FlushOptions()), "flush"));
  const std::vector<Slice> slices = CutIntoSlices(*database.db);
  std::uint64_t total = 0;
  for (const Slice& slice : slices) {
    total += slice.bytes;
  }
  rocksdb::CompactRangeOptions options;
  options.exclusive_manual_compaction = false;
  options.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForceOptimized;
  std::uint64_t done = 0;
  for (std::size_t i = 0; i < slices.size(); ++i) {
    const rocksdb::Slice first(i == 0 ? std::string_view() : slices[i - 1].last);
    const rocksdb::Slice last(slices[i].last);
    RETURN_IF_ERROR(ToResult(database.db->CompactRange(options, i == 0 ? nullptr : &first,
                                                       slices[i].last.empty() ? nullptr : &last),
                             "compact"));
    done += slices[i].bytes;
    if (progress) {
      progress(done, total);
    }
  }
  return {};
}

void ShortenLog(Database& database) {
  rocksdb::DB& db = *database.db;
  std::uint64_t waiting = 0;
  db.GetIntProperty(rocksdb::DB::Properties::kCurSizeAllMemTables, &waiting);
  if (waiting <= kLogBytesLeft) {
    return;
  }
  if (const rocksdb::Status status = db.Flush(rocksdb::FlushOptions()); !status.ok()) {
    // The log is still there, and is read when the store is opened.
    log::Error("the log of the store was not shortened", {{"detail", status.ToString()}});
  }
}

}  // namespace atrium::rocks
