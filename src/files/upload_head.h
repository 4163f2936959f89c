// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "files/object_id.h"

namespace atrium::files {

/// Where the content of a file begins that arrives in pieces.
inline constexpr std::uint64_t kUploadContentAt = 4096;

/// With what such a file begins:
///
///   0     8       16         24        40           42      4096
///   magic total   received   library   path length  path    content
struct UploadHead {
  /// How long the file is said to be, and how much of it is durable.
  std::uint64_t total = 0;
  std::uint64_t received = 0;
  LibraryId library{};
  /// Where it goes; the end of one that is too long for the head, after "…". Empty in files of
  /// earlier versions.
  std::string path{};
};

/// nullopt for a file that has no head, as one whose making was cut short. kUnavailable when the
/// disk does not answer.
Result<std::optional<UploadHead>> ReadUploadHead(int file);
Result<void> WriteUploadHead(int file, const UploadHead& head);

/// All of it at that place, and kUnavailable when the disk is full or fails.
Result<void> WriteUploadBytes(int file, std::string_view bytes, std::uint64_t at);
/// False at an end that came too early.
Result<bool> ReadUploadBytes(int file, std::span<char> out, std::uint64_t at);

/// What the system said, in the words of the log.
std::unexpected<Error> UploadDiskFailed(std::string_view doing);

}  // namespace atrium::files
