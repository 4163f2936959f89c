// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "icalendar/text_blocks.h"
#include "icalendar/zone_definition.h"

namespace atrium::icalendar {

/// How many TZIDs of a file are looked at: the database has some 600 names, Windows 140.
inline constexpr std::size_t kTzidsMax = 1000;
/// Longer ones mean nothing to anybody, and are not kept.
inline constexpr std::size_t kTzidBytesMax = 500;

/// In which years the items of a file use each of its TZIDs: only for those years it matters which
/// zone is meant. Years outside 1900 to 2100 count as the nearer end of that.
class ZoneUses {
 public:
  /// Looks at an event or a task. Of a series that does not say when it ends, the thirty years
  /// after its start count, but none after 2036: the lists of dates in many files end in 2037.
  /// TZIDs that are too long or too many are passed over.
  void Note(const Block& block);

  /// Whether any time of the file names a zone.
  bool Empty() const { return is_empty_; }

  /// The years of a TZID; some decades around the present for one that was not noted.
  YearSpan YearsOf(std::string_view tzid) const;

 private:
  bool HasRoomFor(std::string_view tzid) const;

  bool is_empty_ = true;
  std::map<std::string, YearSpan, std::less<>> years_;
};

}  // namespace atrium::icalendar
