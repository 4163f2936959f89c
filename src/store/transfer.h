// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "base/result.h"

namespace atrium::store {

/// Takes bytes in order. An error stops whoever writes.
using ByteSink = std::function<Result<void>(std::string_view)>;

/// Fills the front of a buffer that is not empty, and says how much of it; zero at the end.
using ByteSource = std::function<Result<std::size_t>(std::span<char>)>;

/// How far an export or an import has come.
struct TransferProgress {
  /// The table at work. A view that dies with the call.
  std::string_view table{};
  std::uint64_t rows = 0;
  /// Bytes of the file written or read, compressed.
  std::uint64_t file_bytes = 0;
};

/// Called about once in kProgressRows rows, and at the end. May be empty.
using ProgressSink = std::function<void(const TransferProgress&)>;
inline constexpr std::uint64_t kProgressRows = 10'000;

}  // namespace atrium::store
