// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "almanac/zone.h"
#include "base/result.h"
#include "icalendar/text_blocks.h"

namespace atrium::icalendar {

/// Which zone of the IANA database a file means by each of its TZIDs, which its writer was free to
/// make up (RFC 5545 §3.8.3.1).
///
/// The rules inside a VTIMEZONE are not looked at: they say what its writer knew of the zone, for
/// the years he cared about. One file, one thread.
class ZoneNames {
 public:
  /// Learns from a VTIMEZONE the name of the database that belongs to its TZID: from X-LIC-LOCATION
  /// or TZID-ALIAS-OF. Blocks that cannot be read teach nothing.
  void Declare(const Block& vtimezone);

  /// Understands, in this order, a name of the database; one behind a prefix that makes it unique
  /// in the world ("/mozilla.org/20050126_1/Europe/Berlin"); what was declared; a name of Windows.
  /// kInvalidArgument otherwise.
  Result<almanac::Zone> Resolve(std::string_view tzid);

 private:
  std::optional<almanac::Zone> Search(std::string_view tzid) const;

  std::map<std::string, std::string, std::less<>> declared_;
  std::map<std::string, std::optional<almanac::Zone>, std::less<>> resolved_;
};

}  // namespace atrium::icalendar
