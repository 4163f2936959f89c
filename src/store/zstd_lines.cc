// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "store/zstd_lines.h"

#include <zstd.h>
#include <zstd_errors.h>

#include <utility>

#include "base/check.h"

namespace atrium::store {
namespace {

constexpr int kLevel = 3;
/// 8 MiB: what `zstd -19` uses, so that people may pack a file more tightly; and the most that a
/// hostile file can make us allocate.
constexpr int kWindowLogMax = 23;

std::unexpected<Error> Damaged(std::uint64_t line, std::size_t code) {
  return Fail(ErrorCode::kCorrupt, "the compressed bytes behind line " + std::to_string(line) +
                                       " are damaged: " + ZSTD_getErrorName(code));
}

}  // namespace

void zstd_internal::ContextDeleter::operator()(ZSTD_CCtx_s* context) const {
  ZSTD_freeCCtx(context);
}

void zstd_internal::ContextDeleter::operator()(ZSTD_DCtx_s* context) const {
  ZSTD_freeDCtx(context);
}

ZstdLineWriter::ZstdLineWriter(ByteSink sink)
    : sink_(std::move(sink)), context_(ZSTD_createCCtx()), out_(ZSTD_CStreamOutSize()) {
  atrium::Check(context_ != nullptr, "zstd has memory for a context");
  atrium::Check(
      !ZSTD_isError(ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, kLevel)) &&
          !ZSTD_isError(ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1)),
      "zstd knows its parameters");
}

Result<void> ZstdLineWriter::Write(std::string_view lines) {
  ZSTD_inBuffer in{.src = lines.data(), .size = lines.size(), .pos = 0};
  while (in.pos < in.size) {
    ZSTD_outBuffer out{.dst = out_.data(), .size = out_.size(), .pos = 0};
    const std::size_t code = ZSTD_compressStream2(context_.get(), &out, &in, ZSTD_e_continue);
    atrium::Check(!ZSTD_isError(code), "zstd compresses any bytes");
    RETURN_IF_ERROR(Flush(out.pos));
  }
  return {};
}

Result<void> ZstdLineWriter::Finish() {
  std::size_t left = 1;
  while (left != 0) {
    ZSTD_inBuffer in{.src = nullptr, .size = 0, .pos = 0};
    ZSTD_outBuffer out{.dst = out_.data(), .size = out_.size(), .pos = 0};
    left = ZSTD_compressStream2(context_.get(), &out, &in, ZSTD_e_end);
    atrium::Check(!ZSTD_isError(left), "zstd compresses any bytes");
    RETURN_IF_ERROR(Flush(out.pos));
  }
  return {};
}

Result<void> ZstdLineWriter::Flush(std::size_t size) {
  if (size == 0) {
    return {};
  }
  compressed_bytes_ += size;
  return sink_(std::string_view(out_.data(), size));
}

ZstdLineReader::ZstdLineReader(ByteSource source, std::size_t line_bytes_max)
    : source_(std::move(source)),
      line_bytes_max_(line_bytes_max),
      context_(ZSTD_createDCtx()),
      in_(ZSTD_DStreamInSize()) {
  atrium::Check(context_ != nullptr, "zstd has memory for a context");
  atrium::Check(
      !ZSTD_isError(ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, kWindowLogMax)),
      "zstd knows its parameters");
}

Result<std::optional<std::string_view>> ZstdLineReader::Next() {
  while (true) {
    if (std::optional<std::string_view> line = TakeLine()) {
      return line;
    }
    const std::size_t unfinished = text_.size() - begin_;
    if (unfinished > line_bytes_max_) {
      return Fail(ErrorCode::kCorrupt, "line " + std::to_string(line_number_ + 1) +
                                           " has more than " + std::to_string(line_bytes_max_) +
                                           " bytes");
    }
    if (at_end_ && in_begin_ == in_end_) {
      if (unfinished != 0) {
        return Fail(ErrorCode::kCorrupt,
                    "the file ends within line " + std::to_string(line_number_ + 1));
      }
      return std::nullopt;
    }
    RETURN_IF_ERROR(Fill());
  }
}

std::optional<std::string_view> ZstdLineReader::TakeLine() {
  const std::size_t end = text_.find('\n', searched_);
  if (end == std::string::npos) {
    searched_ = text_.size();
    return std::nullopt;
  }
  const std::size_t begin = std::exchange(begin_, end + 1);
  searched_ = begin_;
  if (end - begin > line_bytes_max_) {
    begin_ = begin;  // Next() refuses it.
    return std::nullopt;
  }
  ++line_number_;
  return std::string_view(text_).substr(begin, end - begin);
}

Result<void> ZstdLineReader::Fill() {
  text_.erase(0, begin_);
  searched_ -= begin_;
  begin_ = 0;
  if (in_begin_ == in_end_ && !withheld_) {
    RETURN_IF_ERROR(Refill());
  }
  return Decompress();
}

Result<void> ZstdLineReader::Refill() {
  ASSIGN_OR_RETURN(in_end_, source_(in_));
  atrium::Check(in_end_ <= in_.size(), "a source stays within its buffer");
  in_begin_ = 0;
  compressed_bytes_ += in_end_;
  at_end_ = in_end_ == 0;
  if (at_end_ && in_frame_) {
    return Fail(ErrorCode::kCorrupt,
                "the file is cut short behind line " + std::to_string(line_number_));
  }
  return {};
}

Result<void> ZstdLineReader::Decompress() {
  const std::size_t before = text_.size();
  text_.resize(before + ZSTD_DStreamOutSize());
  ZSTD_inBuffer in{.src = in_.data(), .size = in_end_, .pos = in_begin_};
  ZSTD_outBuffer out{.dst = text_.data() + before, .size = text_.size() - before, .pos = 0};
  std::size_t code = 0;
  if (in.pos < in.size || in_frame_) {
    code = ZSTD_decompressStream(context_.get(), &out, &in);
  }
  text_.resize(before + out.pos);
  if (ZSTD_isError(code)) {
    return ZSTD_getErrorCode(code) == ZSTD_error_prefix_unknown && !seen_frame_
               ? Fail(ErrorCode::kInvalidArgument, "these bytes are not compressed with zstd")
               : Damaged(line_number_, code);
  }
  in_begin_ = in.pos;
  in_frame_ = code != 0;
  seen_frame_ = true;
  // A full buffer may have left some behind in the decoder, which asks for no more input then.
  withheld_ = in_frame_ && out.pos == out.size;
  return {};
}

}  // namespace atrium::store
