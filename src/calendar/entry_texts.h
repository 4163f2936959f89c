// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

#include "base/result.h"
#include "calendar/records.h"

namespace atrium::calendar {

// What the words of an entry may be, and the people in it. No store, no clock.

inline constexpr std::size_t kTitleLength = 200;
inline constexpr std::size_t kLocationLength = 500;
inline constexpr std::size_t kDescriptionBytes = std::size_t{16} << 10;
inline constexpr std::size_t kUrlBytes = 2000;
inline constexpr std::size_t kUidBytes = 1000;
inline constexpr std::size_t kAttendees = 200;
inline constexpr std::size_t kPersonNameLength = 200;
inline constexpr std::size_t kPersonAddressBytes = 500;

/// A text of one line, 1 to `longest` characters. kInvalidArgument "<field>: …".
Result<void> CheckLine(std::string_view field, std::string_view text, std::size_t longest);
/// "#3B82F6", in either case.
Result<void> CheckColor(std::string_view text);

/// An address that a page may lead to: http or https, with a host, of one line, without blanks.
Result<void> CheckUrl(std::string_view text);

/// All words and people of an entry, or of one occurrence, where an empty text clears.
/// kInvalidArgument that names the field.
Result<void> CheckTexts(const Entry& entry);
Result<void> CheckTexts(const Override& one);

}  // namespace atrium::calendar
