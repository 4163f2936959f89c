// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "icalendar/participant.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace atrium::icalendar {
namespace {

bool MayBeInAddress(char c) {
  constexpr std::string_view kForbidden = " \t\"(),:;<>\\?[]";
  return static_cast<unsigned char>(c) >= 0x20 && c != 0x7f &&
         kForbidden.find(c) == std::string_view::npos;
}

}  // namespace

bool IsMailAddress(std::string_view text) {
  const std::size_t at = text.find('@');
  return at != std::string_view::npos && at > 0 && at + 1 < text.size() &&
         text.find('@', at + 1) == std::string_view::npos &&
         std::ranges::all_of(text, MayBeInAddress);
}

}  // namespace atrium::icalendar
