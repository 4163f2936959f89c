// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/upload_head.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>

#include "base/bytes.h"

namespace atrium::files {
namespace {

constexpr std::uint64_t kMagic = 0x31'74'72'61'70'72'74'61;  // "atrpart1"

struct FixedHead {
  std::uint64_t magic = kMagic;
  std::uint64_t total = 0;
  std::uint64_t received = 0;
  std::array<std::byte, 16> library{};
};
constexpr std::size_t kPathLengthAt = sizeof(FixedHead);
constexpr std::size_t kPathAt = kPathLengthAt + sizeof(std::uint16_t);
constexpr std::size_t kPathBytesKept = kUploadContentAt - kPathAt;
constexpr std::string_view kCut = "…";

using HeadBytes = std::array<char, kUploadContentAt>;

/// From the beginning of a character on.
std::string EndOf(const std::string& path) {
  if (path.size() <= kPathBytesKept) {
    return path;
  }
  std::string_view end = std::string_view(path).substr(path.size() - kPathBytesKept + kCut.size());
  while (!end.empty() && (static_cast<unsigned char>(end.front()) & 0xC0U) == 0x80U) {
    end.remove_prefix(1);
  }
  return std::string(kCut).append(end);
}

}  // namespace

std::unexpected<Error> UploadDiskFailed(std::string_view doing) {
  return FailPrivately(ErrorCode::kUnavailable, std::string("cannot ")
                                                    .append(doing)
                                                    .append(" a partial upload: ")
                                                    .append(std::strerror(errno)));
}

Result<void> WriteUploadBytes(int file, std::string_view bytes, std::uint64_t at) {
  while (!bytes.empty()) {
    const ssize_t put = ::pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (put < 0 && errno == EINTR) {
      continue;
    }
    if (put < 0) {
      return UploadDiskFailed("write");
    }
    bytes.remove_prefix(static_cast<std::size_t>(put));
    at += static_cast<std::uint64_t>(put);
  }
  return {};
}

Result<bool> ReadUploadBytes(int file, std::span<char> out, std::uint64_t at) {
  while (!out.empty()) {
    const ssize_t got = ::pread(file, out.data(), out.size(), static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      return UploadDiskFailed("read");
    }
    if (got == 0) {
      return false;
    }
    out = out.subspan(static_cast<std::size_t>(got));
    at += static_cast<std::uint64_t>(got);
  }
  return true;
}

Result<std::optional<UploadHead>> ReadUploadHead(int file) {
  HeadBytes bytes{};
  ASSIGN_OR_RETURN(const bool whole, ReadUploadBytes(file, bytes, 0));
  std::array<char, sizeof(FixedHead)> fixed_bytes{};
  std::copy_n(bytes.begin(), fixed_bytes.size(), fixed_bytes.begin());
  const auto fixed = std::bit_cast<FixedHead>(fixed_bytes);
  std::uint16_t length = 0;
  std::memcpy(&length, &bytes[kPathLengthAt], sizeof(length));
  if (!whole || fixed.magic != kMagic || fixed.received > fixed.total || length > kPathBytesKept) {
    return std::nullopt;
  }
  UploadHead head{.total = fixed.total,
                  .received = fixed.received,
                  .path = std::string(bytes.data() + kPathAt, length)};
  Uuid library;
  library.bytes = fixed.library;
  head.library = LibraryId(library);
  return std::optional(std::move(head));
}

Result<void> WriteUploadHead(int file, const UploadHead& head) {
  FixedHead fixed{.total = head.total, .received = head.received};
  fixed.library = head.library.value().bytes;
  const auto fixed_bytes = std::bit_cast<std::array<char, sizeof(FixedHead)>>(fixed);
  HeadBytes bytes{};
  std::ranges::copy(fixed_bytes, bytes.begin());
  const std::string path = EndOf(head.path);
  const auto length = static_cast<std::uint16_t>(path.size());
  std::memcpy(&bytes[kPathLengthAt], &length, sizeof(length));
  std::ranges::copy(path, bytes.begin() + kPathAt);
  return WriteUploadBytes(file, {bytes.data(), bytes.size()}, 0);
}

}  // namespace atrium::files
