// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "icalendar/quote.h"

#include <cstddef>
#include <string>
#include <string_view>

#include "base/utf8.h"

namespace atrium::icalendar {
namespace {

constexpr std::size_t kShownBytesMax = 60;

bool IsControl(std::string_view character) {
  return static_cast<unsigned char>(character.front()) < 0x20 || character.front() == 0x7F;
}

}  // namespace

std::string Shown(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    if (shown.size() >= kShownBytesMax) {
      return shown + "…";
    }
    const Utf8Step step = NextUtf8(text);
    const std::string_view character = text.substr(0, step.bytes);
    shown += step.valid && !IsControl(character) ? character : "?";
    text.remove_prefix(step.bytes);
  }
  return shown;
}

}  // namespace atrium::icalendar
