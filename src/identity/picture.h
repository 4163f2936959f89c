// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/describe/enum.hpp>
#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace atrium::identity {

/// The kinds of pictures that every browser shows and that hold nothing but pixels.
enum class PictureType : std::uint8_t { kPng, kJpeg, kWebp };
BOOST_DESCRIBE_ENUM(PictureType, kPng, kJpeg, kWebp)

/// What a picture says of itself before its pixels begin.
struct Picture {
  PictureType type = PictureType::kPng;
  std::uint32_t width = 0;
  std::uint32_t height = 0;

  friend bool operator==(const Picture&, const Picture&) = default;
};

/// By the bytes alone: what a client calls them is no evidence. Both sides are at least one pixel.
/// kInvalidArgument for anything else than these three kinds, and for one that ends too early.
Result<Picture> ReadPicture(std::string_view bytes);

/// "image/png"; a literal.
std::string_view MediaTypeOf(PictureType type);

}  // namespace atrium::identity
