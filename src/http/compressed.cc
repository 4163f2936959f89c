// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/compressed.h"

#include <zlib.h>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "http/encoding_choice.h"

namespace atrium::http {
namespace {

/// What is shorter fits into one packet anyway.
constexpr std::size_t kBytesMin = 1400;
/// zlib takes lengths of 32 bits, and nobody should wait for longer texts.
constexpr std::size_t kBytesMax = std::size_t{64} << 20;
/// Fifteen bits of window, and sixteen says gzip instead of zlib.
constexpr int kGzipWindow = 15 + 16;
constexpr int kMemoryLevel = 8;

bool TakesGzip(const Request& request) {
  constexpr std::array kForms{ContentEncoding::kGzip, ContentEncoding::kIdentity};
  return ChooseEncoding(request.headers.Find("Accept-Encoding"), kForms) == ContentEncoding::kGzip;
}

/// nullopt when there is no memory for it.
std::optional<std::string> Gzip(std::string_view text) {
  z_stream stream{};
  // The quickest level: it runs while others wait, and lists are mostly repetition.
  if (deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, kGzipWindow, kMemoryLevel,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    return std::nullopt;
  }
  std::string out(deflateBound(&stream, static_cast<uLong>(text.size())), '\0');
  // zlib does not write to what it reads, but has no const.
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast)
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int outcome = deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return outcome == Z_STREAM_END ? std::optional(std::move(out)) : std::nullopt;
}

}  // namespace

bool IsQuicklyCompressed(std::size_t bytes, const Request& request) {
  return bytes <= kQuicklyCompressedBytes || bytes > kBytesMax || !TakesGzip(request);
}

Reply Compressed(Reply reply, const Request& request) {
  auto* text = std::get_if<std::string>(&reply.body);
  if (text == nullptr || text->size() < kBytesMin || text->size() > kBytesMax) {
    return reply;
  }
  reply.headers.emplace_back("Vary", "Accept-Encoding");
  if (!TakesGzip(request)) {
    return reply;
  }
  if (std::optional<std::string> shorter = Gzip(*text)) {
    *text = *std::move(shorter);
    reply.headers.emplace_back("Content-Encoding", std::string(Name(ContentEncoding::kGzip)));
  }
  return reply;
}

}  // namespace atrium::http
