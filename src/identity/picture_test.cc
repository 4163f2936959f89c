// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/picture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/testing.h"

namespace atrium::identity {
namespace {

using namespace std::string_literals;

const std::string png = "\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR\0\0\1\0\0\0\0\x80\x08\x02\0\0\0"s;
const std::string jpeg =
    "\xFF\xD8\xFF\xE0\0\x10JFIF\0\1\1\0\0\1\0\1\0\0\xFF\xFF\xC2\0\x11\x08\0\x80\1\0\3"s;
const std::string lossy = "RIFF\x24\0\0\0WEBPVP8 \x18\0\0\0\x30\1\0\x9D\1\x2A\0\x41\x80\0\2\0"s;
const std::string lossless = "RIFF\x24\0\0\0WEBPVP8L\x18\0\0\0\x2F\xFF\xC0\x1F\0\0"s;
const std::string extended = "RIFF\x24\0\0\0WEBPVP8X\x0A\0\0\0\x10\0\0\0\xFF\0\0\x7F\0\0"s;

TEST(PictureTest, AllKindsTellTheirSize) {
  EXPECT_THAT(ReadPicture(png), Holds(Picture{PictureType::kPng, 256, 128}));
  EXPECT_THAT(ReadPicture(jpeg), Holds(Picture{PictureType::kJpeg, 256, 128}));
  // The upper two bits of each side say how to scale it, and are not part of it.
  EXPECT_THAT(ReadPicture(lossy), Holds(Picture{PictureType::kWebp, 256, 128}));
  EXPECT_THAT(ReadPicture(lossless), Holds(Picture{PictureType::kWebp, 256, 128}));
  EXPECT_THAT(ReadPicture(extended), Holds(Picture{PictureType::kWebp, 256, 128}));
}

TEST(PictureTest, WhatIsCutOffIsRefused) {
  for (const std::string& whole : {png, jpeg, lossy, lossless, extended}) {
    ASSERT_THAT(ReadPicture(whole), IsOk());
    // What follows the size does not matter here; the shortest of them ends with it.
    for (std::size_t length = 0; length + 8 < whole.size(); ++length) {
      EXPECT_THAT(ReadPicture(whole.substr(0, length)), FailsWith(ErrorCode::kInvalidArgument))
          << length << " of " << whole.size();
    }
  }
}

TEST(PictureTest, OtherThingsAreRefused) {
  for (const std::string& text : {""s, "<svg xmlns=\"http://www.w3.org/2000/svg\"/>"s, "GIF89a"s,
                                  "RIFF\x24\0\0\0WAVEfmt \x18\0\0\0"s,
                                  "RIFF\x24\0\0\0WEBPJUNK\x18\0\0\0\0\0\0\0\0\0\0\0\0\0"s}) {
    EXPECT_THAT(ReadPicture(text), FailsWith(ErrorCode::kInvalidArgument)) << text;
  }
}

TEST(PictureTest, APictureWithoutPixelsIsRefused) {
  std::string flat = png;
  flat[18] = '\0';
  EXPECT_THAT(ReadPicture(flat), FailsWith(ErrorCode::kInvalidArgument));
}

TEST(PictureTest, SegmentsThatLeadNowhereEnd) {
  EXPECT_THAT(ReadPicture("\xFF\xD8\xFF\xE0\0\0\0\0\0\0\0"s),
              FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(ReadPicture("\xFF\xD8\xFF\xE0\xFF\xFF"s), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(ReadPicture("\xFF\xD8"s + std::string(1000, '\xFF')),
              FailsWith(ErrorCode::kInvalidArgument));
}

TEST(PictureTest, EachKindHasItsMediaType) {
  EXPECT_EQ(MediaTypeOf(PictureType::kPng), "image/png");
  EXPECT_EQ(MediaTypeOf(PictureType::kJpeg), "image/jpeg");
  EXPECT_EQ(MediaTypeOf(PictureType::kWebp), "image/webp");
}

}  // namespace
}  // namespace atrium::identity
