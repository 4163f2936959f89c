// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/picture.h"

#include <cstddef>
#include <cstdlib>
#include <optional>

namespace atrium::identity {
namespace {

using namespace std::string_view_literals;

struct Size {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
};

std::uint32_t ByteAt(std::string_view bytes, std::size_t at) {
  return static_cast<unsigned char>(bytes[at]);
}

/// `count` bytes from `at` on, the greatest first. They must be there.
std::uint32_t BigEndian(std::string_view bytes, std::size_t at, std::size_t count) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < count; ++i) {
    value = value << 8U | ByteAt(bytes, at + i);
  }
  return value;
}

std::uint32_t LittleEndian(std::string_view bytes, std::size_t at, std::size_t count) {
  std::uint32_t value = 0;
  for (std::size_t i = count; i > 0; --i) {
    value = value << 8U | ByteAt(bytes, at + i - 1);
  }
  return value;
}

constexpr std::string_view kPngStart = "\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR"sv;
constexpr std::string_view kJpegStart = "\xFF\xD8\xFF"sv;

/// PNG, section 11.2.1: the first chunk tells the size.
std::optional<Size> SizeOfPng(std::string_view bytes) {
  if (bytes.size() < kPngStart.size() + 8) {
    return std::nullopt;
  }
  return Size{.width = BigEndian(bytes, kPngStart.size(), 4),
              .height = BigEndian(bytes, kPngStart.size() + 4, 4)};
}

/// Start of frame, ITU T.81 table B.1: all of C0 to CF but the three that are tables.
bool BeginsFrame(std::uint32_t marker) {
  return marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
}

/// Segments are FF, a marker, and a length that counts itself; the frame is one of the first.
std::optional<Size> SizeOfJpeg(std::string_view bytes) {
  std::size_t at = 2;
  while (at + 4 <= bytes.size() && ByteAt(bytes, at) == 0xFF) {
    const std::uint32_t marker = ByteAt(bytes, at + 1);
    if (marker == 0xFF) {  // Any number of them may stand before a marker.
      ++at;
      continue;
    }
    const std::uint32_t length = BigEndian(bytes, at + 2, 2);
    if (BeginsFrame(marker)) {
      // Length, precision, height, width.
      return at + 9 <= bytes.size() ? std::optional(Size{.width = BigEndian(bytes, at + 7, 2),
                                                         .height = BigEndian(bytes, at + 5, 2)})
                                    : std::nullopt;
    }
    if (length < 2) {
      return std::nullopt;
    }
    at += 2 + length;
  }
  return std::nullopt;
}

// RFC 9649: "RIFF", four bytes of length, "WEBP", and a first chunk of eight bytes and its content.
constexpr std::size_t kWebpChunk = 12;
constexpr std::size_t kWebpContent = kWebpChunk + 8;

/// With losses: three bytes, a start code, and two sides of 14 bits.
std::optional<Size> SizeOfVp8(std::string_view bytes) {
  if (bytes.size() < kWebpContent + 10 || bytes.substr(kWebpContent + 3, 3) != "\x9D\x01\x2A"sv) {
    return std::nullopt;
  }
  return Size{.width = LittleEndian(bytes, kWebpContent + 6, 2) & 0x3FFFU,
              .height = LittleEndian(bytes, kWebpContent + 8, 2) & 0x3FFFU};
}

/// Without: a start code, then both sides less one, of 14 bits each.
std::optional<Size> SizeOfVp8l(std::string_view bytes) {
  if (bytes.size() < kWebpContent + 5 || ByteAt(bytes, kWebpContent) != 0x2F) {
    return std::nullopt;
  }
  const std::uint32_t bits = LittleEndian(bytes, kWebpContent + 1, 4);
  return Size{.width = (bits & 0x3FFFU) + 1, .height = (bits >> 14U & 0x3FFFU) + 1};
}

/// With more chunks behind: four bytes of flags, then both sides less one, of 24 bits each.
std::optional<Size> SizeOfVp8x(std::string_view bytes) {
  if (bytes.size() < kWebpContent + 10) {
    return std::nullopt;
  }
  return Size{.width = LittleEndian(bytes, kWebpContent + 4, 3) + 1,
              .height = LittleEndian(bytes, kWebpContent + 7, 3) + 1};
}

bool IsWebp(std::string_view bytes) {
  return bytes.starts_with("RIFF") && bytes.size() >= kWebpContent && bytes.substr(8, 4) == "WEBP";
}

std::optional<Size> SizeOfWebp(std::string_view bytes) {
  const std::string_view chunk = bytes.substr(kWebpChunk, 4);
  if (chunk == "VP8 ") {
    return SizeOfVp8(bytes);
  }
  if (chunk == "VP8L") {
    return SizeOfVp8l(bytes);
  }
  return chunk == "VP8X" ? SizeOfVp8x(bytes) : std::nullopt;
}

Result<Picture> Conclude(PictureType type, const std::optional<Size>& size) {
  if (!size || size->width == 0 || size->height == 0) {
    return Fail(ErrorCode::kInvalidArgument, "the picture is damaged or not whole");
  }
  return Picture{.type = type, .width = size->width, .height = size->height};
}

}  // namespace

Result<Picture> ReadPicture(std::string_view bytes) {
  if (bytes.starts_with(kPngStart)) {
    return Conclude(PictureType::kPng, SizeOfPng(bytes));
  }
  if (bytes.starts_with(kJpegStart)) {
    return Conclude(PictureType::kJpeg, SizeOfJpeg(bytes));
  }
  if (IsWebp(bytes)) {
    return Conclude(PictureType::kWebp, SizeOfWebp(bytes));
  }
  return Fail(ErrorCode::kInvalidArgument, "this is no picture of the kinds PNG, JPEG or WebP");
}

std::string_view MediaTypeOf(PictureType type) {
  switch (type) {
    case PictureType::kPng:
      return "image/png";
    case PictureType::kJpeg:
      return "image/jpeg";
    case PictureType::kWebp:
      return "image/webp";
  }
  std::abort();  // Unreachable: -Wswitch keeps the list above complete.
}

}  // namespace atrium::identity
