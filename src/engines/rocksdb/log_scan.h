// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace atrium::rocks {

/// The bytes that every batch has first in the log, and that no row comes of: up to which sequence
/// number all was synced when the batch was written.
std::string EncodeSyncedMark(std::uint64_t sequence);

/// A place in a write-ahead log where there is no record, and where it should not end.
struct LogFlaw {
  std::string file{};
  std::uint64_t offset = 0;
  /// It looks like bytes that never reached the disk: zeros, or the end of the file.
  bool torn = false;
};

/// Sequence numbers that no record has, between two that follow each other: a log file is gone.
struct LogGap {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

/// Reads write-ahead logs without RocksDB, also behind a flaw, to find out what was once on the
/// disk. Logs are read in the order of their numbers, each in blocks of kBlockBytes; the last one
/// of a file may be shorter.
///
/// RocksDB stops at the first flaw and takes it for the end. Whether acknowledged changes stood
/// behind it, only the marks of whole records behind it can tell: a loss of power may leave such
/// records too, but none that says that the flaw was synced.
class LogScan {
 public:
  static constexpr std::size_t kBlockBytes = 32768;

  void BeginFile(std::string name);
  void AddBlock(std::string_view block);
  void EndFile();

  /// The first one.
  const std::optional<LogFlaw>& Flaw() const { return flaw_; }
  /// Whether another record begins behind it.
  bool GoesOnBehindFlaw() const { return goes_on_; }
  /// The first one without a flaw before it.
  const std::optional<LogGap>& Gap() const { return gap_; }
  /// Whether RocksDB may find less than was written: a flaw, or numbers that do not follow.
  bool IsSuspect() const { return flaw_.has_value() || in_doubt_; }
  /// The highest sequence number that a whole record says was synced.
  std::uint64_t Synced() const { return synced_; }

 private:
  void NoteRecord(std::string_view payload);
  void NoteNumbers(std::uint64_t sequence);
  void NoteFlaw(std::uint64_t offset, bool torn);
  /// Something stands behind zeros: they were not the end.
  void NoteEndOfZeros();

  std::string file_;
  std::uint64_t offset_ = 0;
  /// Where zeros began that last until now.
  std::optional<std::uint64_t> zeros_from_;
  std::optional<std::uint64_t> next_sequence_;
  std::optional<LogFlaw> flaw_;
  bool goes_on_ = false;
  std::optional<LogGap> gap_;
  bool in_doubt_ = false;
  std::uint64_t synced_ = 0;
};

}  // namespace atrium::rocks
