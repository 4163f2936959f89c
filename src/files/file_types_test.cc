// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/file_types.h"

#include <gtest/gtest.h>

#include <string_view>

namespace atrium::files {
namespace {

TEST(FileTypesTest, WhatCouldRunInABrowserIsPlainBytes) {
  for (const std::string_view name :
       {"a.html", "a.HTM", "a.svg", "a.xml", "a.xhtml", "a.js", "a.mjs", "a.css", "a.wasm", "html",
        "a.", "", ".html", "a.unknown"}) {
    EXPECT_EQ(TypeOf(name).media_type, "application/octet-stream") << name;
    EXPECT_FALSE(TypeOf(name).is_harmless) << name;
  }
}

TEST(FileTypesTest, PicturesAndTextsAreShown) {
  for (const std::string_view name : {"a.png", "A.JPG", "b.pdf", "c.txt", "d.mp4", ".md"}) {
    EXPECT_TRUE(TypeOf(name).is_harmless) << name;
  }
  EXPECT_EQ(TypeOf("a.md").media_type, "text/plain; charset=utf-8");
  EXPECT_FALSE(TypeOf("a.docx").is_harmless);
}

TEST(FileTypesTest, ADispositionIsAHeaderWhateverTheNameHolds) {
  EXPECT_EQ(DispositionOf("a b.txt", true),
            R"(inline; filename="a b.txt"; filename*=UTF-8''a%20b.txt)");
  EXPECT_EQ(DispositionOf("\"\r\nX: y\x7f", false),
            R"(attachment; filename="___X: y_"; filename*=UTF-8''%22__X%3A%20y_)");
  EXPECT_EQ(DispositionOf("ä", false), R"(attachment; filename="__"; filename*=UTF-8''%C3%A4)");
}

}  // namespace
}  // namespace atrium::files
