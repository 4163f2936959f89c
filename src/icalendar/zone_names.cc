// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "icalendar/zone_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "almanac/zone.h"
#include "base/error.h"
#include "base/result.h"
#include "icalendar/component.h"
#include "icalendar/content_line.h"
#include "icalendar/letter_case.h"
#include "icalendar/offset_table.h"
#include "icalendar/quote.h"
#include "icalendar/text_blocks.h"
#include "icalendar/values.h"
#include "icalendar/windows_titles.h"
#include "icalendar/windows_zones.h"
#include "icalendar/zone_definition.h"
#include "icalendar/zone_match.h"

namespace atrium::icalendar {
namespace {

using almanac::Zone;

/// What the rules of all VTIMEZONEs of a file may cost: about a second.
constexpr std::size_t kChangesMax = 20'000;
constexpr std::size_t kStepsMax = 5'000'000;

constexpr std::string_view kByRules = "found by the rules that the file gives";
constexpr std::string_view kClosest =
    "no zone has the rules that the file gives: what comes once is kept as a moment in UTC, what "
    "repeats is taken as of the closest zone";
constexpr std::string_view kByDefault = "for times without a zone, by X-WR-TIMEZONE";

std::optional<Zone> Find(std::string_view name) {
  std::string spelled(name);
  std::ranges::replace(spelled, ' ', '_');
  const Result<Zone> zone = Zone::FindInAnyCase(spelled);
  return zone ? std::optional(*zone) : std::nullopt;
}

/// Names that are made unique in the world begin with a slash, or with who made them: a domain, or
/// the word that Exchange uses.
bool HasPrefix(std::string_view tzid) {
  constexpr std::string_view kExchange = "tzone:";
  const std::string_view first = tzid.substr(0, tzid.find('/'));
  return tzid.starts_with('/') || SameLetters(first, kExchange) ||
         (first.find('.') != std::string_view::npos && !first.starts_with('.'));
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

std::unexpected<Error> NotKnown(std::string_view tzid) {
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("the time zone \"{}\" is not known", Shown(tzid)));
}

/// The first year of the span in which the zone has other rules than the table.
std::optional<int> FirstOtherYear(const OffsetTable& table, const Zone& zone,
                                  const YearSpan& years) {
  for (int year = years.first; year <= years.last; ++year) {
    const TimeSpan span = YearSpan{.first = year, .last = year}.Times();
    if (table.DifferenceTo(zone, span, std::chrono::seconds(0)) > std::chrono::seconds(0)) {
      return year;
    }
  }
  return std::nullopt;
}

}  // namespace

ZoneNames::ZoneNames(std::optional<Zone> home) : home_(home), budget_(kChangesMax, kStepsMax) {}

void ZoneNames::Declare(const Block& vtimezone) {
  std::string tzid;
  std::string place;
  for (const TextLine& line : vtimezone.lines) {
    const Result<Property> property = ParseContentLine(line);
    if (!property) {
      return;
    }
    if (property->name == "TZID") {
      tzid = UnescapeText(property->value);
    } else if (property->name == "X-LIC-LOCATION" || property->name == "TZID-ALIAS-OF") {
      place = UnescapeText(property->value);
    }
  }
  const bool is_name = !tzid.empty() && tzid.size() <= kTzidBytesMax;
  if (!is_name || declared_.size() >= kDefinitionsMax || declared_.contains(tzid)) {
    return;
  }
  if (place.size() > kTzidBytesMax) {
    place.clear();
  }
  declared_.emplace(std::move(tzid), Declaration{.line = vtimezone.line,
                                                 .place = std::move(place),
                                                 .rules = ZoneDefinition::Parse(vtimezone)});
}

Result<ZoneChoice> ZoneNames::Resolve(std::string_view tzid) {
  if (tzid.size() > kTzidBytesMax) {
    return NotKnown(tzid);
  }
  auto found = resolved_.find(tzid);
  if (found == resolved_.end()) {
    if (resolved_.size() >= kTzidsMax) {
      return Fail(ErrorCode::kInvalidArgument,
                  fmt::format("the file names more than {} time zones", kTzidsMax));
    }
    found = resolved_.emplace(std::string(tzid), Search(tzid)).first;
  }
  if (!found->second) {
    return std::unexpected(found->second.error());
  }
  return found->second->choice;
}

std::optional<Zone> ZoneNames::ForFloating() {
  if (default_.empty() || !uses_.Empty()) {
    return std::nullopt;
  }
  const std::optional<Zone> zone = SearchName(default_);
  default_used_ = zone.has_value();
  return zone;
}

std::vector<TakenZone> ZoneNames::Taken() const {
  std::vector<TakenZone> taken;
  const std::optional<Zone> zone = default_used_ ? SearchName(default_) : std::nullopt;
  if (zone) {
    taken.push_back({.tzid = {}, .zone = zone->Name(), .note = std::string(kByDefault)});
  }
  for (const auto& [tzid, resolution] : resolved_) {
    if (resolution && (resolution->choice.zone.Name() != tzid || !resolution->note.empty())) {
      taken.push_back(
          {.tzid = Shown(tzid), .zone = resolution->choice.zone.Name(), .note = resolution->note});
    }
  }
  return taken;
}

Result<ZoneNames::Resolution> ZoneNames::Search(std::string_view tzid) {
  if (const std::optional<Zone> zone = SearchName(tzid)) {
    return Resolution{.choice = {.zone = *zone, .rules = {}}, .note = NoteOn(tzid, *zone)};
  }
  const auto declared = declared_.find(tzid);
  if (declared == declared_.end()) {
    return NotKnown(tzid);
  }
  Result<Resolution> found = ByRules(tzid, declared->second);
  if (!found) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("the time zone \"{}\" is not known, and its VTIMEZONE on line {} "
                            "cannot be used: {}",
                            Shown(tzid), declared->second.line, found.error().client_message));
  }
  return found;
}

std::optional<Zone> ZoneNames::SearchName(std::string_view tzid) const {
  if (std::optional<Zone> zone = Find(tzid)) {
    return zone;
  }
  if (HasPrefix(tzid)) {
    if (std::optional<Zone> zone = FindAtEnd(tzid)) {
      return zone;
    }
  }
  if (const auto declared = declared_.find(tzid); declared != declared_.end()) {
    if (std::optional<Zone> zone = Find(declared->second.place)) {
      return zone;
    }
  }
  if (const std::optional<std::string_view> windows = FindWindowsZone(tzid)) {
    return Find(*windows);
  }
  return FindTitledZone(tzid);
}

Result<ZoneNames::Resolution> ZoneNames::ByRules(std::string_view tzid,
                                                 const Declaration& declaration) {
  if (!declaration.rules) {
    return std::unexpected(declaration.rules.error());
  }
  const YearSpan years = uses_.YearsOf(tzid);
  Result<OffsetTable> table = declaration.rules->Expand(years, budget_);
  if (!table) {
    return Fail(ErrorCode::kInvalidArgument, "it puts the clocks too often");
  }
  const ZoneMatch match = FindMatch(*table, years.Times(), home_);
  if (match.exact) {
    return Resolution{.choice = {.zone = match.zone, .rules = {}}, .note = std::string(kByRules)};
  }
  return Resolution{.choice = {.zone = match.zone,
                               .rules = std::make_shared<const OffsetTable>(*std::move(table))},
                    .note = std::string(kClosest)};
}

/// What the file has otherwise than the zone that its name means.
std::string ZoneNames::NoteOn(std::string_view tzid, const Zone& zone) {
  const auto declared = declared_.find(tzid);
  if (declared == declared_.end() || !declared->second.rules) {
    return {};
  }
  const YearSpan years = uses_.YearsOf(tzid);
  const Result<OffsetTable> table = declared->second.rules->Expand(years, budget_);
  const std::optional<int> other = table ? FirstOtherYear(*table, zone, years) : std::nullopt;
  return other ? fmt::format("the file gives other rules for {}: those of the zone count", *other)
               : "";
}

}  // namespace atrium::icalendar
