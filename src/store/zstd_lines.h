// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/transfer.h"

struct ZSTD_CCtx_s;  // zstd's contexts, whose header stays out of ours.
struct ZSTD_DCtx_s;

namespace atrium::store {

namespace zstd_internal {
struct ContextDeleter {
  void operator()(ZSTD_CCtx_s* context) const;
  void operator()(ZSTD_DCtx_s* context) const;
};
}  // namespace zstd_internal

/// Compresses lines into one zstd frame with a checksum. After an error it is of no use. One thread
/// at a time.
class ZstdLineWriter {
 public:
  explicit ZstdLineWriter(ByteSink sink);

  /// Whole lines, each with its newline.
  Result<void> Write(std::string_view lines);

  /// Once, at the end: without it the file is cut short, and its reader says so.
  Result<void> Finish();

  /// How many bytes went to the sink so far.
  std::uint64_t CompressedBytes() const { return compressed_bytes_; }

 private:
  Result<void> Flush(std::size_t size);

  ByteSink sink_;
  std::unique_ptr<ZSTD_CCtx_s, zstd_internal::ContextDeleter> context_;
  std::vector<char> out_;
  std::uint64_t compressed_bytes_ = 0;
};

/// Reads lines out of zstd frames, in bounded memory whatever comes in. kInvalidArgument for what
/// is no zstd at all, kCorrupt for a frame that is cut short, altered or needs a window of more
/// than 8 MiB, for a line over the limit and for a last line without its newline. Errors of the
/// source pass through. After an error it is of no use. One thread at a time.
class ZstdLineReader {
 public:
  ZstdLineReader(ByteSource source, std::size_t line_bytes_max);

  /// The next line without its newline, until the next call; nullopt behind the last one.
  Result<std::optional<std::string_view>> Next();

  /// The number of the line that Next() gave last, counted from one.
  std::uint64_t LineNumber() const { return line_number_; }

  /// How many bytes came from the source so far.
  std::uint64_t CompressedBytes() const { return compressed_bytes_; }

 private:
  Result<void> Fill();
  Result<void> Refill();
  Result<void> Decompress();
  std::optional<std::string_view> TakeLine();

  ByteSource source_;
  std::size_t line_bytes_max_;
  std::unique_ptr<ZSTD_DCtx_s, zstd_internal::ContextDeleter> context_;

  // Compressed bytes: in_[in_begin_, in_end_) are not decompressed yet.
  std::vector<char> in_;
  std::size_t in_begin_ = 0;
  std::size_t in_end_ = 0;
  bool at_end_ = false;
  bool seen_frame_ = false;
  bool in_frame_ = false;
  bool withheld_ = false;
  std::uint64_t compressed_bytes_ = 0;

  // Lines: of text_, what is before begin_ was given out, what is before searched_ has no newline.
  std::string text_;
  std::size_t begin_ = 0;
  std::size_t searched_ = 0;
  std::uint64_t line_number_ = 0;
};

}  // namespace atrium::store
