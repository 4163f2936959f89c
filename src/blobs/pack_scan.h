// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "blobs/pack_file.h"
#include "blobs/pack_format.h"

namespace atrium::blobs {

/// A record as a scan meets it. The views die with the next step.
struct ScannedRecord {
  RecordHead head{};
  std::uint64_t at = 0;
  std::string_view payload{};
  std::string_view note{};
  /// Payload and note are what the head says.
  bool sound = true;
};

/// Reads the records of a pack, one after the other. Those that are not sound are shown as such;
/// what is no record is passed over, so that damage costs no more than what it hit.
class PackScan {
 public:
  enum class Payloads : std::uint8_t { kRead, kSkip };
  struct Options {
    std::uint64_t from = kHeadBytes;
    std::uint64_t before = 0;
    /// Payloads that are not read are not looked at either.
    Payloads payloads = Payloads::kRead;
  };

  /// `pack` outlives it.
  PackScan(const PackFile& pack, const Options& options)
      : pack_(pack), options_(options), at_(options.from) {}

  /// nullopt at the end.
  Result<std::optional<ScannedRecord>> Next();

  std::uint64_t Pack() const { return pack_.head.number; }
  /// Something was passed over that is no record.
  bool PassedOver() const { return passed_over_; }

 private:
  Result<std::optional<ScannedRecord>> TryRecord();
  Result<bool> FindNext();
  /// The bytes from there on, as many as wanted or as there are.
  Result<std::string_view> View(std::uint64_t at, std::size_t bytes);

  const PackFile& pack_;
  const Options options_;
  std::uint64_t at_;
  bool passed_over_ = false;
  std::string window_{};
  std::uint64_t window_at_ = 0;
};

/// Whether a file has nothing but zeros from there on.
Result<bool> EndsInZeros(int file, std::uint64_t from);

}  // namespace atrium::blobs
