// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/rocksdb/log_check.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

#include "engines/rocksdb/log_scan.h"
#include "engines/rocksdb/status.h"
#include "engines/rocksdb/zeroed_log.h"

namespace atrium::rocks {
namespace {

/// Names of equal length are in the order of their numbers; later ones are longer.
std::vector<std::string> LogsIn(const Database& database) {
  std::vector<std::string> names;
  database.env->GetChildren(database.path, &names).PermitUncheckedError();
  std::erase_if(names, [](const std::string& name) { return !IsWriteAheadLog(name); });
  std::ranges::sort(names, {}, [](const std::string& name) {
    return std::pair<std::size_t, std::string>(name.size(), name);
  });
  return names;
}

Result<void> ScanLog(const Database& database, const std::string& name, LogScan& scan) {
  const std::string doing = "read the log " + name;
  std::unique_ptr<rocksdb::SequentialFile> file;
  RETURN_IF_ERROR(ToResult(
      database.env->NewSequentialFile(database.path + "/" + name, &file, rocksdb::EnvOptions()),
      doing));
  std::string buffer(LogScan::kBlockBytes, '\0');
  rocksdb::Slice block;
  scan.BeginFile(name);
  do {
    RETURN_IF_ERROR(ToResult(file->Read(buffer.size(), &block, buffer.data()), doing));
    scan.AddBlock(block.ToStringView());
  } while (block.size() == LogScan::kBlockBytes);
  scan.EndFile();
  return {};
}

/// How far RocksDB gets; nullopt when it does not even open the store, which says more by itself.
std::optional<std::uint64_t> LastReadable(const Database& database) {
  rocksdb::DB* opened = nullptr;
  const rocksdb::Status status =
      rocksdb::DB::OpenForReadOnly(database.tuned, database.path, &opened);
  const std::unique_ptr<rocksdb::DB> db(opened);
  return status.ok() ? std::optional(db->GetLatestSequenceNumber()) : std::nullopt;
}

}  // namespace

Result<std::optional<LogDamage>> FindLogDamage(const Database& database) {
  LogScan scan;
  for (const std::string& name : LogsIn(database)) {
    RETURN_IF_ERROR(ScanLog(database, name, scan));
  }
  if (!scan.IsSuspect()) {
    return std::nullopt;
  }
  // RocksDB would go on behind it, as if nothing had been there.
  if (scan.Gap() && scan.Gap()->first <= scan.Synced()) {
    return LogDamage{.rows = scan.Gap()->count};
  }
  const std::optional<std::uint64_t> last = LastReadable(database);
  if (!last) {
    return std::nullopt;
  }
  const LogFlaw flaw = scan.Flaw().value_or(LogFlaw{.torn = true});
  if (*last < scan.Synced()) {
    return LogDamage{.file = flaw.file, .offset = flaw.offset, .rows = scan.Synced() - *last};
  }
  // The very last record: nothing behind it vouches for it, but it does not look torn.
  if (!flaw.torn && !scan.GoesOnBehindFlaw()) {
    return LogDamage{.file = flaw.file, .offset = flaw.offset};
  }
  return std::nullopt;
}

Error ToError(const Database& database, const LogDamage& damage) {
  std::string text = "the log of the store in " + database.path + " is damaged";
  text += damage.file.empty()
              ? " (a file is missing)"
              : " (" + damage.file + ", byte " + std::to_string(damage.offset) + ")";
  text += damage.rows > 0
              ? ": at least " + std::to_string(damage.rows) + " rows that were saved cannot be read"
              : ": what was saved last cannot be read";
  text +=
      "; restore a backup (atrium store restore --replace), or go on without what cannot be "
      "read (atrium store salvage)";
  return {.code = ErrorCode::kCorrupt,
          .detail = text,
          .client_message = text,
          .where = std::source_location::current()};
}

}  // namespace atrium::rocks
