// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "icalendar/zone_names.h"

#include <fmt/format.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "almanac/zone.h"
#include "base/error.h"
#include "base/result.h"
#include "icalendar/content_line.h"
#include "icalendar/quote.h"
#include "icalendar/text_blocks.h"
#include "icalendar/values.h"
#include "icalendar/windows_zones.h"

namespace atrium::icalendar {
namespace {

using almanac::Zone;

std::optional<Zone> Find(std::string_view name) {
  Result<Zone> zone = Zone::Find(name);
  return zone ? std::optional(*zone) : std::nullopt;
}

/// The longest end of a path that is a zone: names of the database have up to three parts.
std::optional<Zone> FindAtEnd(std::string_view path) {
  std::size_t slash = path.find('/');
  while (slash != std::string_view::npos) {
    path.remove_prefix(slash + 1);
    if (std::optional<Zone> zone = Find(path)) {
      return zone;
    }
    slash = path.find('/');
  }
  return std::nullopt;
}

}  // namespace

void ZoneNames::Declare(const Block& vtimezone) {
  std::string tzid;
  std::string location;
  for (const TextLine& line : vtimezone.lines) {
    const Result<Property> property = ParseContentLine(line);
    if (!property) {
      return;
    }
    if (property->name == "TZID") {
      tzid = UnescapeText(property->value);
    } else if (property->name == "X-LIC-LOCATION" || property->name == "TZID-ALIAS-OF") {
      location = UnescapeText(property->value);
    }
  }
  if (!tzid.empty() && !location.empty()) {
    declared_.try_emplace(std::move(tzid), std::move(location));
  }
}

Result<Zone> ZoneNames::Resolve(std::string_view tzid) {
  auto found = resolved_.find(tzid);
  if (found == resolved_.end()) {
    found = resolved_.emplace(std::string(tzid), Search(tzid)).first;
  }
  if (!found->second) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("the time zone \"{}\" is not known", Shown(tzid)));
  }
  return *found->second;
}

std::optional<Zone> ZoneNames::Search(std::string_view tzid) const {
  if (std::optional<Zone> zone = Find(tzid)) {
    return zone;
  }
  if (tzid.starts_with('/')) {
    if (std::optional<Zone> zone = FindAtEnd(tzid)) {
      return zone;
    }
  }
  if (const auto declared = declared_.find(tzid); declared != declared_.end()) {
    if (std::optional<Zone> zone = Find(declared->second)) {
      return zone;
    }
  }
  const std::optional<std::string_view> windows = FindWindowsZone(tzid);
  return windows ? Find(*windows) : std::nullopt;
}

}  // namespace atrium::icalendar
