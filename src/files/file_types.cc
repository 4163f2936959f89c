// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/file_types.h"

#include <algorithm>
#include <array>
#include <utility>

#include "files/names.h"
#include "http/percent.h"

namespace atrium::files {
namespace {

constexpr std::size_t kExtensionBytesMax = 8;

using Row = std::pair<std::string_view, FileType>;

constexpr FileType Shown(std::string_view media_type) {
  return {.media_type = media_type, .is_harmless = true};
}
constexpr FileType Kept(std::string_view media_type) {
  return {.media_type = media_type};
}

/// In order of the extension.
constexpr auto kTypes = std::to_array<Row>({
    {"7z", Kept("application/x-7z-compressed")},
    {"aac", Shown("audio/aac")},
    {"avi", Kept("video/x-msvideo")},
    {"avif", Shown("image/avif")},
    {"bmp", Shown("image/bmp")},
    {"csv", Shown("text/plain; charset=utf-8")},
    {"doc", Kept("application/msword")},
    {"docx", Kept("application/vnd.openxmlformats-officedocument.wordprocessingml.document")},
    {"epub", Kept("application/epub+zip")},
    {"flac", Shown("audio/flac")},
    {"gif", Shown("image/gif")},
    {"gz", Kept("application/gzip")},
    {"heic", Shown("image/heic")},
    {"ico", Shown("image/x-icon")},
    {"jpeg", Shown("image/jpeg")},
    {"jpg", Shown("image/jpeg")},
    {"json", Shown("text/plain; charset=utf-8")},
    {"log", Shown("text/plain; charset=utf-8")},
    {"m4a", Shown("audio/mp4")},
    {"m4v", Shown("video/mp4")},
    {"md", Shown("text/plain; charset=utf-8")},
    {"mkv", Kept("video/x-matroska")},
    {"mov", Shown("video/quicktime")},
    {"mp3", Shown("audio/mpeg")},
    {"mp4", Shown("video/mp4")},
    {"odp", Kept("application/vnd.oasis.opendocument.presentation")},
    {"ods", Kept("application/vnd.oasis.opendocument.spreadsheet")},
    {"odt", Kept("application/vnd.oasis.opendocument.text")},
    {"ogg", Shown("audio/ogg")},
    {"opus", Shown("audio/ogg")},
    {"pdf", Shown("application/pdf")},
    {"png", Shown("image/png")},
    {"ppt", Kept("application/vnd.ms-powerpoint")},
    {"pptx", Kept("application/vnd.openxmlformats-officedocument.presentationml.presentation")},
    {"rtf", Kept("application/rtf")},
    {"tar", Kept("application/x-tar")},
    {"tif", Shown("image/tiff")},
    {"tiff", Shown("image/tiff")},
    {"txt", Shown("text/plain; charset=utf-8")},
    {"wav", Shown("audio/wav")},
    {"webm", Shown("video/webm")},
    {"webp", Shown("image/webp")},
    {"xls", Kept("application/vnd.ms-excel")},
    {"xlsx", Kept("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")},
    {"yaml", Shown("text/plain; charset=utf-8")},
    {"yml", Shown("text/plain; charset=utf-8")},
    {"zip", Kept("application/zip")},
});
static_assert(std::ranges::is_sorted(kTypes, {}, &Row::first));

char LowerCase(char c) {
  return 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool IsPlain(char c) {
  return ' ' <= c && c <= '~' && c != '"' && c != '\\' && c != '%';
}

}  // namespace

FileType TypeOf(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || name.size() - dot - 1 > kExtensionBytesMax) {
    return {};
  }
  std::string extension(name.substr(dot + 1));
  std::ranges::transform(extension, extension.begin(), LowerCase);
  const auto* found = std::ranges::lower_bound(kTypes, extension, {}, &Row::first);
  return found != kTypes.end() && found->first == extension ? found->second : FileType();
}

std::string DispositionOf(std::string_view full_name, bool is_shown) {
  const std::string name = WithoutControls(full_name, '_');
  std::string plain(name);
  std::ranges::replace_if(plain, [](char c) { return !IsPlain(c); }, '_');
  return std::string(is_shown ? "inline" : "attachment") + "; filename=\"" + plain +
         "\"; filename*=UTF-8''" + http::PercentEncode(name);
}

}  // namespace atrium::files
